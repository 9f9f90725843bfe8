package index

import (
	"sync"

	"github.com/git-cortex/cortex/index/internal/postings"
)

// A process that lives on is asked about the same memories again and again. What follows
// from them and the stored index alone is kept from one view to the next: which memory
// is where, where the documents of the index stand, and the hits of words that were
// looked up lately.

// keptFold is the last fold of an index that lives on.
type keptFold struct {
	mu   sync.Mutex
	last *folding
	gone int // blobs that the catalog had forgotten then
}

// keep keeps a fold, if each item of it is a memory of its own. The catalog is locked.
func (k *keptFold) keep(c *Catalog, f *folded, items []Item) {
	if len(f.items) != len(items) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last, k.gone = f.folding, len(c.gone)
}

// of is the fold that was kept, of these items; nil where they are not those that it is
// of. The catalog is locked.
func (k *keptFold) of(c *Catalog, items []Item) *folded {
	k.mu.Lock()
	last, gone := k.last, k.gone
	k.mu.Unlock()
	if last == nil || gone != len(c.gone) {
		return nil
	}
	if len(items) != len(last.numbers) {
		return nil
	}
	f := &folded{folding: last, items: make([]*Item, len(items))}
	for i := range items {
		it := &items[i]
		same := it.known == c && it.hint == last.numbers[i]+1
		if !same {
			return nil
		}
		f.items[i] = it
	}
	return f
}

// The hits that are kept of words are at most minRecent, or recentEach for each memory: those of a few words
// that most memories hold. They take 8 bytes each.
const (
	minRecent  = 1 << 18
	recentEach = 16
)

// keptPlaces is where the documents of the stored index stand in a view that it covers.
type keptPlaces struct {
	mu      sync.Mutex
	of      *postings.Segments
	placed  placed
	lengths *Lengths
}

// take gives a source what is kept; false where it is of another stored index.
func (k *keptPlaces) take(s *stored) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s.segments == nil || k.of != s.segments {
		return false
	}
	s.placed, s.lengths = []placed{k.placed}, k.lengths
	return true
}

// keep keeps what a source has placed if that was one index, so that nothing else was needed.
func (k *keptPlaces) keep(s *stored) {
	if s.segments == nil || len(s.placed) != 1 {
		return
	}
	s.placed[0].recent = postings.NewKept(max(minRecent, recentEach*s.Len()))
	k.mu.Lock()
	defer k.mu.Unlock()
	k.of, k.placed, k.lengths = s.segments, s.placed[0], s.lengths
}
