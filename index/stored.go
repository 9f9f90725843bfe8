package index

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/internal/work"
	"github.com/git-cortex/cortex/memory"
)

// stored is the [Source] of a view: what the catalog says of its memories, with the words of the
// Bluge index and, for memories that are not in it yet, of the overlay.
type stored struct {
	*folded
	index *Index
	opt   SearchOptions
	bare  bool // the Bluge index is not used

	segments *postings.Segments // nil when there are none, or not opened yet
	placed   []placed
	lengths  *Lengths // nil before the words are opened
	overlay  int      // memories that the Bluge index lacks
}

// errLacking says that the index lacks more than SearchOptions.Learn.
var errLacking = errors.New("the index lacks many memories")

// over calls do with a source of a view. A Bluge index that fails while it is read is dropped, and
// do is called again with a source that has everything analysed in memory.
func (x *Index) over(ctx context.Context, v View, opt SearchOptions, do func(s *stored) error) error {
	s := &stored{folded: x.foldOf(&v), index: x, opt: opt}
	err := s.use(do)
	if errors.Is(err, errLacking) {
		// To analyse them for this answer and again for the index would take twice as
		// long. While another process is writing, or the disk is full, that is done.
		_, _ = x.Update(ctx, v)
		s.opt.Learn = 0
		err = s.use(do)
	}
	if err == nil || ctx.Err() != nil || s.segments == nil {
		return err
	}
	x.discard(s.segments)
	s.bare = true
	return s.use(do)
}

// use calls do, and ends the share of the Bluge index that it took.
func (s *stored) use(do func(s *stored) error) error {
	s.segments, s.placed, s.lengths, s.overlay = nil, nil, nil, 0
	err := do(s)
	if s.segments != nil {
		s.segments.Close()
	}
	return err
}

// Len is the number of memories.
func (s *stored) Len() int { return len(s.items) }

// ID is the id of a memory.
func (s *stored) ID(place int32) memory.ID { return s.ids[place] }

// Item is an item of the view.
func (s *stored) Item(place int32) *Item { return s.items[place] }

// Prior is the rank of an item.
func (s *stored) Prior(place int32) float64 { return s.items[place].Prior }

// Facts are the facts of the catalog.
func (s *stored) Facts(place int32) (Facts, bool) { return s.index.catalog.FactsOf(s.items[place]) }

// TextSize is the length of a text.
func (s *stored) TextSize(place int32) int { return s.textSize(place) }

// Lengths opens the words, and places them in the view.
func (s *stored) Lengths(ctx context.Context) (*Lengths, error) {
	if s.lengths != nil {
		return s.lengths, nil
	}
	if !s.bare {
		s.segments = s.index.segments()
	}
	if s.places.take(s) {
		return s.lengths, nil
	}
	words := make([][Fields]uint32, s.Len())
	covered := make([]atomic.Bool, s.Len())
	if s.segments != nil {
		s.place(s.segments, s.segments.Docs(), covered, words)
	}
	if err := s.placeOverlay(ctx, covered, words); err != nil {
		return nil, err
	}
	s.lengths = MeasureLengths(words)
	if s.overlay == 0 {
		s.places.keep(s)
	}
	return s.lengths, nil
}

// place adds an inverted index: its documents stand for the items that have their blob and
// that no earlier one covers. It sets their lengths.
func (s *stored) place(from inverted, size int, covered []atomic.Bool, lengths [][Fields]uint32) {
	c := s.index.catalog
	c.mu.RLock()
	defer c.mu.RUnlock()
	p := placed{inverted: from, ordinals: make([]int32, size)}
	for i := range p.ordinals {
		p.ordinals[i] = -1
	}
	work.Share(from.Parts(), func(next func() (int, bool)) {
		for part, ok := next(); ok; part, ok = next() {
			from.Each(part, func(doc uint32, d postings.Name) {
				at := s.placeNumber(c.numberRaw(d.Blob, d.Hint))
				if at < 0 || !covered[at].CompareAndSwap(false, true) {
					return
				}
				p.ordinals[doc], lengths[at] = at, d.Length
			})
		}
	})
	s.placed = append(s.placed, p)
}

// placeOverlay analyses the items that nothing covers yet.
func (s *stored) placeOverlay(ctx context.Context, covered []atomic.Bool, lengths [][Fields]uint32) error {
	x := s.index
	x.overlayMu.Lock()
	defer x.overlayMu.Unlock()
	lacking := uncovered(covered)
	s.overlay = len(lacking)
	if s.opt.Learn > 0 && len(lacking) > s.opt.Learn && x.opt.Dir != "" {
		return errLacking
	}
	for _, i := range lacking {
		if blob := s.items[i].Blob; !x.overlay.Holds(blob) {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("searching: %w", err)
			}
			if m := x.whole(ctx, s.items[i], s.opt.Fetch); m != nil {
				x.overlay.Add(blob, m)
			}
		}
	}
	if s.overlay > 0 {
		s.place(x.overlay, x.overlay.Size(), covered, lengths)
	}
	return nil
}

// uncovered are the places of the items that are not covered.
func uncovered(covered []atomic.Bool) []int {
	var out []int
	for i := range covered {
		if !covered[i].Load() {
			out = append(out, i)
		}
	}
	return out
}

// Postings looks terms up, on all cores.
func (s *stored) Postings(_ context.Context, terms []Term) ([][]Posting, error) {
	out := make([][]Posting, len(terms))
	err := work.ShareErr(len(terms), func(next func() (int, bool)) (err error) {
		for i, ok := next(); ok; i, ok = next() {
			for k := range s.placed {
				if out[i], err = s.placed[k].lookup(terms[i], out[i]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return out, err
}

// Spelled are words of the index and the overlay that are spelled like word, whatever view
// they are from.
func (s *stored) Spelled(_ context.Context, word string, edits int) ([]string, error) {
	return s.terms(func(visit func(string)) { s.segments.Near(ExactField, word, edits, visit) }), nil
}

// Begun are those that begin with word.
func (s *stored) Begun(_ context.Context, word string) ([]string, error) {
	return s.terms(func(visit func(string)) { s.segments.Begun(ExactField, word, visit) }), nil
}

// terms are the words of the Bluge index that find visits, and all of the overlay.
func (s *stored) terms(find func(visit func(term string))) []string {
	var out []string
	add := func(term string) { out = append(out, term) }
	if s.segments != nil {
		find(add)
	}
	s.index.overlayMu.Lock()
	overlay := s.index.overlay
	s.index.overlayMu.Unlock()
	overlay.Terms(ExactField, add)
	return out
}

// Texts reads titles and texts, on all cores.
func (s *stored) Texts(ctx context.Context, places []int32) ([]Text, error) {
	out := make([]Text, len(places))
	work.Share(len(places), func(next func() (int, bool)) {
		for i, ok := next(); ok; i, ok = next() {
			out[i] = s.text(ctx, s.items[places[i]])
		}
	})
	return out, nil
}

// text reads a title and a text without making a memory of them, if they are as they were written.
func (s *stored) text(ctx context.Context, it *Item) Text {
	if title, text, ok := s.index.catalog.words(it); ok {
		return Text{Title: title, Text: text}
	}
	if m := s.index.whole(ctx, it, s.opt.Fetch); m != nil {
		return Text{Title: m.Title, Text: m.Text}
	}
	return Text{Missing: true}
}

// Memories reads memories.
func (s *stored) Memories(ctx context.Context, places []int32, text bool) ([]*memory.Memory, error) {
	out := make([]*memory.Memory, len(places))
	for i, at := range places {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if text {
			out[i] = s.index.whole(ctx, s.items[at], s.opt.Fetch)
		} else {
			out[i], _ = s.index.catalog.HeadOf(ctx, s.items[at])
		}
	}
	return out, nil
}

// whole reads a memory with its text, again from its file or by fetch when the
// catalog's copy is damaged; nil when it cannot be had.
func (x *Index) whole(ctx context.Context, it *Item, fetch Fetch) *memory.Memory {
	if m, ok := x.catalog.MemoryOf(ctx, it); ok {
		return m
	}
	if _, err := x.Fill(ctx, []Item{*it}, fetch); err != nil {
		return nil
	}
	m, _ := x.catalog.Memory(ctx, it.Blob)
	return m
}

// placeVector is the place of a blob in the view.
func (s *stored) placeVector(blob string) int32 {
	c := s.index.catalog
	c.mu.RLock()
	defer c.mu.RUnlock()
	return s.folded.place(c, blob)
}

// inverted says where terms stand: the Bluge index, or the overlay.
type inverted interface {
	// Postings appends to hits the places of the documents that hold term in f:
	// ordinals are places by document, negative where there is none.
	Postings(f Field, term string, ordinals []int32, hits []Posting) ([]Posting, error)
	// Each calls visit for every document of a part with its number.
	Each(part int, visit func(doc uint32, d postings.Name))
	Parts() int
}

// placed is an inverted index with the place of each of its documents in the view.
type placed struct {
	inverted
	ordinals []int32        // by document; -1: not in the view
	recent   *postings.Kept // of this index alone; nil keeps nothing
}

// lookup appends the hits of a term. What is appended to nothing may be kept, and is not
// to be changed. It is kept in memory of its own: the hits have room for documents that are
// not in the view, and the term may be cut from a long query.
func (p *placed) lookup(t Term, hits []Posting) ([]Posting, error) {
	if p.recent == nil || len(hits) > 0 {
		return p.Postings(t.Field, t.Text, p.ordinals, hits)
	}
	hits, ok := p.recent.Get(t)
	if ok {
		return hits, nil
	}
	hits, err := p.Postings(t.Field, t.Text, p.ordinals, nil)
	if err == nil {
		kept := make([]Posting, len(hits))
		copy(kept, hits)
		p.recent.Put(t.Field.Of(strings.Clone(t.Text)), kept)
	}
	return hits, err
}
