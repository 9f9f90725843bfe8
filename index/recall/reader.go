package recall

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
)

//go:embed rules.tsv
var ruleText string

var ruleClasses = lazy.Value(func() map[string][]string { return words.Classes(ruleText) })

// kindOf tells what each word of rules.tsv says of a rule.
var kindOf = lazy.Value(func() map[string]string {
	out := map[string]string{}
	for kind, list := range ruleClasses() {
		for _, word := range list {
			out[word] = kind
		}
	}
	return out
})

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

// Kinds of words besides those of rules.tsv.
const (
	pathWord    = "path"
	insteadWord = "instead of" // or "rather than"
	commandWord = "command"    // of a command without backticks
)

// kind tells what a word says of a rule; "" for nothing.
func (r *ruleReader) kind(bare, low string) string {
	if isPath(bare) {
		return pathWord
	}
	switch r.last + " " + low {
	case "instead of", "rather than":
		return insteadWord
	}
	switch kind := kindOf()[low]; kind {
	case "order", "interpreter", "":
		if r.armed && bare == low && isCommandWord(low) {
			return commandWord
		}
		return kind
	default:
		return kind
	}
}

// word takes in a word that stands in no backticks.
func (r *ruleReader) word(w string) {
	bare := strings.Trim(w, `,;:.!?"'()…`)
	low := strings.ToLower(bare)
	kind := r.kind(bare, low)
	r.take(kind, bare)
	joins := slices.Contains([]string{"or", "joint", "article", pathWord}, kind)
	r.runs = kind == "run" || r.runs && joins
	r.last = low
	if bare == "" || strings.ContainsAny(w[len(w)-1:], ",;:.!?)") {
		r.endClause()
	}
}

// take takes in a word of a kind.
func (r *ruleReader) take(kind, word string) {
	if kind == commandWord {
		r.command(word)
		return
	}
	goesOn := len(r.plain) > 0
	r.endPlain()
	switch kind {
	case pathWord:
		r.path(word)
	case "ban", "not":
		r.ban(kind == "not")
	case insteadWord:
		r.orders, r.banned, r.armed = true, true, true
	case "occasion":
		r.orders, r.banned = true, true
	case "run", "call":
		r.orders, r.armed, r.asked = true, true, true
	case "or":
		r.armed = goesOn
	case "joint":
		r.banned = false
	case "order":
		r.orders = true
	}
}

// command takes in a word of a command without backticks, which has three at most.
func (r *ruleReader) command(word string) {
	if r.plain = append(r.plain, word); len(r.plain) == 3 {
		r.endPlain()
	}
}

// ban takes in a word that forbids what comes, or what stands before it: "X must not be
// run".
func (r *ruleReader) ban(armed bool) {
	n := len(r.rules)
	if before := n > r.ruled && !r.asked; before && r.rules[n-1].kind == ruleForm {
		r.rules[n-1].kind = ruleCall
	}
	r.orders, r.banned, r.armed = true, true, armed
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

// options takes in options of the command before.
func (r *ruleReader) options(words []string) {
	if !slices.Contains([]string{"with", "without"}, r.last) || !r.endsInCall() {
		return
	}
	x := &r.rules[len(r.rules)-1]
	x.words = append(slices.Clone(x.words), words...)
	if r.last == "without" || !r.banned {
		x.kind = ruleForm
	}
}

// endsInCall reports whether the last rule is about a command. A path in a clause that
// says what to run is one, too.
func (r *ruleReader) endsInCall() bool {
	n := len(r.rules)
	if n == 0 || r.rules[n-1].kind != ruleFile {
		return n > 0
	}
	if !r.asked || n == r.ruled {
		return false
	}
	path := r.rules[n-1].words
	r.rules = r.rules[:n-1]
	r.add(path)
	return true
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

func isCommandWord(w string) bool {
	return w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789_.+-:/@=") == ""
}
