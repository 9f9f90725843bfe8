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
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(title) {
		switch {
		case strings.ContainsRune(lowerLetters+decimals, r):
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case r != '\'' && r != '’':
			gap = true
		}
	}
	return b.String()
}

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	decimals     = "0123456789"
)
