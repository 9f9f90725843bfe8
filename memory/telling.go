package memory

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Telling says what of a title must not become the name of a file, which git keeps in
// every tree, where nobody looks for it: "name" of a person, "address", "secret", "number" of
// an account; "" for nothing. It judges by looks alone: a person is two or three words in
// capitals of which the first is a usual given name, or before which somebody is asked.
func Telling(title string) string {
	switch {
	case strings.Contains(title, "[redacted"):
		return "secret"
	case accounts().MatchString(title):
		return "number"
	case addresses().MatchString(title):
		return "address"
	}
	for word := range strings.FieldsSeq(title) {
		if isToken(strings.Trim(word, "\"'`.,;:!?()[]{}<>*")) {
			return "secret"
		}
	}
	if len(People(title)) > 0 {
		return "name"
	}
	return ""
}

// People are the names of persons in a text, each as often as it stands there: by looks alone as in
// [Telling], and the known ones of two words.
func People(text string, known ...string) (out []string) {
	words := strings.Fields(text)
	for i := range len(words) - 1 {
		name := clean(words[i]) + " " + clean(words[i+1])
		if isPerson(words, i) || slices.Contains(known, name) {
			out = append(out, name)
		}
	}
	return out
}

// clean is a word of a name without what stands around it.
func clean(word string) string {
	word = strings.TrimRight(strings.TrimLeft(word, "\"'`([{*"), "\"'`.,;:!?)]}*")
	return strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
}

// accounts matches an IBAN, a card, and nine digits or more, in a row or with hyphens.
var accounts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}|\b\d{4}(?: \d{4}){2,4}\b|\b\d(?:-?\d){8,}\b`)
})

var addresses = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b`)
})

// The least of a token: how long it is, and how often letters and digits change.
const (
	tokenLength  = 20
	tokenChanges = 4
)

// isToken reports whether a word looks drawn at random: long, of letters of both sizes and
// digits in turn.
func isToken(word string) bool {
	parts := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune("/=:.,_", r) })
	return slices.ContainsFunc(parts, func(part string) bool {
		changes := len(runs().FindAllString(part, -1)) - 1
		return len(part) >= tokenLength && changes >= tokenChanges &&
			strings.ContainsFunc(part, unicode.IsUpper) && strings.ContainsFunc(part, isSmallLetter)
	})
}

// runs matches the digits, and the other characters, that stand together.
var runs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9]+|[^0-9]+`) })

func isSmallLetter(r rune) bool { return !unicode.IsUpper(r) && !strings.ContainsRune(decimals, r) }

// isPerson reports whether a name of two words or more begins with a word.
func isPerson(words []string, i int) bool {
	first := strings.TrimLeft(words[i], "\"'`([{*")
	if !isName(first) || !isName(clean(words[i+1])) {
		return false
	}
	before := ""
	if i > 0 {
		before = strings.TrimRight(words[i-1], ".")
	}
	return isOf("given", first) || isOf("asked", before)
}

// isName reports whether a word is written as a name: one capital, then small letters, or two
// such parts with a hyphen or an apostrophe.
func isName(word string) bool {
	letters := strings.NewReplacer("-", "", "'", "", "’", "").Replace(word)
	return utf8.RuneCountInString(letters) > 1 && names().MatchString(word)
}

var names = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[-'’]*\p{Lu}\p{Ll}*(?:[-'’]+\p{Lu}\p{Ll}*)*[-'’]*$`)
})

//go:embed names.tsv
var nameTable string

// nameWords are the words of each kind of names.tsv.
var nameWords = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(nameTable) {
		kind, list, _ := strings.Cut(line, "\t")
		out[kind] = append(out[kind], strings.Fields(list)...)
	}
	return out
})

// isOf reports whether a word is of a kind of names.tsv, in any letter case.
func isOf(kind, word string) bool { return slices.Contains(nameWords()[kind], strings.ToLower(word)) }
