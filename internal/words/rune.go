package words

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// IsAlphanumeric reports whether a character is a letter or a digit of any script.
func IsAlphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isLower(c byte) bool { return c-'a' < 26 }

func isUpper(c byte) bool { return c-'A' < 26 }

func isASCIILetter(c byte) bool { return isLower(c | 0x20) }

func isASCIIDigit(c byte) bool { return c-'0' < 10 }

func isASCIIWord(c byte) bool { return isASCIILetter(c) || isASCIIDigit(c) }

// begins reports whether a text begins with a character of some kind.
func begins(text string, is func(c byte) bool) bool {
	return text != "" && is(text[0])
}

// isConnector reports whether c joins words into one compound.
func isConnector(c byte) bool {
	switch c {
	case '.', '_', '-', '/', ':', '@', '\'', '+', '&', '\\':
		return true
	}
	return false
}

// isLead reports whether a compound opens at i with a mark that belongs to it:
// -f, --flag, .gitignore, #42, @name.
func isLead(text string, i int) bool {
	var name bool
	switch rest := text[i+1:]; text[i] {
	case '-':
		rest = strings.TrimPrefix(rest, "-")
		name = begins(rest, isASCIILetter)
	case '.', '#', '@':
		name = begins(rest, isASCIIWord)
	}
	return name && opensAt(text, i)
}

// opensAt reports whether what stands before i lets a compound open there.
func opensAt(text string, i int) bool {
	return i == 0 || strings.IndexByte(" \t\n\r\"'`([{,;=|", text[i-1]) >= 0
}

// wordEnd is where the run of letters and digits that begins at i ends; i when
// none begins there.
func wordEnd(text string, i int) int {
	for i < len(text) {
		n := 1
		if !isASCIIWord(text[i]) {
			n = foreignLetter(text[i:])
		}
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// foreignLetter is the length of the letter, digit or mark outside ASCII that a text
// begins with. It is 0 for anything else, and for scripts that are read in pairs.
func foreignLetter(text string) int {
	if text[0] < utf8.RuneSelf {
		return 0
	}
	r, n := utf8.DecodeRuneInString(text)
	if IsUnspaced(r) || !isWordRune(r) {
		return 0
	}
	return n
}

func isWordRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nd, unicode.M)
}

// plainEnd is where a word of lower-case letters ends that begins at i and is
// joined to nothing; i when it is not as plain as that. Most words are.
func plainEnd(text string, i int) int {
	end := i
	for end < len(text) && isLower(text[end]) {
		end++
	}
	if endsPlainly(text, end) {
		return end
	}
	return i
}

// endsPlainly reports whether a word ends at i without being joined to what follows.
func endsPlainly(text string, i int) bool {
	if i < len(text) && isStopMark(text[i]) {
		i++
	}
	return i == len(text) || isSeparator(text[i])
}

// isStopMark reports whether c may end a word, and join it to another one as well.
func isStopMark(c byte) bool {
	return strings.IndexByte(".:", c) >= 0
}

// isSeparator reports whether c joins nothing.
func isSeparator(c byte) bool {
	switch c {
	case ' ', '\n', ',', ';', ')', '(', '"', '`', '?', '!', '*':
		return true
	}
	return false
}

// isHump reports whether a new word begins at byte j > 0 of word: fooBar,
// HTTPServer, utf8, 42nd. Letters outside ASCII are not split.
func isHump(word string, j int) bool {
	prev, c := word[j-1], word[j]
	switch {
	case max(prev, c) >= utf8.RuneSelf:
		return false
	case isASCIIDigit(prev) != isASCIIDigit(c):
		return true
	case isLower(prev):
		return isUpper(c)
	}
	return endsAbbreviation(word, j)
}

// endsAbbreviation reports whether the abbreviation before byte j is followed by a word
// that begins there, as HTTP is by the S of HTTPServer. The plural of an abbreviation, as
// in IDs, is no such word.
func endsAbbreviation(word string, j int) bool {
	rest := word[j+1:]
	return isUpper(word[j-1]) && isUpper(word[j]) && begins(rest, isLower) && rest != "s"
}

// pairScripts are the scripts that are written without spaces between words: Thai, Lao,
// Burmese, Khmer, Japanese, Chinese and Korean.
var pairScripts = sync.OnceValue(func() *unicode.RangeTable {
	return &unicode.RangeTable{
		R16: []unicode.Range16{
			{Lo: 0x0e00, Hi: 0x0eff, Stride: 1},
			{Lo: 0x1000, Hi: 0x109f, Stride: 1},
			{Lo: 0x1780, Hi: 0x17ff, Stride: 1},
			{Lo: 0x3041, Hi: 0x30ff, Stride: 1},
			{Lo: 0x3400, Hi: 0x4dbf, Stride: 1},
			{Lo: 0x4e00, Hi: 0x9fff, Stride: 1},
			{Lo: 0xac00, Hi: 0xd7af, Stride: 1},
			{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
			{Lo: 0xff66, Hi: 0xff9f, Stride: 1},
		},
		R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x3ffff, Stride: 1}},
	}
})

// IsUnspaced reports whether r belongs to a script that is written without
// spaces between words.
func IsUnspaced(r rune) bool {
	return r >= 0xe00 && unicode.Is(pairScripts(), r) && unicode.In(r, unicode.L, unicode.M)
}

// emojis are the blocks of emoji.
var emojis = sync.OnceValue(func() *unicode.RangeTable {
	return &unicode.RangeTable{
		R16: []unicode.Range16{{Lo: 0x2600, Hi: 0x27bf, Stride: 1}, {Lo: 0x2b00, Hi: 0x2bff, Stride: 1}},
		R32: []unicode.Range32{{Lo: 0x1f000, Hi: 0x1faff, Stride: 1}},
	}
})

// emojiMarks lists what goes on an emoji: the joiner, the variation selector, skin tones.
var emojiMarks = sync.OnceValue(func() *unicode.RangeTable {
	return &unicode.RangeTable{
		R16: []unicode.Range16{
			{Lo: uint16(zeroWidthJoiner), Hi: uint16(zeroWidthJoiner), Stride: 1},
			{Lo: uint16(variationSelector), Hi: uint16(variationSelector), Stride: 1},
		},
		R32: []unicode.Range32{{Lo: 0x1f3fb, Hi: 0x1f3ff, Stride: 1}},
	}
})

// TrimLine cuts a line number off a path: "a.go:42" and "a.go:42:7" are "a.go".
func TrimLine(s string) string {
	for {
		i := strings.LastIndexByte(s, ':')
		if i <= 0 || i == len(s)-1 || strings.Trim(s[i+1:], "0123456789") != "" {
			return s
		}
		s = s[:i]
	}
}
