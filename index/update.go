package index

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/internal/work"
	"github.com/git-cortex/cortex/internal/lists"
)

// batchSize is the number of documents that are handed to Bluge at once: each
// batch has every word anew.
const batchSize = 5000

// folder is where the Bluge index lives.
func (x *Index) folder() postings.Folder {
	return postings.Folder{Path: x.path("index"), Hash: x.catalog.hash, Number: x.catalog.hint}
}

// segments returns the open index, shared; nil when there is none that can be
// used. The caller closes it.
func (x *Index) segments() *postings.Segments {
	if x.opt.Dir == "" {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.opened {
		x.opened = true
		if s, err := x.folder().Open(); err == nil {
			x.reader = s
		}
	}
	if x.reader == nil || !x.reader.Acquire() {
		return nil
	}
	return x.reader
}

// discard stops using s, which failed while it was read.
func (x *Index) discard(s *postings.Segments) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if s != nil && x.reader == s {
		x.reader = nil
		s.Close()
	}
}

// reopen makes the next search see what was written. What was analysed in memory
// for want of that is given up: a process that lives on would keep it for ever.
func (x *Index) reopen() {
	x.mu.Lock()
	if x.reader != nil {
		x.reader.Close()
	}
	x.reader, x.opened = nil, false
	x.mu.Unlock()
	x.overlayMu.Lock()
	defer x.overlayMu.Unlock()
	x.overlay = postings.NewOverlay()
}

// Update adds the memories of v that the index lacks, if no other process is
// writing, and returns how many. Call it after answering. A busy lock is not an
// error; an index that is missing or damaged is made anew.
func (x *Index) Update(ctx context.Context, v View) (int, error) {
	return x.Advance(ctx, v, len(v.Items))
}

// Advance is [Index.Update] for a caller with little time: it adds at most most
// memories, so that what is missing is there after some calls.
func (x *Index) Advance(ctx context.Context, v View, most int) (int, error) {
	if x.opt.Dir == "" || !x.lacks(v.Items) {
		return 0, nil
	}
	lock, err := x.folder().Lock()
	if err != nil {
		return 0, err
	}
	defer lock.Close()
	if ok, _ := lock.TryLock(); !ok {
		return 0, nil // a cache that cannot be written now is written next time
	}
	return x.add(ctx, v.Items, most)
}

// lacks reports whether some memory among items is not indexed.
func (x *Index) lacks(items []Item) bool {
	s := x.segments()
	if s != nil {
		defer s.Close()
	}
	return len(x.missing(s, items)) > 0
}

// missing are the blobs of items that s does not hold, each once, in the order
// of the catalog, in which reading what an index names is cheapest.
func (x *Index) missing(s *postings.Segments, items []Item) []string {
	c := x.catalog
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	want := make([]bool, c.heads.Len())
	for i := range items {
		if n := c.memoryNumber(&items[i]); n >= 0 {
			want[n] = true
		}
	}
	if s != nil {
		for part := range s.Parts() {
			s.Each(part, func(_ uint32, d postings.Name) {
				if n := c.numberRaw(d.Blob, d.Hint); n >= 0 {
					want[n] = false
				}
			})
		}
	}
	var out []string
	for n, missing := range want {
		if missing {
			out = append(out, c.heads.At(n).HexBlob())
		}
	}
	return out
}

// add indexes what is missing. The lock is held.
func (x *Index) add(ctx context.Context, items []Item, most int) (int, error) {
	if s := x.segments(); s != nil {
		stale := !s.Current()
		s.Close()
		if stale {
			x.reopen()
		}
	}
	s := x.segments()
	if s == nil {
		return x.generate(ctx, first(x.missing(nil, items), most), nil)
	}
	defer s.Close()
	if s.Scattered() && most >= len(items) {
		return x.generate(ctx, x.missing(nil, items), nil)
	}
	blobs := first(x.missing(s, items), most)
	if len(blobs) == 0 {
		return 0, nil
	}
	w, err := s.Append()
	if err != nil {
		return x.generate(ctx, first(x.missing(nil, items), most), nil)
	}
	n, err := x.write(ctx, w, blobs, nil)
	if e := w.Close(); err == nil {
		err = e
	}
	x.reopen()
	if err != nil {
		return n, fmt.Errorf("writing the index: %w", err)
	}
	return n, nil
}

func first(blobs []string, n int) []string { return blobs[:min(len(blobs), n)] }

// Rebuild writes a new generation that holds exactly the memories of v and
// swaps it in; progress (may be nil) hears of memories done. It waits for the
// lock until ctx ends.
func (x *Index) Rebuild(ctx context.Context, v View, progress func(done, total int)) error {
	if x.opt.Dir == "" {
		return nil
	}
	lock, err := x.folder().Lock()
	if err != nil {
		return err
	}
	if ok, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil || !ok {
		return fmt.Errorf("waiting for the index, which another process is writing: %w", err)
	}
	defer lock.Close()
	_, err = x.generate(ctx, x.missing(nil, v.Items), progress)
	return err
}

// generate writes a new generation and makes it current. The lock is held.
func (x *Index) generate(ctx context.Context, blobs []string, progress func(done, total int)) (int, error) {
	n := 0
	err := x.folder().Generate(func(w *postings.Writer) (err error) {
		n, err = x.write(ctx, w, blobs, progress)
		return err
	})
	if err != nil {
		return 0, err
	}
	x.reopen()
	return n, nil
}

// write hands blobs to Bluge in batches; what cannot be read any more is left
// out.
func (x *Index) write(
	ctx context.Context, w *postings.Writer, blobs []string, progress func(done, total int),
) (int, error) {
	roomFor(len(blobs), true)
	done, n := 0, 0
	for part := range slices.Chunk(blobs, batchSize) {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		docs := x.documents(ctx, part)
		if err := w.Add(docs); err != nil {
			return n, err
		}
		done += len(part)
		n += len(docs)
		if progress != nil {
			progress(done, len(blobs))
		}
	}
	return n, nil
}

// documents analyses blobs on all cores, in order.
func (x *Index) documents(ctx context.Context, blobs []string) []*postings.Document {
	docs := make([]*postings.Document, len(blobs))
	work.Share(len(blobs), func(next func() (int, bool)) {
		for i, ok := next(); ok; i, ok = next() {
			if m, ok := x.catalog.Memory(ctx, blobs[i]); ok {
				docs[i] = x.ranker.Document(blobs[i], m)
			}
		}
	})
	return lists.Without(docs, func(d *postings.Document) bool { return d == nil })
}
