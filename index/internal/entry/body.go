package entry

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/memory"
)

// The meta part of a body holds, one behind the other, the fields of a memory
// that are not in its head, in the order of [bodyFields]:
//
//	a text     its length and its bytes
//	a list     the number of its items, and those
//	a link     rel and to; an anchor: path and blob
//	a source   its fields in their order
//	a number   itself; a flag as 0 or 1
//	a time     its seconds since 1970, a fraction its bits, 8 bytes each
//
// Lengths and numbers are uvarints. Of a problem it is the line, a number, and
// two texts, path and message.

// inHead reports whether [Head] has a place for a field of this key.
func inHead(key string) bool {
	switch key {
	case "id", "type", "created", "updated", "confidence", "priority", "pinned", "contested":
		return true
	}
	return false
}

// bodyFields are the fields of a memory that its head has no place for. Links
// and title are first, for those who need no more.
var bodyFields = lazy.Value(func() []memory.Field {
	var links, title, rest []memory.Field
	for _, f := range memory.Fields() {
		switch {
		case f.Key == "links":
			links = append(links, f)
		case f.Key == "title":
			title = append(title, f)
		case !inHead(f.Key):
			rest = append(rest, f)
		}
	}
	return slices.Concat(links, title, rest)
})

// encodeProblem is the meta part of a problem.
func encodeProblem(line int, path, text string) []byte {
	b := binary.AppendUvarint(nil, uint64(line))
	return cachefile.AppendString(cachefile.AppendString(b, path), text)
}

// appendMeta appends the meta part of a memory to b.
func appendMeta(b []byte, m *memory.Memory) []byte {
	for _, f := range bodyFields() {
		b = appendValue(b, f.Of(m))
	}
	return b
}

// appendValue appends what a pointer to a field of a memory points to.
func appendValue(b []byte, field any) []byte {
	switch p := field.(type) {
	case *string:
		return cachefile.AppendString(b, *p)
	case *int:
		return binary.AppendUvarint(b, uint64(max(*p, 0)))
	case *bool:
		return append(b, flag(*p))
	case *float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(*p))
	case *time.Time:
		return binary.LittleEndian.AppendUint64(b, uint64(p.Unix()))
	case *[]string:
		return appendList(b, *p, cachefile.AppendString)
	case *[]memory.Link:
		return appendList(b, *p, func(b []byte, l memory.Link) []byte {
			return cachefile.AppendString(cachefile.AppendString(b, string(l.Rel)), string(l.To))
		})
	case *[]memory.Anchor:
		return appendList(b, *p, func(b []byte, a memory.Anchor) []byte {
			return cachefile.AppendString(cachefile.AppendString(b, a.Path), a.Blob)
		})
	case *memory.Source:
		var fields [memory.SourceFields]any
		for _, field := range p.AppendFields(fields[:0]) {
			b = appendValue(b, field)
		}
		return b
	}
	panic(fmt.Sprintf("index: no place in the catalog for a %T", field))
}

func flag(set bool) byte {
	if set {
		return 1
	}
	return 0
}

// appendList appends the number of items, and the items.
func appendList[T any](b []byte, list []T, add func(b []byte, item T) []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, item := range list {
		b = add(b, item)
	}
	return b
}

// ReadProblem reads what a [Maker] wrote.
func ReadProblem(c *cachefile.Reader) (line int, path, text string) {
	return c.Uvarint(), c.Text(), c.Text()
}

// ReadLinks reads the links, with which a meta part begins; the title is next.
func ReadLinks(c *cachefile.Reader) []memory.Link {
	n := c.Count()
	if n == 0 {
		return nil
	}
	out := make([]memory.Link, n)
	for i := range out {
		out[i] = memory.Link{Rel: memory.Rel(c.Text()), To: memory.ID(c.Text())}
	}
	return out
}

// ReadMeta reads into m what its head does not hold.
func ReadMeta(c *cachefile.Reader, m *memory.Memory) {
	for _, f := range bodyFields() {
		readValue(c, f.Of(m))
	}
}

// readValue reads what [appendValue] wrote.
func readValue(c *cachefile.Reader, field any) {
	switch p := field.(type) {
	case *string:
		*p = c.Text()
	case *time.Time:
		*p = time.Unix(int64(c.Fixed(8)), 0).UTC()
	case *[]string:
		*p = c.Strings()
	case *[]memory.Link:
		*p = ReadLinks(c)
	case *[]memory.Anchor:
		*p = readAnchors(c)
	case *memory.Source:
		var fields [memory.SourceFields]any
		for _, field := range p.AppendFields(fields[:0]) {
			readValue(c, field)
		}
	default:
		readNumber(c, field)
	}
}

func readNumber(c *cachefile.Reader, field any) {
	switch p := field.(type) {
	case *int:
		*p = c.Uvarint()
	case *bool:
		*p = c.Byte() != 0
	case *float64:
		*p = math.Float64frombits(c.Fixed(8))
	default:
		c.Fail() // what cannot be written is not there
	}
}

func readAnchors(c *cachefile.Reader) []memory.Anchor {
	n := c.Count()
	if n == 0 {
		return nil
	}
	out := make([]memory.Anchor, n)
	for i := range out {
		out[i] = memory.Anchor{Path: c.Text(), Blob: c.Text()}
	}
	return out
}
