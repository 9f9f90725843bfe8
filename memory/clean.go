package memory

import (
	"encoding/binary"
	"strings"
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
		if b[i] < 0x80 {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if invisible(r) || joiner(r) || r == 0x2028 || r == 0x2029 || r < 0xa0 || r == utf8.RuneError {
			return []byte(cleaned(string(b)))
		}
		i += n
	}
	return b
}

func cleaned(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	last := ' ' // the character before, as written
	for i, r := range s {
		switch {
		case r >= ' ' && r < 0x7f, r == '\n', r == '\t':
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
			continue
		case r < 0x20:
			r = '␀' + r
		case r == 0x7f:
			r = '␡'
		case r == 0x2028, r == 0x2029:
			r = ' '
		case r >= 0x80 && r < 0xa0:
			r = utf8.RuneError
		case invisible(r), joiner(r) && !joins(last, r):
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

func isPlainASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		for i+8 <= len(s) && Printable(s[i:i+8]) {
			i += 8
		}
		if i == len(s) {
			break
		}
		if c := s[i]; c >= 0x7f || c < 0x20 && c != '\n' && c != '\t' {
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
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// invisible reports whether r changes how text is read without being visible.
func invisible(r rune) bool {
	if r < 0xad {
		return false
	}
	switch {
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5,
		r >= 0x180b && r <= 0x180f, r == 0x200b, r == 0x200c, r == 0x200e, r == 0x200f,
		r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0x2800, r == 0x3164,
		r >= 0xfe00 && r < 0xfe0f, r == 0xfeff, r == 0xffa0, r >= 0xfff0 && r <= 0xfffb, r&0xfffe == 0xfffe,
		r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// joiner reports whether r is one of the two invisible characters that emoji
// and some scripts need.
func joiner(r rune) bool { return r == 0x200d || r == 0xfe0f }

// joins reports whether a joiner has an effect after last. A joiner without a
// character to join is dropped, and so is a second one in a row, in which a
// message could be hidden.
func joins(last, r rune) bool {
	switch {
	case last == 0xfe0f:
		return r == 0x200d
	case last < 0x80:
		return r == 0xfe0f && (last == '#' || last == '*' || last >= '0' && last <= '9')
	}
	return last != 0x200d && !unicode.IsSpace(last)
}
