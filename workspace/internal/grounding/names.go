package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
)

// groundedNames: every identifier and every name stands in the evidence, or in the
// path of a file that the session touched. A name
// is a word with a capital letter that does not begin a sentence; an identifier
// has a capital inside, a digit, or a character that words of prose lack.
func groundedNames(c *Claim) error {
	_, names := namedIn(c.Said())
	return c.absent("name", lacking(names, c.holdsName))
}

// namedIn are the paths of a text, and its names and identifiers.
func namedIn(text string) (paths, names []string) {
	for _, t := range tokensIn(text) {
		switch {
		case IsPath(t.text):
			paths = append(paths, t.text)
		case t.named():
			names = append(names, t.text)
		}
	}
	return paths, names
}

// endings lists what is left out of a name that the evidence lacks: of a plural, a genitive, a call,
// or a participle.
func endings() []string { return []string{"", "'s", "s", "()", "es", "'", "ed", "d"} }

// holdsName looks for a name in the evidence and around it: as it is, without an ending, or
// part by part.
func (c *Claim) holdsName(name string) bool {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-/+=:.", r) })
	switch {
	case isCommon(name), c.besides(name), c.holdsForm(name):
		return true
	case len(parts) > 1:
		return c.holdsParts(parts, strings.Index(name, "-") > 0)
	}
	return holdsWord(c.Evidence, name) || holdsStart(c.Evidence, name) || c.holdsInside(name)
}

// isCommon reports whether a name, or one of which it is a plural or a genitive, needs no evidence.
func isCommon(name string) bool {
	return isOf("common", strings.TrimSuffix(strings.TrimSuffix(name, "s"), "'"))
}

// holdsForm reports whether a name stands in the evidence, as it is or without an ending.
func (c *Claim) holdsForm(name string) bool {
	return slices.ContainsFunc(endings(), func(end string) bool {
		stem := strings.TrimSuffix(name, end)
		return len(stem) > 1 && holdsWord(c.Evidence, stem)
	})
}

// besides reports whether a name stands around the evidence, or in the path of a file that the
// session touched.
func (c *Claim) besides(name string) bool {
	return c.around(name) || slices.ContainsFunc(c.Known, func(f string) bool { return holdsWord(f, name) })
}

// holdsInside reports whether an identifier of the evidence has a name as one of its words.
func (c *Claim) holdsInside(name string) bool {
	ids := identifier().FindAllString(c.Evidence, -1)
	return slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(camelParts(id), name) })
}

// holdsParts reports whether each part of a name stands in the evidence. Of a name with hyphens a
// plain word may stand there in another form: "derived" of "HKDF-derived".
func (c *Claim) holdsParts(parts []string, hyphened bool) bool {
	have := stems(c.Evidence)
	return !slices.ContainsFunc(parts, func(part string) bool {
		if hyphened && isPlain(part) {
			return !holdsAll(have, stems(part))
		}
		return !holdsWord(c.Evidence, part)
	})
}

// isPlain reports whether a word has neither capitals nor digits.
func isPlain(word string) bool {
	return strings.ToLower(word) == word && !strings.ContainsAny(word, "0123456789")
}

// around reports whether a name stands in the texts around the evidence.
func (c *Claim) around(name string) bool {
	return slices.ContainsFunc(c.Around, func(t Text) bool {
		if strings.Contains(name, "/") {
			return holdsWord(strings.ReplaceAll(t.Said, `\`, "/"), name)
		}
		return holdsWord(t.Said, name)
	})
}

// identifier matches words with a capital letter inside.
var identifier = lazy.Pattern(`[A-Za-z]+[a-z][A-Z][A-Za-z]*`)

// IsCamel reports whether a word is an identifier of several words, such as
// "parseEvent", which no sentence holds by chance.
func IsCamel(s string) bool { return identifier().FindString(s) == s && s != "" }

// camelPart matches one word of an identifier: an acronym before another word, or a word.
var camelPart = lazy.Pattern(`[A-Z]?[^A-Z]+|[A-Z]+`)

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
var acronym = lazy.Pattern(`([A-Z])([A-Z][^A-Z])`)

// token is a word of a text with what matters about its place.
type token struct {
	text  string
	first bool // of a sentence
}

// fieldPattern matches what stands between blanks, quotation marks and opening brackets.
var fieldPattern = lazy.Pattern("[^\\s\\pZ([{,;\"<>|`]+")

// tokensIn cuts a text into words, without the punctuation around them.
func tokensIn(s string) []token {
	var out []token
	for line := range strings.SplitSeq(typography().Replace(s), "\n") {
		first := true
		for _, field := range fieldPattern().FindAllString(line, -1) {
			core := strings.TrimRight(field, `)]}'.!?:,…`)
			word := strings.TrimRight(strings.TrimFunc(core, isPunctuation), ".-")
			if strings.ContainsFunc(word, words.IsAlphanumeric) { // no bullet, no dash
				out = append(out, token{word, first})
				first = false
			}
			if strings.ContainsAny(field[len(core):], ".!?:") {
				first = true
			}
		}
	}
	return out
}

// isPunctuation reports whether a character never begins or ends an identifier or a path.
func isPunctuation(r rune) bool {
	return !words.IsAlphanumeric(r) && !strings.ContainsRune("_-/.$@#~", r)
}

// namedLike matches names and identifiers by what they hold: a capital behind another letter, a
// character that words of prose lack, or a digit beside a letter.
var namedLike = lazy.Pattern(`[\p{Ll}\p{Lu}]\p{Lu}|[_$@#~=\\]|.[.]|::|^-|\pL.*\p{Nd}|\p{Nd}.*\pL`)

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
	if r == '_' {
		return underscores
	}
	return words.IsAlphanumeric(r) && r < 0x2e80
}
