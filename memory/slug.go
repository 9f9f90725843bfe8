package memory

import "strings"

// SlugLength is how many bytes a slug has at most.
const SlugLength = 48

// Slug turns a title into the readable part of a file name: lower-case ASCII
// letters, digits and single hyphens, at most 48 bytes, cut at a word where
// possible; "memory" when nothing of the title is ASCII.
func Slug(title string) string {
	s := WholeSlug(title)
	if len(s) > SlugLength {
		cut := strings.LastIndexByte(s[:SlugLength+1], '-')
		if cut < SlugLength/2 {
			cut = SlugLength
		}
		s = strings.TrimRight(s[:cut], "-")
	}
	if s == "" {
		return "memory"
	}
	return s
}

// WholeSlug is [Slug] before it is cut; "" when nothing of the title is ASCII.
func WholeSlug(title string) string {
	title = strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(title), "'", ""), "’", "")
	words := strings.FieldsFunc(title, func(r rune) bool { return !strings.ContainsRune(lowerLetters+decimals, r) })
	return strings.Join(words, "-")
}

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	decimals     = "0123456789"
)
