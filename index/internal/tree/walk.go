package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-cortex/cortex/index/internal/readfile"
	"github.com/git-cortex/cortex/index/internal/work"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/stamp"
	"github.com/git-cortex/cortex/memory"
	"golang.org/x/sync/errgroup"
)

// Limits of a walk. What is beyond them is a problem, not a file.
const (
	maxDepth = 8
	// MaxFiles is how many files a tree has at most.
	MaxFiles = 500_000
)

// File is a file that may hold a memory.
type File struct {
	stamp.Stamp
	Path string // slash-separated, relative to the root, behind the prefix
	Blob string // "" until it is known
	Hint int32  // 1 + its number in the catalog, or 0
}

// Folder is a folder and what it holds, sorted by name.
type Folder struct {
	stamp.Stamp
	Path     string // relative to the root
	Files    []File
	Problems []Problem

	prefix  string        // of the paths of files and problems
	folders []string      // paths
	same    *cachedFolder // its files are as they were, and not in Files yet
}

// Problem is a file or folder that is not taken.
type Problem struct {
	Path, Text string
	Unread     bool // it could not be read now
}

// Count returns how many files the folder has.
func (f *Folder) Count() int {
	if f.same != nil {
		return f.same.count
	}
	return len(f.Files)
}

// reusable reports whether the list of names can be taken from old, the same
// folder as it was before.
func (f *Folder) reusable(old *cachedFolder, at int64) bool {
	return old != nil && f.Stamp == old.Stamp && !f.Racy(at) && !old.odd
}

// Walked holds what a walk found.
type Walked struct {
	Folders []Folder // sorted by path
	Shared  bool     // some file has other names besides
	Same    bool     // everything is as the cache says; then no folder has its files yet

	cache *Cache
}

// Walk lists the memory files of the tree of a cache. What did not change since the cache
// was written comes with its blob. With foldersOnly a file that was written in place is
// taken as it was, in a folder that is as it was.
func Walk(ctx context.Context, c *Cache, foldersOnly bool) (*Walked, error) {
	w := &walker{cache: c, foldersOnly: foldersOnly, queue: []string{""}, open: 1}
	w.cond = sync.NewCond(&w.mu)
	var group errgroup.Group
	for range work.Workers() {
		group.Go(func() error {
			w.run(ctx)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("scanning memories: %w", err)
	}
	lists.Sort(w.found, func(a, b Folder) int { return strings.Compare(a.Path, b.Path) })
	changed := slices.ContainsFunc(w.found, func(f Folder) bool { return f.same == nil || len(f.Problems) > 0 })
	out := &Walked{Folders: w.found, Shared: w.shared.Load(), Same: !changed && c.Current(w.found), cache: c}
	if !out.Same {
		out.Decode()
	}
	return out, nil
}

// Decode gives each folder its files.
func (w *Walked) Decode() {
	w.Same = false
	w.cache.decodeSame(w.Folders)
	n := 0
	for i := range w.Folders {
		f := &w.Folders[i]
		if room := MaxFiles - n; len(f.Files) > room {
			f.problem(strings.TrimPrefix(f.Files[room].Path, f.prefix), fmt.Sprintf(
				"over the limit of %d memories in one tree: this file and those after it are left out", MaxFiles))
			f.Files = f.Files[:room]
		}
		n += len(f.Files)
	}
}

type walker struct {
	cache       *Cache
	foldersOnly bool
	shared      atomic.Bool // some file has other names besides

	mu    sync.Mutex
	cond  *sync.Cond
	queue []string // folders to read
	open  int      // folders queued or being read
	found []Folder
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
		f := Folder{Path: dir, prefix: w.cache.prefix}
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

func (f *Folder) problem(path, text string) {
	f.Problems = append(f.Problems, Problem{Path: f.prefix + path, Text: text})
}

// trouble records that the folder, or the file at a path in it, could not be read
// now; that it is gone is none.
func (f *Folder) trouble(path string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	f.Problems = append(f.Problems, Problem{Path: f.prefix + path, Text: err.Error(), Unread: true})
}

// take decides what one name of the folder is. Names that start with a dot are
// left alone, as editors put their temporary files there.
func (f *Folder) take(name string, mode os.FileMode, st stamp.Stamp) {
	switch full := path.Join(f.Path, name); {
	case strings.HasPrefix(name, "."):
	case mode.IsDir():
		f.takeFolder(full)
	case strings.HasSuffix(name, ".md"):
		f.takeFile(full, mode, st)
	}
}

func (f *Folder) takeFolder(full string) {
	if strings.Count(full, "/") >= maxDepth {
		f.problem(full, fmt.Sprintf("folders nested deeper than %d are not read", maxDepth))
		return
	}
	f.folders = append(f.folders, full)
}

func (f *Folder) takeFile(full string, mode os.FileMode, st stamp.Stamp) {
	switch {
	case !mode.IsRegular():
		f.problem(full, readfile.Kind(mode)+" is not a memory file")
	case st.Size > memory.MaxFile:
		f.problem(full, readfile.TooLarge(st.Size).Error())
	default:
		f.Files = append(f.Files, File{Stamp: st, Path: f.prefix + full})
	}
}

// inherit gives unchanged files the blobs they had in old. Both are sorted.
func (f *Folder) inherit(old []File, at int64) {
	for i := range f.Files {
		file := &f.Files[i]
		k, ok := slices.BinarySearchFunc(old, file.Path, func(o File, p string) int {
			return strings.Compare(o.Path, p)
		})
		if ok && old[k].Stamp == file.Stamp && !file.Racy(at) {
			file.Blob, file.Hint = old[k].Blob, old[k].Hint
		}
	}
}

// old are the files that the folder at path had.
func (w *walker) old(path string) []File {
	if f := w.cache.folder(path); f != nil {
		return w.cache.files(f)
	}
	return nil
}
