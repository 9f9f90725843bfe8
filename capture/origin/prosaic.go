package origin

import "unicode"

// prosaic reports whether a line reads as prose, whatever the language: mostly letters in
// words, few of the signs that code and tables are made of. Marks of comments and lists
// at its beginning do not count.
func prosaic(line string) bool {
	letters, signs, words := 0, 0, 0
	inWord := false
	for _, r := range line {
		switch {
		case unicode.IsLetter(r):
			letters++
			if !inWord {
				words++
			}
			inWord = true
			continue
		case r == '\'' || r == '\u2019' || r == '-':
			continue
		case isSign(r):
			signs++
		}
		inWord = false
	}
	return words >= 2 && 12*signs <= letters
}

// isSign holds for what code is made of and prose is not.
func isSign(r rune) bool {
	switch r {
	case '{', '}', '(', ')', '[', ']', ';', '=', '<', '>', '|', '\\', '$', '&', '@', '^', '~', '+', '_':
		return true
	}
	return false
}
