package projection

import "github.com/git-cortex/cortex/memory"

// size is an amount of text, or of room for text, in both units.
type size struct {
	tokens int
	chars  int // UTF-16 code units, which harnesses written in JavaScript count
}

// sizeOf returns the size of whole lines. It adds a token to each, so that in
// spite of rounding the sum over lines is never less than the whole.
func sizeOf(lines ...string) size {
	var s size
	for _, l := range lines {
		s.tokens += memory.Tokens(l) + 2
		s.chars += units(l) + 1
	}
	return s
}

func (s size) plus(o size) size  { return size{s.tokens + o.tokens, s.chars + o.chars} }
func (s size) minus(o size) size { return size{s.tokens - o.tokens, s.chars - o.chars} }
func (s size) times(f float64) size {
	return size{int(float64(s.tokens) * f), int(float64(s.chars) * f)}
}
func (s size) negative() bool      { return s.tokens < 0 || s.chars < 0 }
func (s size) smaller(o size) bool { return s.tokens < o.tokens || s.chars < o.chars }
func (s size) within(o size) size {
	return size{min(s.tokens, o.tokens), min(s.chars, o.chars)}
}

// units counts UTF-16 code units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
