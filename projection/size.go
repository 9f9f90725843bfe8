package projection

import (
	"unicode/utf8"

	"github.com/git-cortex/cortex/memory"
)

// size is an amount of text, or of room for text, in both units.
type size struct {
	tokens int
	bytes  int // in a JSON string, which is how a hook prints it
}

// sizeOf returns the size of whole lines. It adds a token to each, so that in
// spite of rounding the sum over lines is never less than the whole.
func sizeOf(lines ...string) size {
	var s size
	for _, l := range lines {
		s.tokens += memory.Tokens(l) + 2
		s.bytes += jsonBytes(l) + 2
	}
	return s
}

func (s size) plus(o size) size  { return size{s.tokens + o.tokens, s.bytes + o.bytes} }
func (s size) minus(o size) size { return size{s.tokens - o.tokens, s.bytes - o.bytes} }
func (s size) times(f float64) size {
	return size{int(float64(s.tokens) * f), int(float64(s.bytes) * f)}
}
func (s size) negative() bool      { return s.tokens < 0 || s.bytes < 0 }
func (s size) smaller(o size) bool { return s.tokens < o.tokens || s.bytes < o.bytes }
func (s size) within(o size) size {
	return size{min(s.tokens, o.tokens), min(s.bytes, o.bytes)}
}

// jsonBytes counts the bytes of a text inside of a JSON string, as encoding/json
// writes it without escaping HTML.
func jsonBytes(s string) int {
	n := len(s)
	for i, r := range s {
		switch {
		case r == '"', r == '\\', r == '\n', r == '\t', r == '\r', r == '\b', r == '\f':
			n++
		case r < ' ':
			n += 5 // \u0001
		case r == '\u2028', r == '\u2029':
			n += 3 // six bytes for three
		case r == utf8.RuneError && s[i] != 0xef:
			n += 5 // a byte that is no UTF-8 becomes \ufffd
		}
	}
	return n
}
