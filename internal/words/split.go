package words

import (
	"iter"
	"strings"
	"unicode"
)

// Split returns the runs of letters and digits of a text, in order, as they are written.
// Characters of joiners belong to a run, too: with ".-" the text "go1.27-rc1" is one word.
// It splits no identifiers and knows no stems; terms of searches are made by an [Analyser].
func Split(text, joiners string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.Nd) && !strings.ContainsRune(joiners, r)
	})
}
