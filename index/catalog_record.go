package index

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"sync"

	"github.com/git-cortex/cortex/memory"
)

// The meta part of a body, as bytes:
//
//	links (string rel, string to)…, string title, lists of tags, files,
//	entities, anchors (string path, string blob)…, strings agent, session,
//	layer, branch, commit, ref, uvarint record
//
// where a string is a uvarint length and its bytes, and a list a uvarint number
// and its items. Of a problem: uvarint line, string path, string text.

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

func checksum(parts ...[]byte) uint32 {
	var sum uint32
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli(), p)
	}
	return sum
}

func encodeProblem(p Problem) []byte {
	b := binary.AppendUvarint(nil, uint64(p.Line))
	return putString(putString(b, p.Path), p.Text)
}

func encodeMeta(m *memory.Memory) []byte {
	b := binary.AppendUvarint(make([]byte, 0, 256), uint64(len(m.Links)))
	for _, l := range m.Links {
		b = putString(putString(b, string(l.Rel)), string(l.To))
	}
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

var errRecord = errors.New("record is cut short")

// cursor reads encoded bytes; strings are cut from them, not copied. After an
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

func (c *cursor) links() []memory.Link {
	n := c.count()
	if n == 0 {
		return nil
	}
	out := make([]memory.Link, n)
	for i := range out {
		out[i] = memory.Link{Rel: memory.Rel(c.string()), To: memory.ID(c.string())}
	}
	return out
}

// meta reads into m what is no fact of it.
func (c *cursor) meta(m *memory.Memory) {
	m.Links = c.links()
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
