package sqlite

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Row is one row of a table: its values by the names of their columns, in lower case. A
// value is nil, an int64, a float64, a string or a []byte.
type Row struct {
	ID     int64
	values map[string]any
}

// Text is a value as text; "" for NULL and for bytes.
func (r Row) Text(column string) string {
	switch v := r.values[column].(type) {
	case string:
		return v
	case int64, float64:
		return fmt.Sprint(v)
	}
	return ""
}

// Number is a value as a number; ok is false where it is none.
func (r Row) Number(column string) (x float64, ok bool) {
	switch v := r.values[column].(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// Has reports whether there is a table that has all of the columns.
func (d *DB) Has(table string, columns ...string) bool {
	t := d.tables[strings.ToLower(table)]
	if t == nil {
		return false
	}
	for _, name := range columns {
		if !slices.ContainsFunc(t.columns, func(c column) bool { return c.name == name }) {
			return false
		}
	}
	return true
}

// Rows calls yield for each row of a table, by id, until it returns false or an error.
func (d *DB) Rows(name string, yield func(Row) (more bool, err error)) error {
	t := d.tables[strings.ToLower(name)]
	if t == nil {
		return fmt.Errorf("%w: %s", ErrNoTable, name)
	}
	if t.why != "" {
		return fmt.Errorf("%w: %s is %s", ErrUnsupported, name, t.why)
	}
	if t.lost {
		return fmt.Errorf("table %s: %w: it began behind the end of the file", name, ErrCorrupt)
	}
	w := walk{db: d, seen: map[uint32]bool{}}
	_, err := w.tree(t.root, 0, func(id int64, record []byte) (bool, error) {
		values, err := d.record(record)
		if err != nil {
			return false, err
		}
		return yield(t.row(id, values))
	})
	if err != nil {
		return fmt.Errorf("table %s: %w", name, err)
	}
	return nil
}

// walk visits a tree once. A page that turns up twice is damage.
type walk struct {
	db   *DB
	seen map[uint32]bool
}

func (w *walk) page(n uint32) ([]byte, error) {
	if w.seen[n] {
		return nil, fmt.Errorf("%w: page %d is used twice", ErrCorrupt, n)
	}
	w.seen[n] = true
	return w.db.read(n)
}

// tree visits the cells of the leaves below a page.
func (w *walk) tree(n uint32, depth int, yield func(int64, []byte) (bool, error)) (more bool, err error) {
	if depth > maxDepth {
		return false, fmt.Errorf("%w: a tree of over %d levels", ErrCorrupt, maxDepth)
	}
	data, err := w.page(n)
	if err != nil {
		return false, err
	}
	at := 0
	if n == 1 {
		at = headerSize
	}
	kind, cells := data[at], int(binary.BigEndian.Uint16(data[at+3:]))
	first := at + 8
	if kind == 5 {
		first += 4
	} else if kind != 13 {
		return false, fmt.Errorf("%w: page %d is of kind %d", ErrCorrupt, n, kind)
	}
	if first+2*cells > w.db.usable {
		return false, fmt.Errorf("%w: page %d has %d cells", ErrCorrupt, n, cells)
	}
	for i := range cells {
		cell := int(binary.BigEndian.Uint16(data[first+2*i:]))
		if cell < first || cell+4 > w.db.usable {
			return false, fmt.Errorf("%w: a cell of page %d begins at %d", ErrCorrupt, n, cell)
		}
		if kind == 5 {
			more, err = w.tree(binary.BigEndian.Uint32(data[cell:]), depth+1, yield)
		} else {
			more, err = w.leaf(data[:w.db.usable], cell, yield)
		}
		if err != nil || !more {
			return false, err
		}
	}
	if kind == 5 {
		return w.tree(binary.BigEndian.Uint32(data[at+8:]), depth+1, yield)
	}
	return true, nil
}

// leaf reads one cell: the size of the record, its id, and the record, of which the end
// may stand on other pages.
func (w *walk) leaf(data []byte, at int, yield func(int64, []byte) (bool, error)) (bool, error) {
	size, n := varint(data[at:])
	at += n
	id, m := varint(data[at:])
	at += m
	if n == 0 || m == 0 || size < 0 || size > maxPayload {
		return false, fmt.Errorf("%w: a row of %d bytes", ErrCorrupt, size)
	}
	u, p := w.db.usable, int(size)
	local := p
	if p > u-35 {
		least := (u-12)*32/255 - 23
		if local = least + (p-least)%(u-4); local > u-35 {
			local = least
		}
	}
	if at+local > len(data) || local < p && at+local+4 > len(data) {
		return false, fmt.Errorf("%w: a row goes beyond its page", ErrCorrupt)
	}
	record := data[at : at+local]
	if local < p {
		var err error
		if record, err = w.overflow(slices.Clone(record), binary.BigEndian.Uint32(data[at+local:]), p); err != nil {
			return false, err
		}
	}
	return yield(id, record)
}

// overflow adds what stands on other pages to a record of size bytes.
func (w *walk) overflow(record []byte, next uint32, size int) ([]byte, error) {
	for len(record) < size {
		data, err := w.page(next)
		if err != nil {
			return nil, err
		}
		record = append(record, data[4:4+min(size-len(record), w.db.usable-4)]...)
		next = binary.BigEndian.Uint32(data)
	}
	return record, nil
}

// record decodes the values of a record.
func (d *DB) record(data []byte) ([]any, error) {
	size, n := varint(data)
	if n == 0 || size < int64(n) || size > int64(len(data)) {
		return nil, fmt.Errorf("%w: a header of %d bytes in a row of %d", ErrCorrupt, size, len(data))
	}
	head, body := data[n:size], data[size:]
	var out []any
	for len(head) > 0 {
		kind, n := varint(head)
		if len(out) == maxColumns {
			return nil, fmt.Errorf("%w: a row of over %d values", ErrCorrupt, maxColumns)
		}
		if n == 0 || kind < 0 {
			return nil, fmt.Errorf("%w: a value of kind %d", ErrCorrupt, kind)
		}
		head = head[n:]
		width := widthOf(kind)
		if width < 0 || width > int64(len(body)) {
			return nil, fmt.Errorf("%w: a value goes beyond its row", ErrCorrupt)
		}
		out = append(out, d.value(kind, body[:width]))
		body = body[width:]
	}
	return out, nil
}

// widthOf is how many bytes a value of a kind takes; -1 for a kind that is not in use.
func widthOf(kind int64) int64 {
	switch {
	case kind < 5:
		return kind
	case kind == 5:
		return 6
	case kind < 8:
		return 8
	case kind < 10:
		return 0
	case kind < 12:
		return -1
	}
	return (kind - 12) / 2
}

func (d *DB) value(kind int64, data []byte) any {
	switch {
	case kind == 0:
		return nil
	case kind < 7:
		x := int64(int8(data[0]))
		for _, b := range data[1:] {
			x = x<<8 | int64(b)
		}
		return x
	case kind == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(data))
	case kind < 10:
		return kind - 8
	case kind%2 == 0:
		return slices.Clone(data)
	}
	return d.text(data)
}

// varint decodes an integer of one to nine bytes, the highest first; n is 0 when data
// ends within it.
func varint(data []byte) (x int64, n int) {
	for i := range min(9, len(data)) {
		if i == 8 {
			return x<<8 | int64(data[8]), 9
		}
		x = x<<7 | int64(data[i]&0x7f)
		if data[i] < 0x80 {
			return x, i + 1
		}
	}
	return 0, 0
}
