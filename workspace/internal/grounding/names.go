package grounding

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// groundedNames: every identifier and every name stands in the evidence, or in the
// path of a file that the session touched. A name
// is a word with a capital letter that does not begin a sentence; an identifier
// has a capital inside, a digit, or a character that words of prose lack.
func groundedNames(c *Claim) error {
	var missing []string
	for _, t := range tokensIn(c.Said()) {
		if !IsPath(t.text) && t.named() && !slices.Contains(missing, t.text) && !c.holdsName(t.text) {
			missing = append(missing, t.text)
		}
	}
	return c.absent("name", missing)
}

// holdsName looks for a name in the evidence: as it is, without the ending of a
// plural or a genitive, or part by part.
func (c *Claim) holdsName(name string) bool {
	if c.around(name) || common(strings.TrimSuffix(strings.TrimSuffix(name, "s"), "'")) {
		return true
	}
	if holdsWord(c.Evidence, name) || slices.ContainsFunc(c.Known, func(f string) bool { return holdsWord(f, name) }) {
		return true
	}
	for _, end := range []string{"'s", "s", "()", "es", "'", "ed", "d"} {
		if stem, ok := strings.CutSuffix(name, end); ok && len(stem) > 1 && holdsWord(c.Evidence, stem) {
			return true
		}
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '/' || r == '+' || r == '=' || r == ':' || r == '.' })
	if len(parts) < 2 {
		return holdsStart(c.Evidence, name) || slices.ContainsFunc(identifier().FindAllString(c.Evidence, -1), func(id string) bool {
			return slices.Contains(camelParts(id), name)
		})
	}
	have := stems(c.Evidence)
	for _, p := range parts {
		if plain := strings.ToLower(p) == p && strings.IndexFunc(p, unicode.IsDigit) < 0; plain && strings.Contains(name, "-") && name[0] != '-' {
			for stem := range stems(p) { // "derived" of "HKDF-derived", where the evidence says "derives"
				if !have[stem] {
					return false
				}
			}
		} else if !holdsWord(c.Evidence, p) {
			return false
		}
	}
	return true
}

// common reports whether a name is an abbreviation that every programmer says for what
// a text spells out, or the letter that stands for any number or name.
func common(name string) bool {
	switch name {
	case "API", "CI", "CLI", "CSS", "DB", "DTO", "HTML", "HTTP", "ID", "JSON", "OS", "PR", "SQL", "UI", "URL",
		"N", "X":
		return true
	}
	return false
}

// around reports whether a name stands in the texts around the evidence.
func (c *Claim) around(name string) bool {
	return slices.ContainsFunc(c.Around, func(t Text) bool {
		return holdsWord(t.Said, name) || strings.Contains(name, "/") && holdsWord(strings.ReplaceAll(t.Said, `\`, "/"), name)
	})
}

// identifier matches words with a capital letter inside.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z]+[a-z][A-Z][A-Za-z]*`) })

// IsCamel reports whether a word is an identifier of several words, such as
// "parseEvent", which no sentence holds by chance.
func IsCamel(s string) bool { return identifier().FindString(s) == s && s != "" }

// camelParts are the words of an identifier: "Session", "ID" and "Conflict" of
// "SessionIDConflict".
func camelParts(id string) []string {
	var out []string
	from := 0
	for i := 1; i <= len(id); i++ {
		if i < len(id) && !(upper(id[i]) && !upper(id[i-1])) && !(upper(id[i]) && upper(id[i-1]) && i+1 < len(id) && !upper(id[i+1])) {
			continue
		}
		out = append(out, id[from:i])
		from = i
	}
	return out
}

func upper(b byte) bool { return b >= 'A' && b <= 'Z' }

// token is a word of a text with what matters about its place.
type token struct {
	text  string
	first bool // of a sentence
}

// tokensIn cuts a text into words, without the punctuation around them.
func tokensIn(s string) []token {
	var out []token
	for l := range strings.SplitSeq(typography().Replace(s), "\n") {
		first := true
		for field := range strings.FieldsFuncSeq(l, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`([{,;"<>|`, r) }) {
			core := strings.TrimRight(field, `)]}'.!?:,…`)
			ends := strings.ContainsAny(field[len(core):], ".!?:")
			word := strings.TrimFunc(core, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-/.$@#~", r)
			})
			word = strings.TrimRight(word, ".-")
			if strings.IndexFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
				first = first || ends
				continue // a bullet, a dash
			}
			out = append(out, token{word, first})
			first = ends
		}
	}
	return out
}

// named reports whether a token is a name or an identifier.
func (t token) named() bool {
	digits, letters := 0, 0
	prev := rune(0)
	for i, r := range t.text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsUpper(r):
			letters++
			if i > 0 && unicode.IsLower(prev) || i == 0 && !t.first && t.text != "I" {
				return true
			}
			if i > 0 && unicode.IsUpper(prev) { // an acronym
				return true
			}
		case unicode.IsLetter(r):
			letters++
		case strings.ContainsRune("_$@#~=\\", r), r == '.' && i > 0, r == ':' && prev == ':', r == '-' && i == 0:
			return true
		}
		prev = r
	}
	return digits > 0 && letters > 0
}

// Stands reports whether words stand in a text by themselves, whatever the case of their
// letters.
func Stands(text, words string) bool { return holdsWord(text, words) }

// holdsWord reports whether a word stands in a text by itself, whatever the case
// of its letters.
func holdsWord(text, word string) bool { return stands(text, word, true) }

// holdsStart is holdsWord for the beginning of a word of the text, as "Gitea"
// is of "gitea-runner" and "deprecate" of "deprecated".
func holdsStart(text, word string) bool { return len(word) >= 4 && stands(text, word, false) }

func stands(text, word string, whole bool) bool {
	text, word = strings.ToLower(text), strings.ToLower(word)
	for at := 0; word != ""; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		inside := strings.Contains(word, "_") // an identifier, which is no part of another
		if !joined(before, inside) && (!whole || !joined(after, inside)) {
			return true
		}
		at = from + 1
	}
	return false
}

// joined reports whether a character belongs to the word beside it: an underscore
// only if the word has others. Scripts without spaces have no such words.
func joined(r rune, underscores bool) bool {
	return r < 0x2e80 && r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) || underscores && r == '_'
}
