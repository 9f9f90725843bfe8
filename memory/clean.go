package memory

import (
	"encoding/binary"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Clean makes s safe to show: control characters become visible symbols, and
// what a terminal or a model reads but a person does not see (bidirectional
// overrides, tag characters, zero-width and filler characters, invalid UTF-8)
// is removed or replaced. Line breaks and tabs stay. Clean is idempotent.
func Clean(s string) string {
	if isPlainASCII(s) {
		return s
	}
	return cleaned(s)
}

// Visible is [Clean] of text in which controls are escaped already, such as
// JSON. It returns b itself if there is nothing to remove, and costs little
// then.
func Visible(b []byte) []byte {
	for i := 0; i < len(b); {
		if i+8 <= len(b) && binary.LittleEndian.Uint64(b[i:])&tops == 0 {
			i += 8
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if isUnclean(r) {
			return []byte(cleaned(string(b)))
		}
		i += n
	}
	return b
}

// isUnclean reports whether [Clean] may take away or replace a character that is not ASCII.
func isUnclean(r rune) bool {
	switch r {
	case lineSeparator, paragraphSeparator, utf8.RuneError:
		return true
	}
	if r < utf8.RuneSelf {
		return false
	}
	return r < 0xa0 || invisible(r) || joiner(r)
}

const (
	lineSeparator      = '\u2028'
	paragraphSeparator = '\u2029'
)

func cleaned(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	last := ' ' // the character before, as written
	for i, r := range s {
		if r == '\r' && strings.HasPrefix(s[i+1:], "\n") {
			continue
		}
		if r = cleanRune(last, r); r >= 0 {
			b.WriteRune(r)
			last = r
		}
	}
	return b.String()
}

// cleanRune is the character that stands for r behind last; -1 for none.
func cleanRune(last, r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return cleanASCII(r)
	case r < 0xa0:
		return utf8.RuneError
	case r == lineSeparator, r == paragraphSeparator:
		return ' '
	case invisible(r), isIdle(last, r):
		return -1
	}
	return r
}

// cleanASCII shows a control character as its symbol.
func cleanASCII(r rune) rune {
	switch {
	case r == '\n', r == '\t':
		return r
	case r < ' ':
		return '␀' + r
	case r == 0x7f:
		return '␡'
	}
	return r
}

func isPlainASCII(s string) bool {
	for line := range strings.Lines(s) {
		if !Printable(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", " ")) {
			return false
		}
	}
	return true
}

// tops are the top bits of eight bytes, and lows their lowest.
const (
	tops = 0x8080808080808080
	lows = 0x0101010101010101
)

// Printable reports whether s is nothing but the characters of ASCII from space
// to tilde. It looks at eight bytes at a time.
func Printable(s string) bool {
	for ; len(s) >= 8; s = s[8:] {
		x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		// The top bit of a byte is set in x from 0x80 on, in the sum at 0x7f, and in
		// the difference below space; what that borrows from the next byte is of no
		// account by then.
		if (x|(x-' '*lows)|(x+lows))&tops != 0 {
			return false
		}
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// invisible reports whether r changes how text is read without being visible.
func invisible(r rune) bool {
	return r >= 0xad && (r&0xfffe == 0xfffe || unicode.Is(invisibles(), r))
}

// invisibles are the characters that change how text is read without being visible, but for
// those that no plane has.
var invisibles = sync.OnceValue(func() *unicode.RangeTable {
	return &unicode.RangeTable{
		R16: []unicode.Range16{
			{Lo: 0xad, Hi: 0xad, Stride: 1},
			{Lo: 0x34f, Hi: 0x34f, Stride: 1},
			{Lo: 0x61c, Hi: 0x61c, Stride: 1},
			{Lo: 0x115f, Hi: 0x1160, Stride: 1},
			{Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
			{Lo: 0x180b, Hi: 0x180f, Stride: 1},
			{Lo: 0x200b, Hi: 0x200c, Stride: 1},
			{Lo: 0x200e, Hi: 0x200f, Stride: 1},
			{Lo: 0x202a, Hi: 0x202e, Stride: 1},
			{Lo: 0x2060, Hi: 0x206f, Stride: 1},
			{Lo: 0x2800, Hi: 0x2800, Stride: 1},
			{Lo: 0x3164, Hi: 0x3164, Stride: 1},
			{Lo: 0xfe00, Hi: 0xfe0e, Stride: 1},
			{Lo: 0xfeff, Hi: 0xfeff, Stride: 1},
			{Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
			{Lo: 0xfff0, Hi: 0xfffb, Stride: 1},
		},
		R32: []unicode.Range32{
			{Lo: 0x1bca0, Hi: 0x1bca3, Stride: 1},
			{Lo: 0x1d173, Hi: 0x1d17a, Stride: 1},
			{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1},
		},
	}
})

// joiner reports whether r is one of the two invisible characters that emoji
// and some scripts need.
func joiner(r rune) bool { return r == 0x200d || r == 0xfe0f }

// isIdle reports whether r is a joiner that has no effect after last.
func isIdle(last, r rune) bool { return joiner(r) && !joins(last, r) }

// joins reports whether a joiner has an effect after last. A joiner without a
// character to join is dropped, and so is a second one in a row, in which a
// message could be hidden.
func joins(last, r rune) bool {
	switch {
	case last == 0xfe0f:
		return r == 0x200d
	case last < utf8.RuneSelf: // of a key, such as the emoji of a digit
		return r == 0xfe0f && strings.ContainsRune("#*0123456789", last)
	}
	return last != 0x200d && !unicode.IsSpace(last)
}
