package postings

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	bluge "github.com/blugelabs/bluge/index"
	segment "github.com/blugelabs/bluge_segment_api"

	"github.com/git-cortex/cortex/internal/words"
)

// Schema is raised when analysis, fields or files of the index change. It is part
// of a generation's name, g-<schema>-<n>, and an index of another schema is not
// opened. History:
//
//	1  first
//	2  tables of fixed-size rows
//	3  tables with the header that all files of the cache have
const Schema = 3

// Segments is the stored index as it was when it was opened. Several searches may
// share it: each calls Acquire, and the last Close gives the files back.
type Segments struct {
	folder   Folder
	name     string // of the generation
	files    *preloaded
	snapshot *bluge.Snapshot
	tables   []docTable // one per Bluge segment, in order of document numbers
	count    int        // documents, deleted ones included
	users    atomic.Int32
}

// Open opens the current generation. The error of an index that is not there is
// [fs.ErrNotExist].
func (f Folder) Open() (*Segments, error) {
	name, err := f.Current()
	if err != nil {
		return nil, err
	}
	p, err := preload(filepath.Join(f.Path, name))
	if err != nil {
		return nil, err
	}
	snapshot, err := bluge.OpenReader(blugeConfig(p))
	if err != nil {
		p.release()
		return nil, fmt.Errorf("opening the index: %w", err)
	}
	s := &Segments{folder: f, name: name, files: p, snapshot: snapshot}
	s.users.Store(1)
	if err := s.readTables(p.directory); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Current reports whether s is the index that is on disk now: no newer generation or
// snapshot was written since s was opened.
func (s *Segments) Current() bool {
	name, err := s.folder.Current()
	if err != nil || name != s.name {
		return false
	}
	epochs, err := s.files.directory.List(bluge.ItemKindSnapshot)
	return err == nil && len(epochs) > 0 && epochs[0] == s.files.epoch
}

// Acquire shares s; false when it is closed already.
func (s *Segments) Acquire() bool {
	for {
		n := s.users.Load()
		if n == 0 {
			return false
		}
		if s.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Close ends a share of s, or the use of who opened it.
func (s *Segments) Close() {
	if s.users.Add(-1) == 0 {
		_ = s.snapshot.Close()
	}
}

// readTables reads which document is which memory, from the table beside each
// segment or, when that is missing or damaged, from the segment itself.
func (s *Segments) readTables(d *directory) error {
	hash := s.folder.Hash
	first := uint32(0)
	for _, seg := range s.snapshot.Segments() {
		n, err := segmentSize(seg)
		if err != nil {
			return err
		}
		t, err := loadTable(d, seg.ID(), int(n), hash)
		if err != nil {
			if t, err = tableOf(s.snapshot, first, n, hash, nil); err != nil {
				return err
			}
		}
		t.first = first
		if gone := seg.Deleted(); gone != nil {
			t.dead = gone.Contains
		}
		s.tables = append(s.tables, t)
		first += n
	}
	s.count = int(first)
	return nil
}

// segmentSize is the number of documents of a segment, deleted ones included.
func segmentSize(seg bluge.SegmentSnapshot) (uint32, error) {
	sized, ok := seg.(interface{ FullSize() int64 })
	if !ok {
		return 0, errors.New("opening the index: a segment without a size")
	}
	return uint32(sized.FullSize()), nil
}

// Parts is the number of parts that Each can visit side by side.
func (s *Segments) Parts() int { return len(s.tables) }

// Each calls visit for every document of a part, with its number.
func (s *Segments) Each(part int, visit func(doc uint32, d Name)) {
	t := &s.tables[part]
	for k := range t.len() {
		if t.dead == nil || !t.dead(uint32(k)) {
			visit(t.first+uint32(k), t.name(k))
		}
	}
}

// Postings appends to hits the items that hold a term: ordinals says which item a
// document is, by its number, and is negative for one that does not count.
func (s *Segments) Postings(f Field, term string, ordinals []int32, hits []Hit) ([]Hit, error) {
	it, err := s.snapshot.PostingsIterator([]byte(term), f.name(), true, false, false)
	if err != nil {
		return nil, fmt.Errorf("reading postings of the index: %w", err)
	}
	defer it.Close()
	hits = slices.Grow(hits, int(min(it.Count(), uint64(len(ordinals)))))
	for {
		p, err := it.Next()
		if err != nil {
			return nil, fmt.Errorf("reading postings of the index: %w", err)
		}
		if p == nil {
			return hits, nil
		}
		if at := ordinals[p.Number()]; at >= 0 {
			hits = append(hits, Hit{at, uint32(p.Frequency())})
		}
	}
}

// Docs is one more than the highest number of a document.
func (s *Segments) Docs() int { return s.count }

// Generation is the number of the generation.
func (s *Segments) Generation() int {
	n, _ := generationNumber(s.name)
	return n
}

// Scattered reports whether there are so many segments that a new generation is
// cheaper: merging has not kept up.
func (s *Segments) Scattered() bool { return len(s.tables) > rebuildFrom }

// Append opens a writer that adds to s. The caller holds the lock.
func (s *Segments) Append() (*Writer, error) {
	return s.folder.openWriter(s.files.lent(), len(s.tables) >= MergeFrom)
}

// Near calls visit for the terms of a field that are at most so many edits from term,
// some of them more than once.
func (s *Segments) Near(f Field, term string, edits int, visit func(term string)) {
	s.terms(f, func(d segment.Dictionary) segment.DictionaryIterator {
		return d.Iterator(words.NewNear(term, edits), nil, nil)
	}, visit)
}

// Begun calls visit for the terms of a field that begin with prefix, some of them more
// than once.
func (s *Segments) Begun(f Field, prefix string, visit func(term string)) {
	s.terms(f, func(d segment.Dictionary) segment.DictionaryIterator {
		return d.Iterator(nil, []byte(prefix), []byte(prefix+"\xff"))
	}, visit)
}

// terms calls visit for those that find takes from the dictionary of a field, one
// segment after the other. What cannot be read is left out.
func (s *Segments) terms(f Field, find func(segment.Dictionary) segment.DictionaryIterator, visit func(term string)) {
	for _, part := range s.snapshot.Segments() {
		holds, ok := part.(interface{ Segment() segment.Segment })
		if !ok {
			continue
		}
		d, err := holds.Segment().Dictionary(f.name())
		if err != nil {
			continue
		}
		it := find(d)
		for e, err := it.Next(); err == nil && e != nil; e, err = it.Next() {
			visit(e.Term())
		}
		_ = it.Close()
	}
}
