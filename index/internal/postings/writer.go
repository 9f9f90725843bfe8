package postings

import (
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	bluge "github.com/blugelabs/bluge/index"
	"github.com/blugelabs/bluge/index/mergeplan"
)

// Writer adds documents to a generation. It must be closed.
type Writer struct {
	folder Folder
	dir    *directory
	bluge  *bluge.Writer
	merges bool
	merged atomic.Bool
}

// openWriter opens a generation of which p was verified, or makes a new one
// where p is empty. Merging is left to sessions that wait for it: Bluge merges
// in the background, and most processes are over before it is done.
func (f Folder) openWriter(p *preloaded, merges bool) (*Writer, error) {
	w := &Writer{folder: f, dir: p.directory, merges: merges}
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

// Add adds docs, and returns when they are in files. A document that is there
// already is replaced.
func (w *Writer) Add(docs []*Document) error {
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

// Close waits for merging if it was asked for, names the documents of new
// segments, closes Bluge, and removes files that nothing refers to.
func (w *Writer) Close() error {
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
func (w *Writer) settle() {
	for range 500 {
		if w.merged.Load() && w.persisted() {
			return
		}
		time.Sleep(4 * time.Millisecond)
	}
}

func (w *Writer) persisted() bool {
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
func (w *Writer) nameDocuments() (map[string]bool, error) {
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
		if _, err := loadTable(w.dir, seg.ID(), int(n), w.folder.Hash); err != nil {
			t, err := tableOf(live, first, n, w.folder.Hash, w.folder.Number)
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
func (w *Writer) tidy(keep map[string]bool) {
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
