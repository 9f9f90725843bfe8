package index

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"sync"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// One entry of the catalog, as bytes. All of it but the text: what ranking
// needs of every memory comes first, so that reading it stops early.
//
//	kind      byte: 0 memory, 1 problem
//	blob      string (uvarint length, bytes)
//	problem:  uvarint line, string path, string text
//	memory:   flags byte (1 pinned, 2 contested), priority byte, string id, string type,
//	          8 bytes confidence, varint created, varint updated (Unix seconds; 1 more byte says whether there is one),
//	          uvarint links (string rel, string to)…
//	          8 bytes offset, 4 bytes length of text, 4 bytes length of unknown keys, 4 bytes CRC of both
//	          string title, lists of tags, files, entities, anchors (string path, string blob)…,
//	          strings agent, session, layer, branch, commit, ref, uvarint record
const (
	kindMemory  = 0
	kindProblem = 1

	flagPinned    = 1
	flagContested = 2
	flagUpdated   = 4
)

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

func checksum(parts ...[]byte) uint32 {
	var sum uint32
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli(), p)
	}
	return sum
}

// textRef says where the text of a memory lies in the text file.
type textRef struct {
	offset        int64
	text, unknown int
	sum           uint32
}

func encodeProblem(blob string, p Problem) []byte {
	b := append([]byte(nil), kindProblem)
	b = putString(b, blob)
	b = binary.AppendUvarint(b, uint64(p.Line))
	b = putString(b, p.Path)
	return putString(b, p.Text)
}

func encodeMemory(blob string, m *memory.Memory, ref textRef) []byte {
	b := make([]byte, 0, 512)
	b = putString(append(b, kindMemory), blob)
	var flags byte
	if m.Pinned {
		flags |= flagPinned
	}
	if m.Contested {
		flags |= flagContested
	}
	if !m.Updated.IsZero() {
		flags |= flagUpdated
	}
	b = append(b, flags, byte(m.Priority))
	b = putString(b, string(m.ID))
	b = putString(b, string(m.Type))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.Confidence))
	b = binary.AppendVarint(b, m.Created.Unix())
	b = binary.AppendVarint(b, m.Updated.Unix())
	b = binary.AppendUvarint(b, uint64(len(m.Links)))
	for _, l := range m.Links {
		b = putString(putString(b, string(l.Rel)), string(l.To))
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(ref.offset))
	b = binary.LittleEndian.AppendUint32(b, uint32(ref.text))
	b = binary.LittleEndian.AppendUint32(b, uint32(ref.unknown))
	b = binary.LittleEndian.AppendUint32(b, ref.sum)
	b = putString(b, m.Title)
	for _, list := range [][]string{m.Tags, m.Files, m.Entities} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, s := range list {
			b = putString(b, s)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(m.Anchors)))
	for _, a := range m.Anchors {
		b = putString(putString(b, a.Path), a.Blob)
	}
	for _, s := range []string{m.Source.Agent, m.Source.Session, m.Source.Layer, m.Source.Branch, m.Source.Commit, m.Source.Ref} {
		b = putString(b, s)
	}
	return binary.AppendUvarint(b, uint64(m.Source.Record))
}

func putString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

var errRecord = errors.New("catalog record is cut short")

// cursor reads an encoded entry; strings are cut from it, not copied. After an
// error everything read is zero.
type cursor struct {
	s   string
	err error
}

func (c *cursor) take(n int) string {
	if n < 0 || n > len(c.s) {
		c.err, c.s = errRecord, ""
		return ""
	}
	out := c.s[:n]
	c.s = c.s[n:]
	return out
}

func (c *cursor) byte() byte {
	if s := c.take(1); s != "" {
		return s[0]
	}
	return 0
}

func (c *cursor) uvarint() int {
	var v uint64
	for shift := 0; shift < 63; shift += 7 {
		b := c.byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if v > math.MaxInt32 {
				break
			}
			return int(v)
		}
	}
	c.err, c.s = errRecord, ""
	return 0
}

func (c *cursor) varint() int64 {
	var v uint64
	for shift := 0; shift < 70; shift += 7 {
		b := c.byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return int64(v>>1) ^ -int64(v&1)
		}
	}
	c.err, c.s = errRecord, ""
	return 0
}

func (c *cursor) string() string { return c.take(c.uvarint()) }

func (c *cursor) fixed(n int) uint64 {
	s := c.take(n)
	var v uint64
	for i := len(s) - 1; i >= 0; i-- {
		v = v<<8 | uint64(s[i])
	}
	return v
}

// count reads the length of a list whose items take at least one byte each.
func (c *cursor) count() int {
	n := c.uvarint()
	if n > len(c.s) {
		c.err, c.s = errRecord, ""
		return 0
	}
	return n
}

func (c *cursor) strings() []string {
	n := c.count()
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = c.string()
	}
	return out
}

func (c *cursor) problem() Problem {
	line := c.uvarint()
	return Problem{Line: line, Path: c.string(), Text: c.string()}
}

func (c *cursor) facts() (f Facts) {
	flags := c.byte()
	f.Pinned, f.Contested = flags&flagPinned != 0, flags&flagContested != 0
	f.Priority = int(c.byte())
	f.ID = memory.ID(c.string())
	f.Type = memory.Type(c.string())
	f.Confidence = math.Float64frombits(c.fixed(8))
	f.Created = time.Unix(c.varint(), 0).UTC()
	if updated := c.varint(); flags&flagUpdated != 0 {
		f.Updated = time.Unix(updated, 0).UTC()
	}
	if n := c.count(); n > 0 {
		f.Links = make([]memory.Link, n)
		for i := range f.Links {
			f.Links[i] = memory.Link{Rel: memory.Rel(c.string()), To: memory.ID(c.string())}
		}
	}
	return f
}

func (c *cursor) ref() textRef {
	return textRef{offset: int64(c.fixed(8)), text: int(c.fixed(4)), unknown: int(c.fixed(4)), sum: uint32(c.fixed(4))}
}

// rest reads what follows the text reference into m.
func (c *cursor) rest(m *memory.Memory) {
	m.Title = c.string()
	m.Tags, m.Files, m.Entities = c.strings(), c.strings(), c.strings()
	if n := c.count(); n > 0 {
		m.Anchors = make([]memory.Anchor, n)
		for i := range m.Anchors {
			m.Anchors[i] = memory.Anchor{Path: c.string(), Blob: c.string()}
		}
	}
	s := &m.Source
	for _, p := range []*string{&s.Agent, &s.Session, &s.Layer, &s.Branch, &s.Commit, &s.Ref} {
		*p = c.string()
	}
	s.Record = c.uvarint()
}
