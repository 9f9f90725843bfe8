package memory

import "strings"

const slugLength = 48

// Slug turns a title into the readable part of a file name: lower-case ASCII
// letters, digits and single hyphens, at most 48 bytes, cut at a word where
// possible; "memory" when nothing of the title is ASCII.
func Slug(title string) string {
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
	s := b.String()
	if len(s) > slugLength {
		cut := strings.LastIndexByte(s[:slugLength+1], '-')
		if cut < slugLength/2 {
			cut = slugLength
		}
		s = strings.TrimRight(s[:cut], "-")
	}
	if s == "" {
		return "memory"
	}
	return s
}
