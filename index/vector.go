package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/memory"
	"github.com/gofrs/flock"
)

const (
	embedBatch = 64 // texts handed to an embedder at once
	embedNow   = 63 // memories that a search embeds itself: one batch with the query

	keptModels = 4    // files of vectors that are kept, the latest
	wasteFrom  = 1000 // records of waste from which a file is written anew
)

// Vectors holds the vectors that one embedder made of memories: a cache in
// <dir>/vectors, one file for each model, read without a lock and written by
// one process at a time. Its methods may be called from several goroutines.
type Vectors struct {
	index    *Index
	embedder embed.Model
	asking   sync.Mutex // the embedder

	mu     sync.Mutex
	file   *vectorFile
	opened bool
	fresh  map[string]vectorRecord // by blob; not in the file yet
}

// Vectors opens the vectors of an embedder, which it calls from one goroutine
// at a time. It reads nothing yet and never fails: what is missing or damaged
// is embedded again. The caller closes it before the index.
func (x *Index) Vectors(e embed.Model) *Vectors {
	return &Vectors{index: x, embedder: e, fresh: map[string]vectorRecord{}}
}

// Close releases the file. What [Vectors.Flush] did not write is lost.
func (v *Vectors) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.file.close()
	v.file, v.opened = nil, false
	return nil
}

func (v *Vectors) path() string {
	sum := sha256.Sum256([]byte(v.embedder.Name()))
	return v.index.path("vectors", hex.EncodeToString(sum[:12]))
}

func (v *Vectors) idSize() int {
	if v.index.opt.SHA256 {
		return 64
	}
	return 40
}

// open maps the file, once. mu is held.
func (v *Vectors) open() {
	if v.opened || v.index.opt.Dir == "" {
		return
	}
	v.opened = true
	f, err := openVectorFile(v.path(), v.embedder.Name())
	if err != nil {
		return
	}
	if d := v.embedder.Dims(); f.idSize != v.idSize() || d != 0 && f.dims != d {
		f.close()
		return
	}
	v.file = f
}

// missing are the blobs, each once, sorted, that have no vector.
func (v *Vectors) missing(items []Item) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.open()
	want := make(map[string]bool, len(items))
	for i := range items {
		if blob := items[i].Blob; v.fresh[blob] == nil && len(blob) == v.idSize() {
			want[blob] = true
		}
	}
	_ = v.eachRecord(func(r vectorRecord) { delete(want, r.blob(v.idSize())) })
	return slices.Sorted(maps.Keys(want))
}

// eachRecord calls visit with every record of the file that is not damaged.
func (v *Vectors) eachRecord(visit func(r vectorRecord)) error {
	return mapped.Guard(func() error {
		for i := range v.file.count() {
			if r := v.file.record(i); r != nil {
				visit(r)
			}
		}
		return nil
	})
}

// Update embeds the memories of view that have no vector yet, at most limit of
// them (0 means all), and writes their vectors down, batch by batch, so that
// what was done is kept when it ends early. It returns how many it embedded and
// how many are left. progress (may be nil) hears of memories done. Where
// another process is writing, nothing is embedded, which is no error.
func (v *Vectors) Update(ctx context.Context, view View, limit int, progress func(done, total int)) (done, left int, err error) {
	blobs := slices.DeleteFunc(v.missing(view.Items), func(blob string) bool { return !v.index.catalog.Has(blob) })
	total := len(blobs)
	if limit > 0 {
		blobs = blobs[:min(limit, total)]
	}
	if total == 0 {
		return 0, 0, v.Flush()
	}
	lock, ok, err := v.lock()
	if err != nil || !ok {
		return 0, total, err
	}
	defer lock.Close()
	for part := range slices.Chunk(blobs, embedBatch) {
		if err := v.embed(ctx, part); err != nil {
			return done, total - done, errors.Join(err, v.write())
		}
		if done += len(part); done%(16*embedBatch) == 0 || done == len(blobs) {
			if err := v.write(); err != nil {
				return done, total - done, err
			}
		}
		if progress != nil {
			progress(done, len(blobs))
		}
	}
	return done, total - done, nil
}

// embed makes the vectors of memories; of what cannot be read, nothing.
func (v *Vectors) embed(ctx context.Context, blobs []string) error {
	_, err := v.embedWith(ctx, "", blobs)
	return err
}

// embedWith makes the vectors of memories and returns that of query, unless
// that is "". One batch: a remote embedder is asked once.
func (v *Vectors) embedWith(ctx context.Context, query string, blobs []string) ([]float32, error) {
	var texts, known []string
	for _, blob := range blobs {
		if m, ok := v.index.catalog.Memory(ctx, blob); ok {
			texts, known = append(texts, embedText(m)), append(known, blob)
		}
	}
	if query != "" {
		texts = append(texts, query)
	}
	if len(texts) == 0 {
		return nil, nil
	}
	v.asking.Lock()
	vectors, err := v.embedder.Embed(ctx, texts)
	v.asking.Unlock()
	if err != nil {
		return nil, err
	}
	if err := embed.Check(vectors, len(texts), v.embedder.Dims()); err != nil {
		return nil, fmt.Errorf("embedding with %s: %w", v.embedder.Name(), err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, blob := range known {
		v.fresh[blob] = newVectorRecord(blob, vectors[i])
	}
	if query == "" {
		return nil, nil
	}
	return vectors[len(known)], nil
}

// Flush writes the vectors that searches made, unless another process is
// writing at this moment. Call it after answering.
func (v *Vectors) Flush() error {
	v.mu.Lock()
	n := len(v.fresh)
	v.mu.Unlock()
	if n == 0 {
		return nil
	}
	lock, ok, err := v.lock()
	if err != nil || !ok {
		return err
	}
	defer lock.Close()
	return v.write()
}

// lock takes the lock of writers, if nobody has it and there is a folder.
func (v *Vectors) lock() (*flock.Flock, bool, error) {
	if v.index.opt.Dir == "" {
		return flock.New(os.DevNull), true, nil
	}
	if err := os.MkdirAll(v.index.path("vectors"), 0o777); err != nil {
		return nil, false, fmt.Errorf("making the folder of vectors: %w", err)
	}
	lock := flock.New(v.index.path("vectors", "lock"))
	ok, err := lock.TryLock()
	if err != nil || !ok {
		return nil, false, nil //nolint:nilerr // a cache that cannot be written now is written next time
	}
	return lock, true, nil
}

// write moves fresh vectors to the file. The lock is held. The file is read
// again, because another process may have appended since.
func (v *Vectors) write() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.index.opt.Dir == "" || len(v.fresh) == 0 {
		return nil
	}
	v.reopen()
	keep, seen := []vectorRecord{}, map[string]bool{}
	if err := v.eachRecord(func(r vectorRecord) {
		if blob := r.blob(v.idSize()); !seen[blob] {
			seen[strings.Clone(blob)] = true
			keep = append(keep, r)
		}
	}); err != nil {
		return fmt.Errorf("reading vectors: %w", err)
	}
	var add []vectorRecord
	for _, blob := range slices.Sorted(maps.Keys(v.fresh)) {
		if !seen[blob] {
			add = append(add, v.fresh[blob])
		}
	}
	if err := v.put(keep, add); err != nil {
		return err
	}
	clear(v.fresh)
	v.file.close()
	v.file, v.opened = nil, false
	return nil
}

// put appends to the file, or writes it anew when there is none or half of it
// is waste.
func (v *Vectors) put(keep, add []vectorRecord) error {
	waste := v.file.count() - len(keep)
	if v.file != nil && (waste < wasteFrom || 2*waste < v.file.count()) {
		return appendVectors(v.path(), v.file, add)
	}
	return v.replace(v.embedder.Dims(), slices.Concat(keep, add))
}

// forgetModels deletes the files of models that were not written to for the
// longest time.
func forgetModels(dir string) {
	entries, _ := os.ReadDir(dir)
	var files []os.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && e.Name() != "lock" && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, f := range files[min(len(files), keptModels):] {
		_ = os.Remove(filepath.Join(dir, f.Name()))
	}
}

// embedText is what of a memory is embedded: its title, unless that only
// repeats how the text begins, and its text.
func embedText(m *memory.Memory) string {
	if echoes(m) {
		return m.Text
	}
	return m.Title + "\n" + m.Text
}

// echoes reports whether the title of m only repeats how its text begins, as
// titles made by machines do.
func echoes(m *memory.Memory) bool {
	title := strings.TrimRight(m.Title, ".…! ")
	return strings.HasPrefix(memory.OneLine(m.Text[:min(len(m.Text), 2*len(title)+16)]), title)
}
