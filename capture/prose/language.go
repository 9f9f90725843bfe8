package prose

import (
	_ "embed" // words of languages and tables
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/internal/lazy"
)

//go:embed words.tsv
var wordFile string

// lexicon has the function words that a text of a language cannot do without and that other
// languages do not have, and the headers of tables.
var lexicon = lazy.Value(func() *Lexicon { return ReadLexicon(wordFile) })

// languageLimit is how much of a text is looked at to tell its language, in bytes.
const languageLimit = 8 << 10

// English reports whether a text may be English, as far as that can be told: one
// of few words, or of names and code, may. A text in another script is not.
func English(s string) bool {
	s = s[:min(len(s), languageLimit)]
	if otherScript(s) {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	yes, no := lexicon().count("english", words), lexicon().count("not english", words)
	return no < 3 || yes >= no
}

// otherScript reports whether more than a few letters, and one in five, are of a script
// that English is not written in.
func otherScript(s string) bool {
	const latin = 0x250
	letters, other := 0, 0
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r):
		case r < latin:
			letters++
		default:
			other++
		}
	}
	return other > 4 && other*4 > letters
}
