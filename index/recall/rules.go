package recall

import (
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// rule is a call that a standing rule of a person is about, or what a memory names as
// when it matters.
type rule struct {
	kind byte // ruleCall, ruleForm, ruleFile, ruleEdit, ruleSaid or ruleGone
	// words are a program and what stands behind it; of ruleFile and ruleEdit one path or
	// pattern, with slashes; of ruleSaid the keys of words.
	words []string
}

const (
	ruleCall = '!' // speaks before a call that has these words
	ruleForm = '+' // is kept by a call that has these words, and speaks before one that lacks only options of them
	ruleFile = '/' // speaks before the file is opened or changed
	ruleEdit = '~' // speaks before the file is changed
	ruleSaid = '?' // speaks at a prompt, a question, a search or an error that has all of the words
	ruleGone = '-' // speaks before a change whose added lines bring this name back
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

// ruleTypes are the types of memories that may be a standing rule.
func ruleTypes() []memory.Type {
	return []memory.Type{memory.Preference, memory.Rejected, memory.Decision, memory.Gotcha, memory.Pattern}
}

// isRule reports whether a memory is a standing rule in a person's words, or what else
// somebody had remembered.
func isRule(m *memory.Memory) bool {
	if !slices.Contains(ruleTypes(), m.Type) || memory.IsTrap(m.Triggers) {
		return false
	}
	if m.Type == memory.Preference {
		return m.Rule() && isByPerson(m)
	}
	return isByPerson(m)
}

// isByPerson reports whether a memory is in the words of a person, or was remembered as
// somebody asked.
func isByPerson(m *memory.Memory) bool {
	return m.Source.Agent == memory.Human || slices.Contains([]string{"user", ""}, m.Source.Layer)
}

// rulesOf returns the calls, files and words that a memory names as when it matters, and
// the calls and files of a rule. What was read somewhere gives no rule: it is quoted where a
// reader keyed it.
func rulesOf(a *words.Analyser, m *memory.Memory) []rule {
	all := named(a, m)
	if !m.Outside() {
		all = slices.Concat(all, goneIn(m), ordered(m))
	}
	var kept []rule
	for _, r := range all {
		if r.isKept() && !slices.ContainsFunc(kept, r.same) {
			kept = append(kept, r)
		}
	}
	return kept[:min(len(kept), ruleLimit)]
}

// isKept reports whether a rule has words, and not too many.
func (r rule) isKept() bool { return len(r.words) > 0 && len(r.words) <= ruleWords }

// ordered are the calls and files that a standing rule is about; none of what is no such rule.
func ordered(m *memory.Memory) []rule {
	var out []rule
	if !isRule(m) {
		return nil
	}
	for _, s := range sentences(m) {
		r := ruleReader{}
		if r.read(s); r.orders {
			out = append(out, r.rules...)
		}
	}
	// These need not say what to do with their files.
	if slices.Contains([]memory.Type{memory.Preference, memory.Rejected}, m.Type) {
		for _, f := range filesOf(m) {
			out = append(out, rule{ruleFile, []string{strings.ReplaceAll(f, `\`, "/")}})
		}
	}
	return out
}

func (r rule) same(other rule) bool {
	return r.kind == other.kind && slices.Equal(r.words, other.words)
}

// Patterns of paths, and of what is none: an option, an address, a setting.
var (
	noPath   = lazy.Pattern(`^-|[ \t=@]|://|\.\.\.$`)
	filePath = lazy.Pattern(`^[^/]+\.[a-z]{1,5}$`)
	longPath = lazy.Pattern(`.+/|^/.{3}`)
)

// isPath reports whether a word is a path or a pattern of paths, and no command, option
// or address.
func isPath(w string) bool {
	if noPath().MatchString(w) || strings.Trim(w, "/.") == "" {
		return false
	}
	return filePath().MatchString(w) || longPath().MatchString(w)
}

// key is the word by which a rule is found: the program, or the last part of the path.
func (r rule) key() string {
	name := path.Base(r.words[0])
	switch {
	case r.kind == ruleSaid:
		return saidMark + r.words[0]
	case r.kind == ruleGone:
		return goneKey(r.words[0])
	case r.kind == ruleCall, r.kind == ruleForm:
		return name
	case strings.HasPrefix(name, "*."):
		return "*" + path.Ext(name)
	}
	folder := strings.TrimRight(r.words[0], "/")
	return name + r.words[0][len(folder):]
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
		m.goneTerms(yield)
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
	switch m.Kind {
	case File:
		return brokenByFile(rules, m)
	case Command:
		return brokenByCall(rules, m)
	}
	return heard(rules, said), m.Kind.tuning().heard
}

// brokenByFile is broken at a call that opens or changes a file.
func brokenByFile(rules []rule, m *Moment) (what string, weight float64) {
	weights := map[byte]float64{ruleFile: ruleWeight}
	if m.Input != "" {
		weights[ruleEdit] = editWeight
	}
	file := strings.ReplaceAll(m.File, `\\`, "/")
	for _, r := range rules {
		if weight, ok := weights[r.kind]; ok && r.covers(file) {
			return r.words[0], weight
		}
	}
	return "", 0
}

// brokenByCall is broken at a command line.
func brokenByCall(rules []rule, m *Moment) (what string, weight float64) {
	for _, call := range m.Calls {
		for _, call := range [][]string{call, scriptOf(call)} {
			if r := brokenBy(rules, call); r != nil {
				return strings.Join(r.words, " "), ruleWeight
			}
		}
	}
	return "", 0
}

// scriptOf is the call of the script that an interpreter is called with, as if the script
// had been called itself; nil for another call.
func scriptOf(call []string) []string {
	if kindOf()[strings.TrimRight(call[0], "0123456789.")] != "interpreter" {
		return nil
	}
	i := slices.IndexFunc(call[1:], func(w string) bool { return !strings.HasPrefix(w, "-") }) + 1
	if i == 0 || !isPath(call[i]) {
		return nil
	}
	return append([]string{path.Base(call[i])}, call[i+1:]...)
}

// brokenBy is the rule that speaks of one command, the longest of several; nil for none.
func brokenBy(rules []rule, call []string) *rule {
	by := longest(rules, func(r *rule) bool { return r.isBrokenBy(call) })
	kept := longest(rules, func(r *rule) bool { return r.isKeptBy(call) })
	if by == nil || by.yieldsTo(kept) {
		return nil
	}
	return by
}

// longest is the first of the longest rules of a kind; nil when there are none.
func longest(rules []rule, is func(r *rule) bool) *rule {
	var out *rule
	words := 0
	for i := range rules {
		if r := &rules[i]; len(r.words) > words && is(r) {
			out, words = r, len(r.words)
		}
	}
	return out
}

// yieldsTo reports whether a command that keeps another rule need not be spoken of.
func (r *rule) yieldsTo(kept *rule) bool {
	if kept == nil {
		return false
	}
	return r.kind == ruleForm || len(kept.words) > len(r.words)
}

// isKeptBy reports whether a command is made as a rule wants it.
func (r *rule) isKeptBy(call []string) bool {
	return r.kind == ruleForm && r.isAbout(call) && len(r.lacking(call)) == 0
}

// isBrokenBy reports whether a command is one that is not to be made, or lacks only options
// of one that is to be made so.
func (r *rule) isBrokenBy(call []string) bool {
	if !r.isAbout(call) {
		return false
	}
	lacking := r.lacking(call)
	if r.kind == ruleCall {
		return len(lacking) == 0
	}
	return len(lacking) > 0 && !slices.ContainsFunc(lacking, func(w string) bool { return !isOption(w) })
}

// lacking are the words of a rule that a command does not have.
func (r *rule) lacking(call []string) []string {
	return lists.Without(r.words[1:], func(w string) bool { return hasOption(call, w) })
}

// isAbout reports whether a rule is about the program of a command.
func (r *rule) isAbout(call []string) bool {
	if len(call) == 0 || r.kind != ruleCall && r.kind != ruleForm {
		return false
	}
	return strings.EqualFold(path.Base(r.words[0]), call[0])
}

// isOption reports whether a word of a command is an option or a setting.
func isOption(w string) bool { return strings.HasPrefix(w, "-") || strings.Contains(w, "=") }

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
	if !strings.ContainsAny(p, "*?[") {
		return strings.Contains("/"+file+"/", "/"+p+"/")
	}
	if !strings.Contains(p, "/") {
		file = path.Base(file)
	}
	ok, err := path.Match(p, file)
	return ok && err == nil
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
		if len(line) < 2 {
			continue
		}
		r := rule{line[0], strings.Fields(line[1:])}
		if r.kind == ruleFile || r.kind == ruleEdit {
			r.words = []string{line[1:]}
		}
		if len(r.words) > 0 {
			out = append(out, r)
		}
	}
	return out
}
