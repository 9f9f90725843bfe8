package origin

import (
	"strings"
	"unicode"
)

// prosaic reports whether a line reads as prose, whatever the language: mostly letters in
// words, few of the signs that code and tables are made of. Marks of comments and lists
// at its beginning do not count.
func prosaic(line string) bool {
	letters, signs := 0, 0
	for _, r := range line {
		switch {
		case unicode.IsLetter(r):
			letters++
		case isSign(r):
			signs++
		}
	}
	return 12*signs <= letters && severalWords(line)
}

// severalWords reports whether a line has two words at least: letters with something between them that
// no word has.
func severalWords(line string) bool {
	word := max(0, strings.IndexFunc(line, unicode.IsLetter))
	end := strings.IndexFunc(line[word:], parts)
	return end >= 0 && strings.ContainsFunc(line[word+end:], unicode.IsLetter)
}

// parts reports whether no word has a character within.
func parts(r rune) bool {
	switch r {
	case '\'', '\u2019', '-':
		return false
	}
	return !unicode.IsLetter(r)
}

// isSign holds for what code is made of and prose is not.
func isSign(r rune) bool {
	switch r {
	case '{', '}', '(', ')', '[', ']', ';', '=', '<', '>', '|', '\\', '$', '&', '@', '^', '~', '+', '_':
		return true
	}
	return false
}
