package recall

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// A table is not made over for each memory that changes: what changed since stands in
// a second file beside it, which is made over instead, until it is large.

// sinceEnding is the ending of the second file.
const sinceEnding = ".since"

// sinceVersion of the second file, with the version of the first. History: 1 is the first.
const sinceVersion = 1

func sinceFormat() cachefile.Format {
	return cachefile.Format{Magic: "CTXD", Version: sinceVersion<<16 | version}
}

// Sections of the second file, behind those of the first.
const (
	goneSection    = sectionCount + iota // memories of the first file that are gone
	flippedSection                       // those that are archived now and were not, or the other way round
	placeSection                         // of each memory of the second file: before which of the first it stands
	sinceSections
)

// update holds the memories that were added or changed after a table was made, and tells
// which of the table are gone.
type update struct {
	volume
	away    int    // how many memories of the first file are gone
	gone    []bool // by memory of the first file
	flipped []bool
	places  []int
}

// newUpdate returns the update of a table of so many memories of which nothing changed.
func newUpdate(n int) *update { return &update{gone: make([]bool, n), flipped: make([]bool, n)} }

// The second file holds as many changes as a table has sixteenths, or fewChanges. So
// what more than half of the memories hold when the table is made is common (see
// isCommon) until it is made over.
const (
	mostChanges = 16
	fewChanges  = 24
)

// mark names the first file: another one has other places.
func (t *Table) mark() string {
	docs, buckets := cachefile.SumString(t.docs), cachefile.SumString(t.buckets)
	return fmt.Sprintf("%s %d %d %08x %08x", t.first, t.n, len(t.rest), docs, buckets)
}

// Renew returns the table in a file if it has the stamp, else makes it of docs, keeps it,
// and returns it: a memory that is in the file is not loaded, and where few have changed
// only these are written, beside the file. Of the others at most so many are loaded; a
// table that lacks some, or whose stamp is "", has no stamp. The error of a file that
// cannot be written comes with the table.
func Renew(path, stamp string, docs []Doc, most int, load func(i int) *memory.Memory) (*Table, error) {
	t, err := Open(path)
	if err == nil && stamp != "" && t.stamp != "" {
		if t.stamp == stamp {
			return t, nil
		}
		if data, ok := t.change(stamp, docs, most, load); ok {
			return t, t.replaceUpdate(path, data)
		}
	}
	data := string(Build(stamp, docs, t, most, load))
	_ = t.Close()
	if t, err = Read(data); err != nil {
		return nil, err
	}
	t.beside = &beside{path: path + notesEnding}
	_ = os.Remove(path + sinceEnding) // it belongs to the table before
	return t, keep(path, data)
}

// replaceUpdate takes in and keeps what changed, in the place of what did so far.
func (t *Table) replaceUpdate(path, data string) error {
	before := t.update
	if err := t.add(data); err != nil {
		return err
	}
	_ = before.close() // what is kept of it was copied
	return keep(path+sinceEnding, data)
}

// keep writes a file of the cache.
func keep(path, data string) error {
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = cachefile.Replace(path, []byte(data))
	}
	if err != nil {
		return fmt.Errorf("keeping the table of triggers: %w", err)
	}
	return nil
}

// change makes the second file of a table whose memories are to be docs. It is false when
// too much is another.
func (t *Table) change(stamp string, docs []Doc, most int, load func(i int) *memory.Memory) (data string, ok bool) {
	known := t.update.records()
	c, ok := t.compare(docs, known)
	if !ok || len(c.later) > most {
		return "", false
	}
	names := t.names()
	for _, i := range c.gone { // what only moved, as by another name of its file, is there
		known[names[i]] = t.raw(i)
	}
	var a words.Analyser
	var b builder
	var places []int
	for k, i := range c.later {
		raw := known[docs[i].Blob]
		if raw == "" {
			if raw, ok = derive(&a, load(i)); !ok {
				continue
			}
		}
		b.add(&docs[i], raw)
		places = append(places, c.places[k])
	}
	head := cachefile.AppendString(cachefile.AppendString(nil, t.mark()), stamp)
	head, at, buckets, rest := b.finish(head, b.n)
	file := sinceFormat().Encode(head, at, buckets,
		appendRising(nil, c.gone), appendRising(nil, c.flipped), appendRising(nil, places))
	return string(append(file, rest...)), true
}

// changes are how memories differ from those of the first file of a table.
type changes struct {
	gone    []int // of the file, rising
	flipped []int // of the file, rising
	later   []int // of the memories
	places  []int // of each of later: before which memory of the file it stands
}

// lookAhead is how many memories in a row may be gone.
const lookAhead = 1024

// compare finds the changes, if they are few. Memories that stand in another order are
// gone and there again. recent are names that the second file had.
func (t *Table) compare(docs []Doc, recent map[string]string) (c changes, ok bool) {
	names := t.names()
	if len(names) != t.n {
		return c, false
	}
	left, at := max(t.n/mostChanges, fewChanges), 0
	for i := range docs {
		name, ahead := docs[i].Blob, 0
		if at == len(names) || names[at] != name {
			ahead = -1
			if _, is := recent[name]; !is {
				ahead = slices.Index(names[at:min(len(names), at+min(left, lookAhead)+1)], name)
			}
		}
		if ahead < 0 {
			c.later, c.places = append(c.later, i), append(c.places, at)
			left--
		}
		for ; ahead > 0; ahead-- {
			c.gone = append(c.gone, at)
			at++
			left--
		}
		if left < 0 {
			return c, false
		}
		if ahead == 0 {
			if t.archived(at) != docs[i].Archived {
				c.flipped = append(c.flipped, at)
			}
			at++
		}
	}
	for ; at < len(names); at++ {
		c.gone = append(c.gone, at)
		left--
	}
	return c, left >= 0
}

// appendRising appends numbers that never fall.
func appendRising(b []byte, list []int) []byte {
	before := 0
	for _, n := range list {
		b = binary.AppendUvarint(b, uint64(n-before))
		before = n
	}
	return b
}

// rising reads the numbers of appendRising; nil where one is above most.
func rising(s string, most int) []int {
	r := cachefile.Reader{Rest: s}
	list, n := []int{}, 0
	for r.Rest != "" {
		if n += r.Uvarint(); r.Err != nil || n > most {
			return nil
		}
		list = append(list, n)
	}
	return list
}

// add takes in what changed since the table was made, from the bytes of its second file,
// in place of what it knew of that. A file that belongs to another table is an error.
func (t *Table) add(data string) error {
	sections, rest, err := sinceFormat().Decode(data)
	if err != nil {
		return err
	}
	var of, stamp string
	s := newUpdate(t.n)
	if len(sections) != sinceSections || !s.read(sections, rest, &of, &stamp) {
		return cachefile.ErrDamaged
	}
	if of != t.mark() {
		return errors.New("it belongs to another table")
	}
	gone := rising(sections[goneSection], t.n-1)
	flipped := rising(sections[flippedSection], t.n-1)
	s.places = rising(sections[placeSection], t.n)
	if gone == nil || flipped == nil || len(s.places) != s.n {
		return cachefile.ErrDamaged
	}
	for _, i := range gone {
		s.gone[i] = true
	}
	for _, i := range flipped {
		s.flipped[i] = true
	}
	s.away = len(gone)
	t.update, t.stamp = s, strings.Clone(stamp)
	return nil
}

// Count returns how many memories the table has.
func (t *Table) Count() int { return t.n - t.update.away + t.update.n }

// numbers is the number above those of all memories: t.n and more are of the second file.
func (t *Table) numbers() int { return t.n + t.update.n }

// order returns the numbers of all memories, in their order.
func (t *Table) order() []int {
	out, from := make([]int, 0, t.Count()), 0
	for i, at := range t.update.places {
		out = append(t.appendThere(out, from, at), t.n+i)
		from = at
	}
	return t.appendThere(out, from, t.n)
}

// appendThere appends the numbers of a part of the first file that are not gone.
func (t *Table) appendThere(out []int, from, to int) []int {
	for d := from; d < to; d++ {
		if !t.update.gone[d] {
			out = append(out, d)
		}
	}
	return out
}

// memory is the record of a memory, and whether it is archived.
func (t *Table) memory(d int) (r record, archived, ok bool) {
	if d >= t.n {
		r, ok = t.update.record(d - t.n)
		return r, t.update.archived(d - t.n), ok
	}
	r, ok = t.record(d)
	return r, t.archived(d) != t.update.flipped[d], ok
}

// holders returns the memories that hold a term, rising, and how many they are. Of a term
// that is common there is only their number, which may leave out what changed.
func (t *Table) holders(h uint32) (docs []uint32, n int) {
	all := t.Count()
	most := t.n
	if all >= commonFrom {
		most = all/common + t.update.away
	}
	docs, n = t.holding(h, most)
	if n > 0 && docs == nil {
		return nil, n
	}
	docs = lists.Without(docs, func(d uint32) bool { return t.update.gone[d] })
	more, _ := t.update.holding(h, t.update.n)
	for _, d := range more {
		docs = append(docs, uint32(t.n)+d)
	}
	if isCommon(len(docs), all) {
		return nil, len(docs)
	}
	return docs, len(docs)
}
