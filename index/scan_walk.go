package index

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/memory"
)

// fileStat is a candidate file with what tells whether it changed.
type fileStat struct {
	path  string // slash-separated, relative to the root
	blob  string
	size  int64
	mtime int64 // ns
	ctime int64 // ns; 0 where there is none
	inode uint64
}

func (a *fileStat) same(b *fileStat) bool {
	return a.size == b.size && a.mtime == b.mtime && a.ctime == b.ctime && a.inode == b.inode
}

// walkers is how many folders are read at once: stat is bound by the kernel,
// and two cores are what can be counted on.
const walkers = 2

// walk lists the memory files below root, sorted by path.
func walk(ctx context.Context, root string) ([]fileStat, []Problem, error) {
	w := &walker{ctx: ctx, root: root}
	w.cond = sync.NewCond(&w.mu)
	w.queue, w.open = []string{""}, 1
	var group sync.WaitGroup
	for range walkers {
		group.Go(w.run)
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, fmt.Errorf("scanning memories: %w", err)
	}
	if w.err != nil {
		return nil, nil, w.err
	}
	slices.SortFunc(w.files, func(a, b fileStat) int { return strings.Compare(a.path, b.path) })
	if len(w.files) > maxFiles {
		w.problem(w.files[maxFiles].path, fmt.Sprintf("over the limit of %d memories in one tree; this file and those after it are left out", maxFiles))
		w.files = w.files[:maxFiles]
	}
	return w.files, w.problems, nil
}

type walker struct {
	ctx  context.Context //nolint:containedctx // a walker lives as long as one call
	root string

	mu       sync.Mutex
	cond     *sync.Cond
	queue    []string // folders to read, relative to root
	open     int      // folders queued or being read
	files    []fileStat
	problems []Problem
	err      error
}

func (w *walker) run() {
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
		var found folder
		if w.ctx.Err() == nil {
			found = w.readFolder(dir)
		}
		w.mu.Lock()
		w.files = append(w.files, found.files...)
		w.problems = append(w.problems, found.problems...)
		w.queue = append(w.queue, found.folders...)
		w.open += len(found.folders) - 1
		w.cond.Broadcast()
		w.mu.Unlock()
	}
}

// folder is what one folder holds.
type folder struct {
	files    []fileStat
	folders  []string
	problems []Problem
}

func (f *folder) problem(path, text string) {
	f.problems = append(f.problems, Problem{Path: path, Text: text})
}

func (w *walker) problem(path, text string) {
	w.problems = append(w.problems, Problem{Path: path, Text: text})
}

// sort decides what one name of a folder is. Names that start with a dot are
// left alone, as editors put their temporary files there.
func (f *folder) sort(dir, name string, mode os.FileMode, st fileStat) {
	full := path.Join(dir, name)
	switch {
	case strings.HasPrefix(name, "."):
	case mode.IsDir() && strings.Count(full, "/") >= maxDepth:
		f.problem(full, fmt.Sprintf("folders nested deeper than %d are not read", maxDepth))
	case mode.IsDir():
		f.folders = append(f.folders, full)
	case !strings.HasSuffix(name, ".md"):
	case !mode.IsRegular():
		f.problem(full, kindOf(mode)+" is not a memory file")
	case st.size > memory.MaxFile:
		f.problem(full, errTooLarge(st.size).Error())
	default:
		st.path = full
		f.files = append(f.files, st)
	}
}
