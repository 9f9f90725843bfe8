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
		n += escapeBytes(r, s[i])
	}
	return n
}

// escapeBytes is by how many bytes the escape of a character is longer than it.
func escapeBytes(r rune, first byte) int {
	switch r {
	case '"', '\\', '\n', '\t', '\r', '\b', '\f':
		return 1
	case '\u2028', '\u2029':
		return 3 // six bytes for three
	case utf8.RuneError:
		if first == 0xef {
			return 0
		}
		return 5 // a byte that is no UTF-8 becomes \ufffd
	}
	if r < ' ' {
		return 5 // \u0001
	}
	return 0
}
