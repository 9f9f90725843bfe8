// Package vector keeps the vectors of memories, quantised to one byte a number, and
// compares all of them with a query.
//
// [Open] a [Store] for an [embed.Model], call [Store.Ask] to search, and
// [Store.Flush] after answering. [Store.Update] embeds what has no vector yet.
//
// What the package promises:
//   - Vectors can be deleted at any time: what is missing, damaged or of another
//     model is embedded again. There is one file for each model.
//   - A similarity depends on the text and the memory alone: it is the same
//     whether the vector was read or made now.
//   - Readers take no lock; of several writers one writes, and the others say how
//     many memories are left.
package vector

import (
	"cmp"
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
	"time"

	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/gofrs/flock"
)

const (
	// Now is the number of memories that [Question.Similar] embeds itself at most.
	Now   = 63
	chunk = 8 // of them at once for a caller that waits: what is done when its time is over is kept

	embedBatch = 64 // texts handed to a model at once
	writeEvery = 16 * embedBatch

	keptModels = 4    // files of vectors that are kept: those written to last
	wasteFrom  = 1000 // records of waste from which a file is written anew
)

// Options says of what vectors are made and where they are kept.
type Options struct {
	Dir    string      // the folder; "" keeps nothing, and it is made when first written
	SHA256 bool        // memories are named by SHA-256 instead of SHA-1
	Model  embed.Model // called from one goroutine at a time
	// Text is the text of a memory that is embedded; false when it cannot be had.
	Text func(ctx context.Context, blob string) (string, bool)
}

// Store holds the vectors that one model made of memories: one file for each
// model, read without a lock and written by one process at a time. Its methods
// may be called from several goroutines.
type Store struct {
	opt    Options
	asking sync.Mutex // the model

	mu     sync.Mutex
	file   *vectorFile
	opened bool
	fresh  map[string]record // by blob; not in the file yet
}

// Open opens the vectors of a model. It reads nothing yet and never fails:
// what is missing or damaged is embedded again.
func Open(opt Options) *Store {
	return &Store{opt: opt, fresh: map[string]record{}}
}

// Close releases the file. What [Store.Flush] did not write is lost.
func (v *Store) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.file.close()
	v.file, v.opened = nil, false
	return nil
}

func (v *Store) path() string {
	sum := sha256.Sum256([]byte(v.opt.Model.Name()))
	return filepath.Join(v.opt.Dir, hex.EncodeToString(sum[:12]))
}

func (v *Store) idSize() int {
	if v.opt.SHA256 {
		return 64
	}
	return 40
}

// open maps the file, once. mu is held.
func (v *Store) open() {
	if v.opened || v.opt.Dir == "" {
		return
	}
	v.opened = true
	f, err := openFile(v.path(), v.opt.Model.Name())
	if err != nil {
		return
	}
	if f.idSize != v.idSize() || f.dims != cmp.Or(v.opt.Model.Dims(), f.dims) {
		f.close()
		return
	}
	v.file = f
}

// missing are those of blobs, each once, sorted, that have no vector.
func (v *Store) missing(blobs []string) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.open()
	want := make(map[string]bool, len(blobs))
	for _, blob := range blobs {
		if v.fresh[blob] == nil && len(blob) == v.idSize() {
			want[blob] = true
		}
	}
	_ = v.eachRecord(func(r record) { delete(want, r.blob(v.idSize())) })
	return slices.Sorted(maps.Keys(want))
}

// eachRecord calls visit with every record of the file that is not damaged.
func (v *Store) eachRecord(visit func(r record)) error {
	return mapped.Guard(func() error {
		for i := range v.file.count() {
			if r := v.file.at(i); r != nil {
				visit(r)
			}
		}
		return nil
	})
}

// Update embeds the memories named by blobs that have no vector yet, at most limit
// of them (0 means all), and writes their vectors down, batch by batch, so that
// what was done is kept when it ends early. It returns how many it embedded and
// how many are left. Progress, unless it is nil, is called with the number of
// memories done. While another process is writing, nothing is embedded, which is
// no error.
func (v *Store) Update(
	ctx context.Context, blobs []string, limit int, progress func(done, total int),
) (done, left int, err error) {
	blobs = v.missing(blobs)
	total := len(blobs)
	blobs = lists.First(blobs, limit)
	if total == 0 {
		return 0, 0, v.Flush()
	}
	lock, ok, err := v.lock()
	if err != nil || !ok {
		return 0, total, err
	}
	defer lock.Close()
	unwritten := 0
	for part := range slices.Chunk(blobs, embedBatch) {
		if err := v.embed(ctx, part, 0); err != nil {
			return done, total - done, errors.Join(err, v.write())
		}
		done += len(part)
		if unwritten += len(part); unwritten >= writeEvery || done == len(blobs) {
			unwritten = 0
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

// embed makes the vectors of memories; of what cannot be read, nothing. Wait is as
// in [Store.Ask].
func (v *Store) embed(ctx context.Context, blobs []string, wait time.Duration) error {
	var texts, known []string
	for _, blob := range blobs {
		if text, ok := v.opt.Text(ctx, blob); ok {
			texts, known = append(texts, text), append(known, blob)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	vectors, err := v.made(ctx, texts, wait)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, blob := range known {
		v.fresh[blob] = newRecord(blob, vectors[i])
	}
	return nil
}

// made are the vectors that the model makes of texts.
func (v *Store) made(ctx context.Context, texts []string, wait time.Duration) (vectors [][]float32, err error) {
	v.asking.Lock()
	if m, ok := v.opt.Model.(embed.Impatient); ok && wait > 0 {
		vectors, err = m.EmbedWithin(ctx, wait, texts)
	} else {
		vectors, err = v.opt.Model.Embed(ctx, texts)
	}
	v.asking.Unlock()
	if err == nil {
		if err = embed.Check(vectors, len(texts), v.opt.Model.Dims()); err != nil {
			err = fmt.Errorf("embedding with %s: %w", v.opt.Model.Name(), err)
		}
	}
	return vectors, err
}

// Flush writes the vectors that searches made, unless another process is
// writing at this moment. Call it after answering.
func (v *Store) Flush() error {
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
func (v *Store) lock() (*flock.Flock, bool, error) {
	if v.opt.Dir == "" {
		return flock.New(os.DevNull), true, nil
	}
	if err := os.MkdirAll(v.opt.Dir, 0o777); err != nil {
		return nil, false, fmt.Errorf("making the folder of vectors: %w", err)
	}
	lock := flock.New(filepath.Join(v.opt.Dir, "lock"))
	ok, err := lock.TryLock()
	if err != nil || !ok {
		return nil, false, nil //nolint:nilerr // a cache that cannot be written now is written next time
	}
	return lock, true, nil
}

// write moves fresh vectors to the file. The lock is held. The file is read
// again, because another process may have appended since.
func (v *Store) write() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.opt.Dir == "" || len(v.fresh) == 0 {
		return nil
	}
	v.reopen()
	keep, seen := []record{}, map[string]bool{}
	if err := v.eachRecord(func(r record) {
		if blob := r.blob(v.idSize()); !seen[blob] {
			seen[strings.Clone(blob)] = true
			keep = append(keep, r)
		}
	}); err != nil {
		return fmt.Errorf("reading vectors: %w", err)
	}
	var add []record
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
func (v *Store) put(keep, add []record) error {
	waste := v.file.count() - len(keep)
	if v.file != nil && (waste < wasteFrom || 2*waste < v.file.count()) {
		return appendTo(v.path(), v.file, add)
	}
	return v.replace(v.opt.Model.Dims(), slices.Concat(keep, add))
}

// forgetModels deletes the files of models that were not written to for the
// longest time.
func forgetModels(dir string) {
	entries, _ := os.ReadDir(dir)
	var files []os.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && isModelFile(info) {
			files = append(files, info)
		}
	}
	lists.Sort(files, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, f := range files[min(len(files), keptModels):] {
		_ = os.Remove(filepath.Join(dir, f.Name()))
	}
}

// isModelFile reports whether a file holds the vectors of a model.
func isModelFile(info os.FileInfo) bool {
	return info.Mode().IsRegular() && info.Name() != "lock" && !strings.HasPrefix(info.Name(), ".")
}
