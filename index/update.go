package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	bluge "github.com/blugelabs/bluge/index"
	"github.com/blugelabs/bluge/index/mergeplan"
	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/gofrs/flock"
)

const (
	batchSize   = 5000 // documents handed to Bluge at once: each batch has every word anew
	mergeFrom   = 16   // segments from which an update lets Bluge merge
	rebuildFrom = 60   // segments from which merging has not kept up
)

// segments returns the open index, shared; nil when there is none that can be
// used. The caller closes it.
func (x *Index) segments() *segments {
	if x.opt.Dir == "" {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.opened {
		x.opened = true
		if s, err := openSegments(x.path("index"), x.catalog.hash); err == nil {
			x.reader = s
		}
	}
	if x.reader == nil || !x.reader.acquire() {
		return nil
	}
	return x.reader
}

// discard stops using s, which failed while it was read.
func (x *Index) discard(s *segments) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if s != nil && x.reader == s {
		x.reader = nil
		s.close()
	}
}

// reopen makes the next search see what was written.
func (x *Index) reopen() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.reader != nil {
		x.reader.close()
	}
	x.reader, x.opened = nil, false
}

// Update adds the memories of v that the index lacks, if no other process is
// writing, and returns how many. Call it after answering. A busy lock is not an
// error; an index that is missing or damaged is made anew.
func (x *Index) Update(ctx context.Context, v View) (int, error) {
	if x.opt.Dir == "" || !x.lacks(v.Items) {
		return 0, nil
	}
	lock, err := x.lock()
	if err != nil {
		return 0, err
	}
	if ok, err := lock.TryLock(); err != nil || !ok {
		return 0, nil //nolint:nilerr // a cache that cannot be written now is written next time
	}
	defer lock.Close()
	return x.add(ctx, v.Items)
}

func (x *Index) lock() (*flock.Flock, error) {
	if err := os.MkdirAll(x.path("index"), 0o777); err != nil {
		return nil, fmt.Errorf("making the index: %w", err)
	}
	return flock.New(x.path("index", "lock")), nil
}

// lacks reports whether some memory among items is not indexed.
func (x *Index) lacks(items []Item) bool {
	s := x.segments()
	if s != nil {
		defer s.close()
	}
	return len(x.missing(s, items)) > 0
}

// missing are the blobs of items that s does not hold, each once, in the order
// of the catalog, in which reading what an index names is cheapest.
func (x *Index) missing(s *segments, items []Item) []string {
	c := x.catalog
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	want := make([]bool, c.heads.len())
	for i := range items {
		if n := c.memoryNumber(&items[i]); n >= 0 {
			want[n] = true
		}
	}
	if s != nil {
		for part := range s.parts() {
			s.each(part, func(_ uint32, d docName) {
				if n := c.numberRaw(d.blob, d.hint); n >= 0 {
					want[n] = false
				}
			})
		}
	}
	var out []string
	for n, missing := range want {
		if missing {
			out = append(out, c.heads.at(n).hexBlob())
		}
	}
	return out
}

// add indexes what is missing. The lock is held.
func (x *Index) add(ctx context.Context, items []Item) (int, error) {
	if s := x.segments(); s != nil {
		stale := !s.current(x.path("index"))
		s.close()
		if stale {
			x.reopen()
		}
	}
	s := x.segments()
	if s == nil {
		return x.generate(ctx, x.missing(nil, items), nil)
	}
	defer s.close()
	if len(s.tables) > rebuildFrom {
		return x.generate(ctx, x.missing(nil, items), nil)
	}
	blobs := x.missing(s, items)
	if len(blobs) == 0 {
		return 0, nil
	}
	w, err := x.openWriter(s.files.lent(), len(s.tables) >= mergeFrom)
	if err != nil {
		return x.generate(ctx, x.missing(nil, items), nil)
	}
	n, err := x.write(ctx, w, blobs, nil)
	if e := w.close(); err == nil {
		err = e
	}
	x.reopen()
	if err != nil {
		return n, fmt.Errorf("writing the index: %w", err)
	}
	return n, nil
}

// Rebuild writes a new generation that holds exactly the memories of v and
// swaps it in; progress (may be nil) hears of memories done. It waits for the
// lock until ctx ends.
func (x *Index) Rebuild(ctx context.Context, v View, progress func(done, total int)) error {
	if x.opt.Dir == "" {
		return nil
	}
	lock, err := x.lock()
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
	dir := x.path("index")
	names, _ := os.ReadDir(dir)
	name := nextGeneration(names)
	w, err := x.openWriter(&preloaded{directory: &directory{path: filepath.Join(dir, name)}}, false)
	if err != nil {
		return 0, fmt.Errorf("making a generation of the index: %w", err)
	}
	defer roomToBuild()()
	n, err := x.write(ctx, w, blobs, progress)
	if e := w.close(); err == nil {
		err = e
	}
	if err == nil {
		err = cachefile.Replace(filepath.Join(dir, "CURRENT"), []byte(name+"\n"))
	}
	if err != nil {
		_ = os.RemoveAll(filepath.Join(dir, name))
		return 0, fmt.Errorf("making a generation of the index: %w", err)
	}
	for _, e := range names {
		if strings.HasPrefix(e.Name(), "g-") && e.Name() != name {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	x.reopen()
	return n, nil
}

// buildMemory is what the process may take, in bytes, while a generation is
// made. Bluge holds a batch in memory, and a lower limit than that would have
// garbage collected all the time.
const buildMemory = 160 << 20

// roomToBuild raises the limit of the process to buildMemory, if it is lower,
// and returns what restores it.
func roomToBuild() (restore func()) {
	limit := debug.SetMemoryLimit(-1)
	if limit >= buildMemory {
		return func() {}
	}
	debug.SetMemoryLimit(buildMemory)
	return func() { debug.SetMemoryLimit(limit) }
}

func nextGeneration(names []os.DirEntry) string {
	next := 1
	for _, e := range names {
		if n, ok := generationNumber(e.Name()); ok {
			next = max(next, n+1)
		}
	}
	return generationName(next)
}

// write hands blobs to Bluge in batches; what cannot be read any more is left
// out.
func (x *Index) write(ctx context.Context, w *writer, blobs []string, progress func(done, total int)) (int, error) {
	done, n := 0, 0
	for part := range slices.Chunk(blobs, batchSize) {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		docs := x.documents(ctx, part)
		if err := w.batch(docs); err != nil {
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
func (x *Index) documents(ctx context.Context, blobs []string) []*document {
	docs := make([]*document, len(blobs))
	parallel(len(blobs), func(next func() (int, bool)) {
		a := x.borrow()
		defer x.giveBack(a)
		for i, ok := next(); ok; i, ok = next() {
			if m, ok := x.catalog.Memory(ctx, blobs[i]); ok {
				docs[i] = documentOf(a, blobs[i], m)
			}
		}
	})
	return slices.DeleteFunc(docs, func(d *document) bool { return d == nil })
}

// writer is Bluge's writer over one generation.
type writer struct {
	catalog *Catalog
	dir     *directory
	bluge   *bluge.Writer
	merges  bool
	merged  atomic.Bool
}

// openWriter opens a generation of which p was verified, or makes a new one
// where p is empty. Merging is left to sessions that wait for it: Bluge merges
// in the background, and most processes are over before it is done.
func (x *Index) openWriter(p *preloaded, merges bool) (*writer, error) {
	w := &writer{catalog: x.catalog, dir: p.directory, merges: merges}
	c := blugeConfig(p)
	c.MergePlanOptions = mergeplan.Options{
		MaxSegmentsPerTier: 1 << 20, SegmentsPerMergeTask: 8, MaxSegmentSize: 5_000_000, TierGrowth: 10,
		FloorSegmentSize: 64, ReclaimDeletesWeight: 2,
	}
	if merges {
		c.MergePlanOptions.MaxSegmentsPerTier = 8
	}
	c.EventCallback = func(e bluge.Event) {
		if e.Kind == bluge.EventKindMergerProgress {
			w.merged.Store(true)
		}
	}
	var err error
	w.bluge, err = bluge.OpenWriter(c)
	return w, err
}

// batch adds docs and returns when they are on disk. Update, not Insert, so
// that a document can never be there twice.
func (w *writer) batch(docs []*document) error {
	if len(docs) == 0 {
		return nil
	}
	w.merged.Store(false)
	b := bluge.NewBatch()
	for _, d := range docs {
		b.Update(blugeID(d.blob), newBlugeDocument(d))
	}
	return w.bluge.Batch(b)
}

// close waits for merging if it was asked for, names the documents of new
// segments, closes Bluge, and removes files that nothing refers to.
func (w *writer) close() error {
	if w.merges {
		w.settle()
	}
	keep, err := w.nameDocuments()
	if e := w.bluge.Close(); err == nil {
		err = e
	}
	if err == nil {
		w.tidy(keep)
	}
	return err
}

// settle waits, for a bounded time, until the merger is done and the snapshot
// on disk is the one in memory.
func (w *writer) settle() {
	for range 500 {
		if w.merged.Load() && w.persisted() {
			return
		}
		time.Sleep(4 * time.Millisecond)
	}
}

func (w *writer) persisted() bool {
	w.dir.mu.Lock()
	onDisk, err := snapshotSegments(w.dir.snapshot)
	w.dir.mu.Unlock()
	live, e := w.bluge.Reader()
	if err != nil || e != nil {
		return false
	}
	defer live.Close()
	var ids []uint64
	for _, s := range live.Segments() {
		ids = append(ids, s.ID())
	}
	return slices.Equal(ids, onDisk)
}

// nameDocuments writes the tables that are missing, and returns the files of
// the segments in use.
func (w *writer) nameDocuments() (map[string]bool, error) {
	live, err := w.bluge.Reader()
	if err != nil {
		return nil, err
	}
	defer live.Close()
	keep := map[string]bool{sealsName: true}
	first := uint32(0)
	for _, seg := range live.Segments() {
		n, err := segmentSize(seg)
		if err != nil {
			return nil, err
		}
		keep[itemName(bluge.ItemKindSegment, seg.ID())] = true
		keep[itemName(tableKind, seg.ID())] = true
		if _, err := loadTable(w.dir, seg.ID(), int(n), w.catalog.hash); err != nil {
			t, err := tableOf(live, first, n, w.catalog.hash, w.catalog.hint)
			if err == nil {
				err = saveTable(w.dir, seg.ID(), t)
			}
			if err != nil {
				return nil, err
			}
		}
		first += n
	}
	return keep, nil
}

// tidy removes all but the files in keep and the newest snapshot. If Bluge is
// behind with merging, that snapshot may name other segments: then nothing is
// removed this time.
func (w *writer) tidy(keep map[string]bool) {
	ids, err := snapshotSegments(w.dir.snapshot)
	if err != nil {
		return
	}
	for _, id := range ids {
		if !keep[itemName(bluge.ItemKindSegment, id)] {
			return
		}
	}
	keep[itemName(bluge.ItemKindSnapshot, w.dir.epoch)] = true
	entries, _ := os.ReadDir(w.dir.path)
	for _, e := range entries {
		if !keep[e.Name()] {
			_ = os.Remove(filepath.Join(w.dir.path, e.Name()))
		}
	}
}
