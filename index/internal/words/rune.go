package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isASCIIDigit(c byte) bool { return c >= '0' && c <= '9' }

func isASCIIWord(c byte) bool { return isASCIILetter(c) || isASCIIDigit(c) }

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
	if i > 0 && !strings.ContainsRune(" \t\n\r\"'`([{,;=|", rune(text[i-1])) {
		return false
	}
	rest := text[i:]
	switch rest[0] {
	case '-':
		rest = strings.TrimPrefix(rest[1:], "-")
		return rest != "" && isASCIILetter(rest[0])
	case '.', '#', '@':
		return len(rest) > 1 && isASCIIWord(rest[1])
	}
	return false
}

// wordEnd is where the run of letters and digits that begins at i ends; i when
// none begins there.
func wordEnd(text string, i int) int {
	for i < len(text) {
		c := text[i]
		if c < utf8.RuneSelf {
			if !isASCIIWord(c) {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if isPairScript(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			return i
		}
		i += n
	}
	return i
}

// plainEnd is where a word of lower-case letters ends that begins at i and is
// joined to nothing; i when it is not as plain as that. Most words are.
func plainEnd(text string, i int) int {
	end := i
	for end < len(text) && isLower(text[end]) {
		end++
	}
	if end == i || end == len(text) {
		return end
	}
	next := end
	if c := text[end]; c == '.' || c == ':' {
		if next++; next == len(text) {
			return end
		}
	}
	switch text[next] {
	case ' ', '\n', ',', ';', ')', '(', '"', '`', '?', '!', '*':
		return end
	}
	return i
}

// isHump reports whether a new word begins at byte j > 0 of word: fooBar,
// HTTPServer, utf8, 42nd. Letters outside ASCII are not split.
func isHump(word string, j int) bool {
	prev, c := word[j-1], word[j]
	if prev >= utf8.RuneSelf || c >= utf8.RuneSelf {
		return false
	}
	if isASCIIDigit(prev) != isASCIIDigit(c) {
		return true
	}
	upper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	lower := func(c byte) bool { return c >= 'a' && c <= 'z' }
	if lower(prev) && upper(c) {
		return true
	}
	return upper(prev) && upper(c) && j+1 < len(word) && lower(word[j+1]) && word[j+1:] != "s"
}

// isPairScript reports whether r belongs to a script that is written without
// spaces between words.
func isPairScript(r rune) bool {
	if r < 0xe00 {
		return false
	}
	switch {
	case r <= 0xeff, // Thai, Lao
		r >= 0x1000 && r <= 0x109f, // Myanmar
		r >= 0x1780 && r <= 0x17ff, // Khmer
		r >= 0x3041 && r <= 0x30ff, // kana
		r >= 0x3400 && r <= 0x4dbf, r >= 0x4e00 && r <= 0x9fff, r >= 0xf900 && r <= 0xfaff,
		r >= 0x20000 && r <= 0x3ffff, // Han
		r >= 0xac00 && r <= 0xd7af,   // Hangul
		r >= 0xff66 && r <= 0xff9f:   // half-width kana
		return unicode.IsLetter(r) || unicode.IsMark(r)
	}
	return false
}

func isEmoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2600 && r <= 0x27bf || r >= 0x2b00 && r <= 0x2bff
}

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
