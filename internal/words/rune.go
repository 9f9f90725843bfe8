package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isASCIILetter(c byte) bool { return isLower(c | 0x20) }

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
	rest := text[i:]
	switch rest[0] {
	case '-':
		rest = strings.TrimPrefix(rest[1:], "-")
		return rest != "" && isASCIILetter(rest[0]) && opensAt(text, i)
	case '.', '#', '@':
		return len(rest) > 1 && isASCIIWord(rest[1]) && opensAt(text, i)
	}
	return false
}

// opensAt reports whether what stands before i lets a compound open there.
func opensAt(text string, i int) bool {
	return i == 0 || strings.IndexByte(" \t\n\r\"'`([{,;=|", text[i-1]) >= 0
}

// wordEnd is where the run of letters and digits that begins at i ends; i when
// none begins there.
func wordEnd(text string, i int) int {
	for i < len(text) {
		if isASCIIWord(text[i]) {
			i++
			continue
		}
		n := foreignLetter(text[i:])
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
	if isPairScript(r) || !isWordRune(r) {
		return 0
	}
	return n
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// plainEnd is where a word of lower-case letters ends that begins at i and is
// joined to nothing; i when it is not as plain as that. Most words are.
func plainEnd(text string, i int) int {
	end := i
	for end < len(text) && isLower(text[end]) {
		end++
	}
	if end > i && !endsPlainly(text, end) {
		return i
	}
	return end
}

// endsPlainly reports whether a word ends at i without being joined to what follows.
func endsPlainly(text string, i int) bool {
	if i < len(text) && (text[i] == '.' || text[i] == ':') {
		i++
	}
	if i == len(text) {
		return true
	}
	switch text[i] {
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
	case !isUpper(c):
		return false
	}
	return isLower(prev) || isUpper(prev) && goesOnLower(word[j+1:])
}

// goesOnLower reports whether a capital before rest begins a word of its own, as the S
// of HTTPServer does. The plural of an abbreviation, as in IDs, is no such word.
func goesOnLower(rest string) bool { return rest != "" && isLower(rest[0]) && rest != "s" }

// isPairScript reports whether r belongs to a script that is written without
// spaces between words.
func isPairScript(r rune) bool {
	switch {
	case r < 0xe00:
		return false
	case isSouthEastAsian(r), isKana(r), isHan(r), isHangul(r):
		return unicode.IsLetter(r) || unicode.IsMark(r)
	}
	return false
}

func within(r, first, last rune) bool { return first <= r && r <= last }

// isSouthEastAsian reports whether r is Thai, Lao, Burmese or Khmer.
func isSouthEastAsian(r rune) bool {
	return within(r, 0xe00, 0xeff) ||
		within(r, 0x1000, 0x109f) ||
		within(r, 0x1780, 0x17ff)
}

func isKana(r rune) bool { return within(r, 0x3041, 0x30ff) || within(r, 0xff66, 0xff9f) }

func isHan(r rune) bool {
	return within(r, 0x3400, 0x4dbf) ||
		within(r, 0x4e00, 0x9fff) ||
		within(r, 0xf900, 0xfaff) ||
		within(r, 0x20000, 0x3ffff)
}

func isHangul(r rune) bool { return within(r, 0xac00, 0xd7af) }

func isEmoji(r rune) bool {
	return within(r, 0x1f000, 0x1faff) ||
		within(r, 0x2600, 0x27bf) ||
		within(r, 0x2b00, 0x2bff)
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
