package postgres

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// The heads of a repository, and what it holds of one word, are a row each, packed by varints. A document is a
// memory of a repository: its number is never used again there.

// errPacked says that a row is not what this version writes.
var errPacked = errors.New("a row of the database is damaged: cortex-hub rebuild makes it again")

// head holds the fields of a memory that ranking needs.
type head struct {
	doc     uint32
	blob    string // as bytes
	lengths [index.Fields]uint32
	title   span // of its file
	text    span
	facts   index.Facts
}

// span is a range of bytes of a file, so that its title and text are cut out of it without parsing it.
type span struct {
	from uint32 // 1 + the first; 0 where the file says it otherwise
	size uint32
}

// spanOf is where a file holds a text.
func spanOf(data []byte, text string) span {
	return span{uint32(1 + bytes.LastIndex(data, []byte(text))), uint32(len(text))}
}

// in is the text of a span of a file.
func (s span) in(data []byte) (text string, ok bool) {
	from := uint64(s.from) - 1
	if s.from == 0 || from+uint64(s.size) > uint64(len(data)) {
		return "", false
	}
	return string(data[from : from+uint64(s.size)]), true
}

// Flags of a head.
const (
	isPinned = 1 << iota
	isContested
	isUpdated
)

// packHeads are heads in order of their documents as one value.
func packHeads(heads []head) []byte {
	b := binary.AppendUvarint(nil, uint64(len(heads)))
	for i := range heads {
		h := &heads[i]
		f := &h.facts
		b = binary.AppendUvarint(b, uint64(h.doc))
		b = appendString(appendString(appendString(b, h.blob), string(f.ID)), string(f.Type))
		for _, s := range []span{h.title, h.text} {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(s.from)), uint64(s.size))
		}
		for _, n := range h.lengths {
			b = binary.AppendUvarint(b, uint64(n))
		}
		b = binary.AppendUvarint(b, flagsOf(f))
		b = binary.AppendVarint(b, f.Created.Unix())
		b = binary.AppendVarint(b, f.Updated.Unix())
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f.Confidence))
		b = binary.AppendUvarint(b, uint64(f.Priority))
		b = binary.AppendUvarint(b, uint64(len(f.Links)))
		for _, l := range f.Links {
			b = appendString(appendString(b, string(l.Rel)), string(l.To))
		}
	}
	return deflate(b)
}

func flagsOf(f *index.Facts) uint64 {
	return flag(f.Pinned, isPinned) | flag(f.Contested, isContested) | flag(!f.Updated.IsZero(), isUpdated)
}

func flag(is bool, bit uint64) uint64 {
	if is {
		return bit
	}
	return 0
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// packed is a value being taken apart. What is beyond its end is zero, and said by bad.
type packed struct {
	data []byte
	at   int
	bad  bool
}

// left is how many bytes are left.
func (p *packed) left() int { return len(p.data) - p.at }

// number is mostly a byte.
func (p *packed) number() uint64 {
	if p.at < len(p.data) && p.data[p.at] < 0x80 {
		p.at++
		return uint64(p.data[p.at-1])
	}
	return p.long()
}

func (p *packed) long() uint64 {
	n, size := binary.Uvarint(p.data[p.at:])
	p.pass(size)
	return n
}

func (p *packed) signed() int64 {
	n, size := binary.Varint(p.data[p.at:])
	p.pass(size)
	return n
}

// pass goes on by so many bytes; none are the end.
func (p *packed) pass(size int) {
	if size <= 0 {
		p.bad, size = true, p.left()
	}
	p.at += size
}

func (p *packed) bytes(n uint64) []byte {
	if n > uint64(p.left()) {
		p.at, p.bad = len(p.data), true
		return nil
	}
	p.at += int(n)
	return p.data[p.at-int(n) : p.at]
}

func (p *packed) span() span { return span{uint32(p.number()), uint32(p.number())} }

func (p *packed) string() string { return string(p.bytes(p.number())) }

func (p *packed) float() float64 {
	b := p.bytes(8)
	if b == nil {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// unpackHeads are the heads that packHeads packed.
func unpackHeads(data []byte) ([]head, error) {
	raw, err := inflate(data)
	if err != nil || len(raw) == 0 {
		return nil, err
	}
	p := &packed{data: raw}
	count := p.number()
	heads := make([]head, 0, min(count, uint64(len(raw))))
	for range min(count, uint64(len(raw))) {
		h := head{doc: uint32(p.number()), blob: p.string()}
		h.facts.ID, h.facts.Type = memory.ID(p.string()), memory.Type(p.string())
		h.title, h.text = p.span(), p.span()
		for i := range h.lengths {
			h.lengths[i] = uint32(p.number())
		}
		p.facts(&h.facts)
		heads = append(heads, h)
	}
	if p.bad || p.left() > 0 {
		return nil, errPacked
	}
	return heads, nil
}

func (p *packed) facts(f *index.Facts) {
	flags := p.number()
	f.Pinned, f.Contested = flags&isPinned != 0, flags&isContested != 0
	f.Created = time.Unix(p.signed(), 0).UTC()
	updated := time.Unix(p.signed(), 0).UTC()
	if flags&isUpdated != 0 {
		f.Updated = updated
	}
	f.Confidence, f.Priority = p.float(), int(p.number())
	for range min(p.number(), uint64(p.left())) {
		f.Links = append(f.Links, memory.Link{Rel: memory.Rel(p.string()), To: memory.ID(p.string())})
	}
}

// deflate makes a value smaller.
func deflate(b []byte) []byte {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.BestSpeed) // the level is a valid one
	_, _ = w.Write(b)                              // a buffer takes everything
	_ = w.Close()
	return out.Bytes()
}

// maxInflated bounds a value: 20,000 memories with long paths and links.
const maxInflated = 256 << 20

func inflate(b []byte) ([]byte, error) {
	if len(b) == 0 {
		return nil, nil
	}
	out, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), maxInflated))
	if err != nil {
		return nil, errPacked
	}
	return out, nil
}
