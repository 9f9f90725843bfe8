package folder

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Folded is the same for all spellings of a path that some file system takes for one file:
// letters of either case, accents composed or not.
func Folded(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool { return r > unicode.MaxASCII }) {
		return strings.ToUpper(path)
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, norm.NFD.String(path)))
}
