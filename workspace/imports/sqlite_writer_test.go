package imports

import (
	"encoding/binary"
	"os"
	"testing"
)

const tablePage = 4096

// writeTable writes an SQLite database with one table, which sql makes, of n rows. Row returns the
// values of one, from 1 on: texts, of a few thousand bytes together.
func writeTable(tb testing.TB, name, table, sql string, n int, row func(i int) []string) {
	tb.Helper()
	f := &tableFile{pages: make([][]byte, 1)} // the first is written last
	for i := 1; i <= n; i++ {
		f.add(uint64(i), tableRecord(0, row(i)))
	}
	root := f.finish()
	first := &leafPage{at: 100}
	first.add(tableCell(1, tableRecord(root, []string{"table", table, table, sql})))
	f.pages[0] = first.bytes()
	head := f.pages[0]
	copy(head, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(head[16:], tablePage)
	copy(head[18:], []byte{1, 1, 0, 64, 32, 32})
	binary.BigEndian.PutUint32(head[24:], 1)
	binary.BigEndian.PutUint32(head[28:], uint32(len(f.pages)))
	binary.BigEndian.PutUint32(head[44:], 4) // the schema's format
	binary.BigEndian.PutUint32(head[56:], 1) // UTF-8
	binary.BigEndian.PutUint32(head[92:], 1)
	binary.BigEndian.PutUint32(head[96:], 3_040_001)
	var all []byte
	for _, p := range f.pages {
		all = append(all, p...)
	}
	if err := os.WriteFile(name, all, 0o666); err != nil {
		tb.Fatal(err)
	}
}

// tableFile is a table that grows at its end.
type tableFile struct {
	pages [][]byte
	leaf  leafPage
	last  uint64
	below []treePage
}

// treePage is a page of a tree, with the greatest id below it.
type treePage struct {
	page uint32
	last uint64
}

func (f *tableFile) add(id uint64, record []byte) {
	c := tableCell(id, record)
	if !f.leaf.fits(c) {
		f.put()
	}
	f.leaf.add(c)
	f.last = id
}

func (f *tableFile) put() {
	f.pages = append(f.pages, f.leaf.bytes())
	f.below = append(f.below, treePage{uint32(len(f.pages)), f.last})
	f.leaf = leafPage{}
}

// finish writes what is above the leaves and returns the top.
func (f *tableFile) finish() uint32 {
	f.put()
	for len(f.below) > 1 {
		var above []treePage
		for len(f.below) > 0 {
			n := min(300, len(f.below))
			if len(f.below)-n == 1 {
				n-- // a page has at least two below it
			}
			inner := &leafPage{inner: f.below[n-1].page}
			for _, c := range f.below[:n-1] {
				inner.add(append(binary.BigEndian.AppendUint32(nil, c.page), putVarint(c.last)...))
			}
			f.pages = append(f.pages, inner.bytes())
			above = append(above, treePage{uint32(len(f.pages)), f.below[n-1].last})
			f.below = f.below[n:]
		}
		f.below = above
	}
	return f.below[0].page
}

// leafPage is a page that is being filled; with inner one above others, of which inner is the
// last.
type leafPage struct {
	at    int // of its header
	inner uint32
	cells [][]byte
	size  int
}

func (l *leafPage) fits(cell []byte) bool {
	return l.at+12+2*(len(l.cells)+1)+l.size+len(cell) <= tablePage
}

func (l *leafPage) add(cell []byte) { l.cells, l.size = append(l.cells, cell), l.size+len(cell) }

func (l *leafPage) bytes() []byte {
	out := make([]byte, tablePage)
	pointers, kind := l.at+8, byte(13)
	if l.inner != 0 {
		pointers, kind = l.at+12, 5
		binary.BigEndian.PutUint32(out[l.at+8:], l.inner)
	}
	end := tablePage
	for i, c := range l.cells {
		end -= len(c)
		copy(out[end:], c)
		binary.BigEndian.PutUint16(out[pointers+2*i:], uint16(end))
	}
	out[l.at] = kind
	binary.BigEndian.PutUint16(out[l.at+3:], uint16(len(l.cells)))
	binary.BigEndian.PutUint16(out[l.at+5:], uint16(end))
	return out
}

func tableCell(id uint64, record []byte) []byte {
	return append(append(putVarint(uint64(len(record))), putVarint(id)...), record...)
}

// tableRecord makes the record of texts. With root it is that of a row of the schema, whose fourth
// value is a number.
func tableRecord(root uint32, values []string) []byte {
	var head, body []byte
	for i, v := range values {
		if root != 0 && i == 3 {
			head, body = append(head, 4), binary.BigEndian.AppendUint32(body, root)
		}
		head = append(head, putVarint(uint64(2*len(v)+13))...)
		body = append(body, v...)
	}
	size := len(head) + 1
	if size > 127 {
		size++
	}
	return append(append(putVarint(uint64(size)), head...), body...)
}

func putVarint(x uint64) []byte {
	out := []byte{byte(x & 0x7f)}
	for x >>= 7; x > 0; x >>= 7 {
		out = append([]byte{byte(x&0x7f) | 0x80}, out...)
	}
	return out
}
