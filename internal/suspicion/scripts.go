package suspicion

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/memory"
)

// lookalikes are letters that are drawn as Latin ones, each before the one that it is
// taken for.
const lookalikes = "аaеeоoрpсcуyхxіiјjѕsԁdһhӏlԛqԝwАAВBЕEЅSІIЈJКKМMНHОOРPСCТTХXУY" +
	"οoνvρpυuικχxΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX" + "ւuօoսuհhոn"

// latinFor has the Latin letter for each of them.
var latinFor = lazy.Value(func() map[rune]rune {
	letters, out := []rune(lookalikes), map[rune]rune{}
	for i := 0; i+1 < len(letters); i += 2 {
		out[letters[i]] = letters[i+1]
	}
	return out
})

// lookalike returns the Latin letter that a letter of another script is taken for.
func lookalike(r rune) (latin rune, ok bool) {
	if latin, ok = latinFor()[r]; ok {
		return latin, true
	}
	return r, false
}

// foreign reports whether a letter is of a script whose letters are taken for Latin ones.
// Those of others stand beside Latin letters in honest words, as in Japanese.
func foreign(r rune) bool {
	return unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian)
}

// strange reports whether a letter is one of those, or is a Latin one in another form.
func strange(r rune) bool {
	return r >= utf8.RuneSelf && (foreign(r) || form(r))
}

// form reports whether a letter is a Latin one in full width, or of mathematics.
func form(r rune) bool { return unicode.Is(forms(), r) }

var forms = lazy.Value(func() *unicode.RangeTable {
	return &unicode.RangeTable{
		R16: []unicode.Range16{{Lo: 0xff21, Hi: 0xff5a, Stride: 1}},
		R32: []unicode.Range32{{Lo: 0x1d400, Hi: 0x1d7ff, Stride: 1}},
	}
})

// letters matches a run of letters.
var letters = lazy.Pattern(`[\pL\p{Mn}]+`)

// wordScripts counts the letters of a word.
type wordScripts struct {
	latin  int
	alike  int // of another script, and taken for Latin ones
	others int // of such a script, but not taken for Latin ones
	turns  int // from one kind to the other
}

func scriptsOf(word string) wordScripts {
	var n wordScripts
	last := false
	for i, r := range word {
		other := foreign(r)
		if i > 0 && other != last {
			n.turns++
		}
		last = other
		_, alike := lookalike(r)
		switch {
		case other && alike:
			n.alike++
		case other:
			n.others++
		case unicode.Is(unicode.Latin, r):
			n.latin++
		}
	}
	return n
}

// mixed reports whether a word has Latin letters and others that are taken for such. A
// Latin name or abbreviation with an ending of another script is none, nor is a symbol
// before or behind a unit, as in Δt or kΩ.
func mixed(word string) bool {
	n := scriptsOf(word)
	switch {
	case n.latin < 2, n.alike == 0:
		return false
	case n.turns > 1:
		return true
	case n.others > 0, strings.ToUpper(word) == word:
		return false
	}
	return !acronym(word)
}

// acronym reports whether a word begins with two capital Latin letters, and goes on in
// another script.
func acronym(word string) bool {
	runes := []rune(word)
	if len(runes) < 3 || !unicode.Is(unicode.Latin, runes[0]) {
		return false
	}
	return unicode.IsUpper(runes[0]) && unicode.IsUpper(runes[1])
}

// unmixed is a text with the letters replaced that imitate Latin ones in mixed words.
func unmixed(text string) string {
	if !strings.ContainsFunc(text, strange) {
		return text
	}
	return letters().ReplaceAllStringFunc(text, func(word string) string {
		if !mixed(word) {
			return word
		}
		return strings.Map(func(r rune) rune { r, _ = lookalike(r); return r }, word)
	})
}

// imitated returns the first word of a text that imitates another one by letters of other
// scripts, these by their numbers; "" for none.
func imitated(text string) string {
	if memory.Printable(text) || !strings.ContainsFunc(text, strange) {
		return ""
	}
	list := letters().FindAllString(text, -1)
	if i := slices.IndexFunc(list, mixed); i >= 0 {
		return spelled(list[i])
	}
	for _, m := range webHost().FindAllStringSubmatch(text, -1) {
		if imitates(m[1]) {
			return spelled(strings.Trim(m[1], ".,;:)>`\"'"))
		}
	}
	return ""
}

// webHost finds the host of an address.
var webHost = lazy.Pattern(`\S://([^\s/]+)`)

// imitates reports whether a part of a host is of letters of another script alone that are
// all taken for Latin ones, or of forms that are Latin letters once they are resolved.
func imitates(host string) bool {
	return slices.ContainsFunc(strings.Split(host, "."), func(label string) bool {
		return strings.ContainsFunc(label, alike) && !strings.ContainsFunc(label, unlike)
	})
}

// alike reports whether a letter is taken for a Latin one.
func alike(r rune) bool {
	_, ok := lookalike(r)
	return ok || form(r)
}

// unlike reports whether a character is a letter that is not.
func unlike(r rune) bool { return unicode.IsLetter(r) && !alike(r) }

// spelled is a word with the letters that are not of ASCII as their numbers.
func spelled(text string) string {
	var b strings.Builder
	for i, r := range []rune(text) {
		switch {
		case i >= 40:
			return b.String() + "…"
		case r < 0x80:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
	}
	return b.String()
}
