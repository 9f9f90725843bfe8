package redact

import "strings"

// span is the end of the run of bytes of a set that begins at a place.
func span(s string, at int, set string) int { return len(s) - len(strings.TrimLeft(s[at:], set)) }

// reach is the next place from one on, and below a limit, at which a byte of a set stands; the
// limit where there is none.
func reach(s string, at, limit int, set string) int {
	limit = min(limit, len(s))
	return at + len(upTo(s[at:limit], set))
}

// back is where the run of bytes of a set begins that ends at a place, at most some bytes before.
func back(s string, at, most int, set string) int {
	near := max(0, at-most)
	return near + len(strings.TrimRight(s[near:at], set))
}

// blanks is the end of the blanks at a place.
func blanks(s string, at int) int { return span(s, min(at, len(s)), " \t") }
