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
	if c.around(name) || common(strings.TrimSuffix(strings.TrimSuffix(name, "s"), "'")) || c.touches(name) {
		return true
	}
	for _, end := range []string{"", "'s", "s", "()", "es", "'", "ed", "d"} {
		stem, ok := strings.CutSuffix(name, end)
		if ok && len(stem) > 1 && holdsWord(c.Evidence, stem) {
			return true
		}
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-/+=:.", r) })
	if len(parts) > 1 {
		return c.holdsParts(name, parts)
	}
	return holdsWord(c.Evidence, name) || holdsStart(c.Evidence, name) || c.holdsInside(name)
}

// touches reports whether a name stands in the path of a file that the session touched.
func (c *Claim) touches(name string) bool {
	return slices.ContainsFunc(c.Known, func(f string) bool { return holdsWord(f, name) })
}

// holdsInside reports whether an identifier of the evidence has a name as one of its words.
func (c *Claim) holdsInside(name string) bool {
	ids := identifier().FindAllString(c.Evidence, -1)
	return slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(camelParts(id), name) })
}

// holdsParts reports whether each part of a name stands in the evidence. Of a name with
// hyphens a plain word may stand there in another form: "derived" of "HKDF-derived".
func (c *Claim) holdsParts(name string, parts []string) bool {
	have := stems(c.Evidence)
	hyphened := strings.Contains(name, "-") && name[0] != '-'
	for _, p := range parts {
		plain := hyphened && strings.ToLower(p) == p && !strings.ContainsAny(p, "0123456789")
		if plain && !holdsAll(have, stems(p)) || !plain && !holdsWord(c.Evidence, p) {
			return false
		}
	}
	return true
}

// holdsAll reports whether some stems are all among others.
func holdsAll(have, want map[string]bool) bool {
	for stem := range want {
		if !have[stem] {
			return false
		}
	}
	return true
}

// commonNames are abbreviations that every programmer says for what a text spells out, and
// the letters that stand for any number or name.
const commonNames = " API CI CLI CSS DB DTO HTML HTTP ID JSON OS PR SQL UI URL N X "

func common(name string) bool { return strings.Contains(commonNames, " "+name+" ") }

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

// camelPart matches one word of an identifier: an acronym before another word, or a word.
var camelPart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Z]?[^A-Z]+|[A-Z]+`) })

// camelParts are the words of an identifier: "Session", "ID" and "Conflict" of
// "SessionIDConflict".
func camelParts(id string) []string {
	var out []string
	for _, part := range camelPart().FindAllString(acronym().ReplaceAllString(id, "$1 $2"), -1) {
		out = append(out, strings.Fields(part)...)
	}
	return out
}

// acronym matches the end of one before another word: "ID" and "Co" of "IDConflict".
var acronym = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([A-Z])([A-Z][^A-Z])`) })

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

// namedLike matches names and identifiers by what they hold: a capital behind another letter, a
// character that words of prose lack, or a digit beside a letter.
var namedLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\p{Ll}\p{Lu}]\p{Lu}|[_$@#~=\\]|.[.]|::|^-|\pL.*\p{Nd}|\p{Nd}.*\pL`)
})

// named reports whether a token is a name or an identifier.
func (t token) named() bool {
	initial, _ := utf8.DecodeRuneInString(t.text)
	if unicode.IsUpper(initial) && !t.first && t.text != "I" {
		return true
	}
	return namedLike().MatchString(t.text)
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
