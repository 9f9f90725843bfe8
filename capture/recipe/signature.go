package recipe

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
)

// signatureSize bounds a signature, in bytes.
const signatureSize = 160

// replacement is made in texts that have one of some words: without one of them the expression
// cannot match, and need not be compiled, which costs more than a hook has.
type replacement struct {
	words []string
	re    func() *regexp.Regexp
	by    string
}

func (r replacement) mayMatch(s string) bool {
	return slices.ContainsFunc(r.words, func(w string) bool { return strings.Contains(s, w) })
}

const digits = "0 1 2 3 4 5 6 7 8 9"

// unstable lists the replacements, in order, that take from an error the parts
// that change from one occurrence to the next.
var unstable = lazy.Value(func() []replacement {
	table := [][3]string{
		{"\x1b", `\x1b\[[0-9;?]*[a-z]`, ""},
		{"(eval): sh:", `^(?:\(eval\):\d+|(?:/[\w/]*/)?(?:ba|z|da)?sh(?:: line \d+|:\d+)?): `, ""},
		{"gh: graphql: )", `^(?:gh|graphql): |\s*\([\w ]+\)$`, ""},
		{"err fatal fehler", `^(?:(?:error|fatal|err!|fehler|erreur)[:：!]? )+`, ""},
		{"://", `https?://\S+`, "#"},
		{"\" ` “ „ « » 「", "\"[^\"]*\"|`[^`]*`|“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|「[^」]*」", "#"},
		{"'", `(^|[\s(:=])'[^']*'`, "${1}#"},
		{digits, `\d{4}-\d\d-\d\d[t ]?[\d:.]*z?`, "#"},
		{`/ \`, `(?:[a-z]:)?[\w.@~*-]*(?:[/\\][\w.@~*+-]*)+(?::\d+)*`, "#"},
		{digits + " a b c d e f", `\b[0-9a-f]{7,}\b`, "#"},
		{".", `\b[\w*-]+\.(?:[a-z]{1,4}|json|yaml|toml)\b(?::\d+)*`, "#"},
		{digits, `\d+(?:\.\d+)*`, "#"},
		{"#", `#(?:[\s,:]*#)+`, "#"},
	}
	return lists.Map(table, func(row [3]string) replacement {
		compile := lazy.Pattern(row[1])
		return replacement{strings.Fields(row[0]), compile, row[2]}
	})
})

// Signature is the stable part of one line of an error: in lower case, with
// quoted words, paths, addresses, ids, times and numbers as "#". It is "" where
// nothing that stays is left. The signature of a signature is the same.
func Signature(line string) string {
	for range 8 { // what is left of a line may begin or end with what changes
		s := stable(line)
		if s == line {
			return s
		}
		line = s
	}
	return ""
}

// notFound stands before the name of a program that a shell did not find.
const notFound = "command not found: "

// errorLines is how many lines of an error its keys are taken from.
const errorLines = 200

// Keys are the keys that a recipe of an error may have: the signatures of its lines, the rules of
// linters that it names, and the programs that a shell did not find, in one form for all shells.
func Keys(text string) []string {
	lines := Lines(text)
	lines = lines[:min(len(lines), errorLines)]
	keys := append(lists.Map(lines, Signature), lintKeys(rulesIn(lines))...)
	named := func(s string) bool { return s != "" }
	absent := lists.Where(lists.Map(lines, func(l string) string { return groupOf("missing program", l) }), named)
	keys = append(keys, lists.Map(absent, func(name string) string { return Signature(notFound + name) })...)
	return lists.Where(keys, named)
}

func stable(line string) string {
	s := strings.ToLower(strings.TrimSpace(line))
	for _, r := range unstable() {
		if r.mayMatch(s) {
			s = r.re().ReplaceAllString(s, r.by)
		}
	}
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > signatureSize {
		s = s[:strings.LastIndexAny(s[:signatureSize], " ")+1]
	}
	s = strings.Trim(s, " .,;:-#")
	if lettersOf(s) < leastLetters {
		return ""
	}
	return s
}

// leastLetters is how many letters a signature has at least.
const leastLetters = 6

// lettersOf counts letters. One character of Chinese says as much as a word.
func lettersOf(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r > 0x7f:
			n += 3
		case unicode.IsLower(r):
			n++
		}
	}
	return n
}
