package tokenizer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// charsmap is the normaliser that SentencePiece compiles into its models: a
// double-array trie from strings to what stands for them. A text is looked up
// piece by piece: a character with the marks that combine with it if that has
// at most five bytes, else character by character. Of the keys that a piece
// begins with the shortest counts, and stands for the whole piece: so do those
// who trained with it.
type charsmap struct {
	trie []byte // 4 bytes a unit, little-endian
	text []byte // what keys stand for, each ended by a zero byte
}

// newCharsmap reads a compiled table: 4 bytes size of the trie, trie, texts.
func newCharsmap(data []byte) (normaliser, error) {
	if len(data) == 0 {
		return func(s string) string { return s }, nil
	}
	size, units := uint64(0), uint64(0)
	if len(data) > 4 {
		size = uint64(binary.LittleEndian.Uint32(data))
		units = size / 4
	}
	if units == 0 || size > uint64(len(data)-4) {
		return nil, errors.New("compiled normaliser is cut short")
	}
	c := &charsmap{trie: data[4 : 4+4*units], text: data[4+size:]}
	return c.normalise, nil
}

func (c *charsmap) normalise(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		n := pieceLength(s)
		piece := s[:n]
		s = s[n:]
		if len(piece) < 6 {
			if out, ok := c.find(piece); ok {
				b.Write(out)
				continue
			}
		}
		for len(piece) > 0 {
			_, w := utf8.DecodeRuneInString(piece)
			if out, ok := c.find(piece[:w]); ok {
				b.Write(out)
			} else {
				b.WriteString(piece[:w])
			}
			piece = piece[w:]
		}
	}
	return b.String()
}

// pieceLength is the length of the character at the start of s with the marks
// that follow it. It stands for a grapheme cluster: those that differ (flags,
// families, syllables of Hangul jamo) are not in any such table as a whole.
func pieceLength(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	r, n := utf8.DecodeRuneInString(s)
	if unicode.IsControl(r) {
		return n
	}
	marks := strings.TrimLeftFunc(s[n:], isMark)
	return len(s) - len(marks)
}

// isMark reports whether r goes with the character before it.
func isMark(r rune) bool { return r >= 0x300 && unicode.In(r, unicode.M, unicode.Join_Control) }

// find looks up the shortest key that s begins with, and returns its replacement; false
// when s begins with no key.
func (c *charsmap) find(s string) ([]byte, bool) {
	at, ok := c.unit(0)
	if !ok {
		return nil, false
	}
	node := at.offset()
	for i := range len(s) {
		if s[i] == 0 {
			return nil, false
		}
		node ^= uint32(s[i])
		u, ok := c.unit(node)
		if !ok || u.label() != uint32(s[i]) {
			return nil, false
		}
		node ^= u.offset()
		if u.hasValue() {
			leaf, ok := c.unit(node)
			if !ok || uint64(leaf.value()) > uint64(len(c.text)) {
				return nil, false
			}
			out, _, _ := bytes.Cut(c.text[leaf.value():], []byte{0})
			return out, true
		}
	}
	return nil, false
}

func (c *charsmap) unit(i uint32) (trieUnit, bool) {
	if uint64(i) >= uint64(len(c.trie)/4) {
		return 0, false
	}
	return trieUnit(binary.LittleEndian.Uint32(c.trie[4*i:])), true
}

// trieUnit is a unit of a Darts-clone double array.
type trieUnit uint32

func (u trieUnit) hasValue() bool { return u>>8&1 == 1 }
func (u trieUnit) value() uint32  { return uint32(u) & (1<<31 - 1) }
func (u trieUnit) label() uint32  { return uint32(u) & (1<<31 | 0xff) }
func (u trieUnit) offset() uint32 { return uint32(u) >> 10 << (uint32(u) & (1 << 9) >> 6) }
