package suspicion

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/memory"
)

// lookalikes are letters that are drawn as Latin ones, each before the one that it is
// taken for.
const lookalikes = "аaеeоoрpсcуyхxіiјjѕsԁdһhӏlԛqԝwАAВBЕEЅSІIЈJКKМMНHОOРPСCТTХXУY" +
	"οoνvρpυuικχxΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX" + "ւuօoսuհhոn"

// latinFor has the Latin letter for each of them.
var latinFor = sync.OnceValue(func() map[rune]rune {
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
func form(r rune) bool { return r >= 0xff21 && r <= 0xff5a || r >= 0x1d400 && r <= 0x1d7ff }

// lettersOf calls visit with each run of letters of a text.
func lettersOf(text string, visit func(start, end int)) {
	start := -1
	for i, r := range text {
		switch letter := unicode.IsLetter(r) || unicode.Is(unicode.Mn, r); {
		case letter && start < 0:
			start = i
		case !letter && start >= 0:
			visit(start, i)
			start = -1
		}
	}
	if start >= 0 {
		visit(start, len(text))
	}
}

// mixed reports whether a word has Latin letters and others that are taken for such. A
// Latin name or abbreviation with an ending of another script is none, nor is a symbol
// before or behind a unit, as in Δt or kΩ.
func mixed(letters string) bool {
	var latin, alike, others, turns int
	last := false
	for i, r := range letters {
		other := foreign(r)
		if i > 0 && other != last {
			turns++
		}
		last = other
		switch {
		case !other && unicode.Is(unicode.Latin, r):
			latin++
		case other:
			if _, ok := lookalike(r); ok {
				alike++
			} else {
				others++
			}
		}
	}
	if latin < 2 || alike == 0 {
		return false
	}
	return turns > 1 || others == 0 && strings.ToUpper(letters) != letters && !acronym(letters)
}

// acronym reports whether a word begins with two capital Latin letters, and goes on in
// another script.
func acronym(letters string) bool {
	runes := []rune(letters)
	return len(runes) > 2 && unicode.Is(unicode.Latin, runes[0]) && unicode.IsUpper(runes[0]) && unicode.IsUpper(runes[1])
}

// unmixed is a text with the letters replaced that imitate Latin ones in mixed words.
func unmixed(text string) string {
	var b strings.Builder
	done := 0
	lettersOf(text, func(start, end int) {
		if !mixed(text[start:end]) {
			return
		}
		b.WriteString(text[done:start])
		for _, r := range text[start:end] {
			r, _ = lookalike(r)
			b.WriteRune(r)
		}
		done = end
	})
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// imitated returns the first word of a text that imitates another one by letters of other
// scripts, these by their numbers; "" for none.
func imitated(text string) string {
	if memory.Printable(text) || !strings.ContainsFunc(text, strange) {
		return ""
	}
	var found string
	lettersOf(text, func(start, end int) {
		if found == "" && mixed(text[start:end]) {
			found = spelled(text[start:end])
		}
	})
	if found != "" {
		return found
	}
	for chunk := range strings.FieldsSeq(text) {
		_, rest, ok := strings.Cut(chunk, "://")
		if !ok {
			continue
		}
		host, _, _ := strings.Cut(rest, "/")
		if imitates(host) {
			return spelled(strings.Trim(host, ".,;:)>`\"'"))
		}
	}
	return ""
}

// imitates reports whether a part of a host is of letters of another script alone that are
// all taken for Latin ones, or of forms that are Latin letters once they are resolved.
func imitates(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		alike, letters := 0, 0
		for _, r := range label {
			if unicode.IsLetter(r) {
				letters++
			}
			if _, ok := lookalike(r); ok || form(r) {
				alike++
			}
		}
		if alike > 0 && alike == letters {
			return true
		}
	}
	return false
}

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
