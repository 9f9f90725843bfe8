package index

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-cortex/cortex/index/internal/entry"
	"github.com/git-cortex/cortex/index/internal/readfile"
	"github.com/git-cortex/cortex/internal/stamp"
	"github.com/git-cortex/cortex/memory"
	"golang.org/x/sync/errgroup"
)

// fileStat is a candidate file.
type fileStat struct {
	stamp.Stamp
	path string // slash-separated, relative to the root, behind the prefix
	blob string // "" until it is known
	hint int32  // 1 + its number in the catalog, or 0
}

// folderStat is a folder and what it holds, sorted by name.
type folderStat struct {
	stamp.Stamp
	path     string   // relative to the root
	prefix   string   // of the paths of files and problems
	folders  []string // paths
	files    []fileStat
	same     *cachedFolder // its files are as they were, and not in files yet
	problems []Problem
}

// reusable reports whether the list of names can be taken from old, the same
// folder as it was before.
func (f *folderStat) reusable(old *cachedFolder, at int64) bool {
	return old != nil && f.Stamp == old.Stamp && !f.Racy(at) && !old.odd
}

// walk lists the memory files below root by folder, folders sorted by path.
// What did not change since cache was written comes with its blob; if nothing
// did, only the items of the tree are made.
func (w *walker) walk(ctx context.Context) ([]folderStat, error) {
	w.queue, w.open = []string{""}, 1
	w.cond = sync.NewCond(&w.mu)
	var group errgroup.Group
	for range workers() {
		group.Go(func() error {
			w.run(ctx)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("scanning memories: %w", err)
	}
	slices.SortStableFunc(w.found, func(a, b folderStat) int { return strings.Compare(a.path, b.path) })
	troubled := slices.ContainsFunc(w.found, func(f folderStat) bool { return len(f.problems) > 0 })
	if w.filled.Load() == int64(w.cache.count()) && !troubled && w.cache.current(w.found) {
		return w.found, nil
	}
	w.items = nil
	w.cache.decodeSame(w.found)
	limitFiles(w.found)
	return w.found, nil
}

func limitFiles(found []folderStat) {
	n := 0
	for i := range found {
		f := &found[i]
		if room := maxFiles - n; len(f.files) > room {
			f.problem(strings.TrimPrefix(f.files[room].path, f.prefix), fmt.Sprintf("over the limit of %d memories in one tree: this file and those after it are left out", maxFiles))
			f.files = f.files[:room]
		}
		n += len(f.files)
	}
}

type walker struct {
	root, prefix string
	cache        *statCache
	catalog      *Catalog
	folders      bool // see [Haste]

	// The items of a tree that is as it was, by place in the cache, and how many
	// are there.
	items  []Item
	filled atomic.Int64
	shared atomic.Bool // some file has other names besides

	mu    sync.Mutex
	cond  *sync.Cond
	queue []string // folders to read
	open  int      // folders queued or being read
	found []folderStat
}

// filler makes items of files that are as they were, as far as the catalog
// knows them by the number that the cache names.
type filler struct {
	w *walker
	n int64
}

func (w *walker) filler() *filler {
	w.catalog.load()
	w.catalog.mu.RLock()
	return &filler{w: w}
}

func (f *filler) add(i int, row statRecord, path string) {
	c, hint, blob := f.w.catalog, row.hint(), row.blob()
	n := int(hint) - 1
	if n < 0 || n >= c.heads.Len() || c.gone[n] {
		return
	}
	if h := c.heads.At(n); h.IsMemory() && entry.SameBlob(h.Blob(), blob) {
		f.w.items[i] = Item{Blob: blob, Path: path, Stage: Landed, known: c, hint: hint, linked: h.Linked(), tag: entry.TagOf(h.ID())}
		f.n++
	}
}

func (f *filler) done() {
	f.w.catalog.mu.RUnlock()
	f.w.filled.Add(f.n)
}

// run reads folders until there are none left.
func (w *walker) run(ctx context.Context) {
	for {
		w.mu.Lock()
		for len(w.queue) == 0 && w.open > 0 {
			w.cond.Wait()
		}
		if w.open == 0 {
			w.mu.Unlock()
			return
		}
		dir := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		w.mu.Unlock()
		f := folderStat{path: dir, prefix: w.prefix}
		if ctx.Err() == nil {
			w.read(&f)
		}
		w.mu.Lock()
		w.found = append(w.found, f)
		w.queue = append(w.queue, f.folders...)
		w.open += len(f.folders) - 1
		w.cond.Broadcast()
		w.mu.Unlock()
	}
}

func (f *folderStat) problem(path, text string) {
	f.problems = append(f.problems, Problem{Path: f.prefix + path, Text: text})
}

// trouble records that the folder, or the file at a path in it, could not be read
// now; that it is gone is none.
func (f *folderStat) trouble(path string, err error) {
	if !os.IsNotExist(err) {
		p := problemOf(f.prefix+path, err)
		p.Unread = true
		f.problems = append(f.problems, p)
	}
}

// take decides what one name of the folder is. Names that start with a dot are
// left alone, as editors put their temporary files there.
func (f *folderStat) take(name string, mode os.FileMode, st stamp.Stamp) {
	full := path.Join(f.path, name)
	switch {
	case strings.HasPrefix(name, "."):
	case mode.IsDir() && strings.Count(full, "/") >= maxDepth:
		f.problem(full, fmt.Sprintf("folders nested deeper than %d are not read", maxDepth))
	case mode.IsDir():
		f.folders = append(f.folders, full)
	case !strings.HasSuffix(name, ".md"):
	case !mode.IsRegular():
		f.problem(full, readfile.Kind(mode)+" is not a memory file")
	case st.Size > memory.MaxFile:
		f.problem(full, readfile.TooLarge(st.Size).Error())
	default:
		f.files = append(f.files, fileStat{Stamp: st, path: f.prefix + full})
	}
}

// inherit gives unchanged files the blobs they had in rest. Both are sorted.
func (f *folderStat) inherit(rest []fileStat, at int64) {
	for i := range f.files {
		file := &f.files[i]
		for len(rest) > 0 && rest[0].path < file.path {
			rest = rest[1:]
		}
		if len(rest) > 0 && rest[0].path == file.path && rest[0].Stamp == file.Stamp && !file.Racy(at) {
			file.blob, file.hint = rest[0].blob, rest[0].hint
		}
	}
}

// old are the files that the folder at path had.
func (w *walker) old(path string) []fileStat {
	if f := w.cache.folder(path); f != nil {
		return w.cache.files(f)
	}
	return nil
}
