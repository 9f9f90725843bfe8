package recall

import (
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// rule is a call that a standing rule of a person is about, or what a memory names as
// when it matters.
type rule struct {
	kind  byte     // ruleCall, ruleForm, ruleFile, ruleEdit or ruleSaid
	words []string // a program and what stands behind it; of ruleFile and ruleEdit one path or pattern, with slashes; of ruleSaid the keys of words
}

const (
	ruleCall = '!' // speaks before a call that has these words
	ruleForm = '+' // is kept by a call that has these words, and speaks before one that lacks only options of them
	ruleFile = '/' // speaks before the file is opened or changed
	ruleEdit = '~' // speaks before the file is changed
	ruleSaid = '?' // speaks at a prompt, a question, a search or an error that has all of the words
)

// Bounds of the rules of one memory.
const (
	ruleLimit = 12
	ruleWords = 8
	ruleSpan  = 160 // bytes of a command
)

// ruleWeight is the score of a rule at the call that it is about, however many rules
// there are about the same program. It clears the threshold alone.
const ruleWeight = 8

// editWeight is the score of what a reader names a file for at a change of it: none, since
// a file that is worked on is changed in many ways. But the words that the change shares
// with it count in full (see [about.priors]).
const editWeight = 0

// isRule reports whether a memory is a standing rule in a person's words, or what else
// somebody had remembered. What was read somewhere is neither.
func isRule(m *memory.Memory) bool {
	if m.Outside() || m.Type == memory.Preference && !m.Rule() {
		return false
	}
	switch m.Type {
	case memory.Preference, memory.Rejected, memory.Decision, memory.Gotcha, memory.Pattern:
		return !memory.IsTrap(m.Triggers) && (m.Source.Agent == memory.Human || m.Source.Layer == "user" || m.Source.Layer == "")
	}
	return false
}

// rulesOf are the calls, files and words that a memory names as when it matters, and
// the calls and files of a rule.
func rulesOf(a *words.Analyser, m *memory.Memory) []rule {
	if m.Outside() {
		return nil
	}
	out := named(a, m)
	if isRule(m) {
		for _, s := range sentences(m) {
			r := ruleReader{}
			if r.read(s); r.orders {
				out = append(out, r.rules...)
			}
		}
	}
	if isRule(m) && (m.Type == memory.Preference || m.Type == memory.Rejected) { // others are about files, and need not say what to do with them
		for _, f := range filesOf(m) {
			out = append(out, rule{ruleFile, []string{strings.ReplaceAll(f, `\`, "/")}})
		}
	}
	kept := out[:0]
	for _, r := range out {
		if len(r.words) > 0 && len(r.words) <= ruleWords && len(kept) < ruleLimit && !slices.ContainsFunc(kept, r.same) {
			kept = append(kept, r)
		}
	}
	return kept
}

func (r rule) same(other rule) bool {
	return r.kind == other.kind && slices.Equal(r.words, other.words)
}

// ruleReader reads the rules in a sentence, word by word.
type ruleReader struct {
	rules  []rule
	orders bool // the sentence says that something is to be done or left

	banned bool     // what comes is not to be done, or is an occasion
	armed  bool     // the next word may be a command without backticks
	plain  []string // such a command, as far as it was read
	ruled  int      // rules before this clause
	asked  bool     // a verb came before the first command of the clause
	last   string   // the word before
	runs   bool     // a path that comes is that of a program
}

func (r *ruleReader) read(s string) {
	for i, part := range strings.Split(s, "`") {
		if i%2 == 1 {
			r.span(strings.TrimSpace(part))
			continue
		}
		for word := range strings.FieldsSeq(part) {
			r.word(word)
		}
	}
	r.endPlain()
}

// word takes in a word that stands in no backticks.
func (r *ruleReader) word(w string) {
	bare := strings.Trim(w, `,;:.!?"'()…`)
	low := strings.ToLower(bare)
	ends := bare == "" || strings.ContainsAny(w[len(w)-1:], ",;:.!?)")
	switch {
	case isPath(bare):
		r.endPlain()
		r.path(bare)
	case slices.Contains(bans(), low):
		r.endPlain()
		r.orders = true
		if n := len(r.rules); !r.asked && n > r.ruled && r.rules[n-1].kind == ruleForm { // "X must not be run"
			r.rules[n-1].kind = ruleCall
		}
		r.banned = true
		r.armed = low == "not" || low == "avoid"
	case low == "of" && r.last == "instead", low == "than" && r.last == "rather":
		r.endPlain()
		r.orders, r.banned, r.armed = true, true, true
	case slices.Contains(occasions(), low):
		r.endPlain()
		r.orders, r.banned = true, true
	case slices.Contains(callVerbs(), low):
		r.endPlain()
		r.orders, r.armed, r.asked = true, true, true
	case low == "or":
		goesOn := len(r.plain) > 0
		r.endPlain()
		r.armed = goesOn
	case slices.Contains(joints(), low):
		r.endPlain()
		r.banned = r.banned && low != "and" && low != "but"
	case r.armed && bare == low && isCommandWord(low):
		if r.plain = append(r.plain, bare); len(r.plain) == 3 {
			r.endPlain()
		}
	default:
		r.endPlain()
		r.orders = r.orders || slices.Contains(orderWords(), low)
	}
	r.runs = slices.Contains(runVerbs(), low) || r.runs && (low == "or" || isPath(bare) || slices.Contains(joints(), low))
	if r.last = low; ends {
		r.endClause()
	}
}

// span takes in what stands between backticks.
func (r *ruleReader) span(text string) {
	r.endPlain()
	words := strings.Fields(text)
	switch {
	case len(words) == 0 || len(text) > ruleSpan:
	case isPath(text):
		r.path(text)
	case strings.HasPrefix(text, "-"):
		r.options(words)
	default:
		r.add(words)
	}
	r.last = ""
}

// path takes in a path: that of a program, if it is run, else of a file.
func (r *ruleReader) path(p string) {
	if p = strings.TrimPrefix(p, "./"); r.runs {
		r.add([]string{p})
		return
	}
	r.rules = append(r.rules, rule{ruleFile, []string{p}})
}

// options takes in options of the command before, which may be a path so far.
func (r *ruleReader) options(words []string) {
	n := len(r.rules)
	if n == 0 || r.last != "with" && r.last != "without" {
		return
	}
	x := &r.rules[n-1]
	if x.kind == ruleFile {
		if !r.asked || n == r.ruled {
			return
		}
		r.rules = r.rules[:n-1]
		r.add(x.words)
	}
	x.words = append(slices.Clone(x.words), words...)
	if r.last == "without" || !r.banned {
		x.kind = ruleForm
	}
}

func (r *ruleReader) add(words []string) {
	kind := byte(ruleForm)
	if r.banned {
		kind = ruleCall
	}
	r.rules = append(r.rules, rule{kind, words})
}

// endPlain ends a command that stands in no backticks.
func (r *ruleReader) endPlain() {
	if len(r.plain) > 0 {
		r.add(r.plain)
		r.plain = nil
	}
	r.armed = false
}

func (r *ruleReader) endClause() {
	r.endPlain()
	r.banned, r.asked, r.runs, r.ruled = false, false, false, len(r.rules)
}

// bans are words that forbid.
func bans() []string {
	return []string{"never", "not", "don't", "don’t", "dont", "avoid", "stop", "no", "nor", "cannot", "can't", "mustn't", "shouldn't", "doesn't"}
}

// occasions are words behind which a call stands at which something else is to be
// thought of.
func occasions() []string {
	return []string{"before", "when", "whenever", "after", "until", "each", "every"}
}

// callVerbs are verbs behind which a command stands.
func callVerbs() []string {
	return []string{"run", "runs", "running", "use", "using", "execute", "invoke", "call", "type"}
}

// runVerbs are those of callVerbs that are said of programs alone.
func runVerbs() []string { return []string{"run", "runs", "running", "execute", "invoke"} }

// joints are words between commands, and articles, behind which no command stands.
func joints() []string {
	return []string{"and", "but", "the", "a", "an", "it", "this", "that", "these", "my", "your", "our", "any", "all", "to", "in", "on", "for", "with", "here", "there", "if", "as", "is", "are", "from", "at", "by", "directly", "alone", "because", "since", "only"}
}

// orderWords are other words that say that something is to be done.
func orderWords() []string {
	return []string{"always", "must", "only", "should", "please", "want", "wants", "needs", "need", "have", "has", "keep", "let", "prefer", "prefers", "generated", "instead"}
}

func isCommandWord(w string) bool {
	return w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789_.+-:/@=") == ""
}

// isPath reports whether a word is a path or a pattern of paths, and no command, option
// or address.
func isPath(w string) bool {
	if w == "" || strings.ContainsAny(w, " \t=@") || strings.HasPrefix(w, "-") || strings.Contains(w, "://") || strings.HasSuffix(w, "...") {
		return false
	}
	if i := strings.LastIndexByte(w, '/'); i >= 0 {
		return strings.Trim(w, "/.") != "" && (i > 0 || len(w) > 3) && w[0] != '@'
	}
	ext := path.Ext(w)
	return len(ext) > 1 && len(ext) <= 6 && len(ext) < len(w) && strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz") == ""
}

// key is the word by which a rule is found: the program, or the last part of the path.
func (r rule) key() string {
	switch r.kind {
	case ruleSaid:
		return saidMark + r.words[0]
	case ruleCall, ruleForm:
		return path.Base(r.words[0])
	}
	if strings.HasPrefix(path.Base(r.words[0]), "*.") {
		return "*" + path.Ext(r.words[0])
	}
	return path.Base(r.words[0]) + r.words[0][len(strings.TrimRight(r.words[0], "/")):]
}

// ruleTerm is the term of rules with a key.
func ruleTerm(key string) term { return term{hash(triggerMark + "rule: " + key), key, "rule"} }

// ruleTerms calls yield with the terms of the rules that may be about a moment.
func (m *Moment) ruleTerms(yield func(term)) {
	switch m.Kind {
	case Command:
		for _, call := range m.Calls {
			yield(ruleTerm(call[0]))
			if script := scriptOf(call); script != nil {
				yield(ruleTerm(script[0]))
			}
		}
	case File:
		file := strings.ReplaceAll(m.File, `\`, "/")
		yield(ruleTerm(path.Base(file)))
		yield(ruleTerm("*" + path.Ext(file)))
		for part := range strings.SplitSeq(path.Dir(file), "/") {
			yield(ruleTerm(part + "/"))
			yield(ruleTerm(part))
		}
	}
}

// broken returns what of a moment some rule speaks of, "" if nothing: a call that is
// made as a rule wants it is not spoken of.
func broken(rules []rule, m *Moment, said map[string]bool) (what string, weight float64) {
	if m.Kind != File && m.Kind != Command {
		return heard(rules, said), heardWeight(m.Kind)
	}
	if m.Kind == File {
		for _, r := range rules {
			if (r.kind == ruleFile || r.kind == ruleEdit && m.Input != "") && r.covers(strings.ReplaceAll(m.File, `\`, "/")) {
				if r.kind == ruleEdit {
					return r.words[0], editWeight
				}
				return r.words[0], ruleWeight
			}
		}
		return "", 0
	}
	for _, call := range m.Calls {
		r := brokenBy(rules, call)
		if script := scriptOf(call); r == nil && script != nil {
			r = brokenBy(rules, script)
		}
		if r != nil {
			return strings.Join(r.words, " "), ruleWeight
		}
	}
	return "", 0
}

// scriptOf is the call of the script that an interpreter is called with, as if the script
// had been called itself; nil for another call.
func scriptOf(call []string) []string {
	switch strings.TrimRight(call[0], "0123456789.") {
	case "bash", "sh", "zsh", "python", "node", "ruby", "perl", "pwsh", "source":
	default:
		return nil
	}
	i := slices.IndexFunc(call[1:], func(w string) bool { return !strings.HasPrefix(w, "-") }) + 1
	if i == 0 || !isPath(call[i]) {
		return nil
	}
	return append([]string{path.Base(call[i])}, call[i+1:]...)
}

// brokenBy is the rule that speaks of one command, nil for none.
func brokenBy(rules []rule, call []string) *rule {
	var by *rule
	kept := 0
	for i := range rules {
		r := &rules[i]
		if r.kind == ruleFile || r.kind == ruleEdit || r.kind == ruleSaid || !strings.EqualFold(path.Base(r.words[0]), call[0]) {
			continue
		}
		lacks, options := 0, 0
		for _, w := range r.words[1:] {
			if !hasOption(call, w) {
				lacks++
				if strings.HasPrefix(w, "-") || strings.Contains(w, "=") {
					options++
				}
			}
		}
		switch {
		case lacks == 0 && r.kind == ruleForm:
			kept = max(kept, len(r.words))
		case lacks == 0, r.kind == ruleForm && lacks == options:
			if by == nil || len(r.words) > len(by.words) {
				by = r
			}
		}
	}
	if by != nil && kept > len(by.words) || by != nil && by.kind == ruleForm && kept > 0 {
		return nil
	}
	return by
}

// hasOption reports whether a command has a word, with or without a value behind it.
func hasOption(call []string, w string) bool {
	return slices.ContainsFunc(call, func(have string) bool {
		name, _, _ := strings.Cut(have, "=")
		return have == w || strings.HasPrefix(w, "-") && name == w
	})
}

// covers reports whether a path or pattern is that of a file, of one of its folders,
// or the end of its path.
func (r rule) covers(file string) bool {
	p := strings.TrimRight(r.words[0], "/")
	if strings.ContainsAny(p, "*?[") {
		name := file
		if !strings.Contains(p, "/") {
			name = path.Base(file)
		}
		ok, err := path.Match(p, name)
		return ok && err == nil
	}
	return file == p || strings.HasSuffix(file, "/"+p) || strings.HasPrefix(file, p+"/") || strings.Contains(file, "/"+p+"/")
}

// packRules and unpackRules put rules into lines and back.
func packRules(rules []rule) string {
	lines := make([]string, len(rules))
	for i, r := range rules {
		lines[i] = string(r.kind) + strings.Join(r.words, " ")
	}
	return strings.Join(lines, "\n")
}

func unpackRules(s string) []rule {
	var out []rule
	for _, line := range lines(s) {
		if len(line) > 1 {
			words := []string{line[1:]}
			if line[0] != ruleFile && line[0] != ruleEdit {
				words = strings.Fields(line[1:])
			}
			if len(words) > 0 {
				out = append(out, rule{line[0], words})
			}
		}
	}
	return out
}
