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
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = gap || r != '\'' && r != '’'
	}
	return b.String()
}
