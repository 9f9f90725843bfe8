package index

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/git-cortex/cortex/index/internal/tree"
	"github.com/git-cortex/cortex/internal/stamp"
)

const (
	// watchedFrom is how many files a tree has at least that is watched: a look at
	// fewer costs less than a millisecond or two.
	watchedFrom = 1000
	// lookAfter is when a tree that was answered from without a look is looked at, at the soonest, and
	// lookEach how much later for each of its files, so that looks take little of the time.
	lookAfter = time.Second
	lookEach  = 100 * time.Microsecond
)

// watched is a tree of a process that lives on. It is answered from without a look
// at each file while its folders are as they were and nothing has happened in them.
// After such an answer the files are looked at in the background: should one differ
// of which the watch said nothing, the watch is not believed any more.
type watched struct {
	mu      sync.Mutex
	watch   *tree.Watch   // nil for none
	never   bool          // there can be none
	tree    *Tree         // nil when it is not known
	folders []tree.Folder // of tree: names and stamps
	count   int           // what had happened then

	pending *time.Timer // the look that is to come; nil for none
	looking sync.WaitGroup
	ended   context.CancelFunc
}

// watchedTree returns the watched tree at root; nil where nothing is watched.
func (x *Index) watchedTree(root string) *watched {
	if !x.opt.Watch {
		return nil
	}
	x.watchMu.Lock()
	defer x.watchMu.Unlock()
	s := x.watches[root]
	if s == nil {
		s = &watched{}
		x.watches[root] = s
	}
	return s
}

// held is the tree if nothing can have happened to it since it was seen; else nil.
func (s *watched) held(ctx context.Context, x *Index, root string) *Tree {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tree == nil {
		return nil
	}
	if count, ok := s.watch.Happened(); !ok || count != s.count {
		s.tree = nil
		if !ok {
			s.drop()
		}
		return nil
	}
	if s.replaced(root) {
		s.drop()
		return nil
	}
	s.lookLater(ctx, x, root)
	return s.tree.clone()
}

// replaced reports whether something put other folders in the place of those that are
// watched, of which the watch says nothing.
func (s *watched) replaced(root string) bool {
	return slices.ContainsFunc(s.folders, func(f tree.Folder) bool {
		now, ok := stamp.Lstat(filepath.Join(root, filepath.FromSlash(f.Path)))
		return !ok || now != f.Stamp
	})
}

// drop ends the watch. There may be another.
func (s *watched) drop() {
	if s.watch != nil {
		s.watch.Close()
	}
	s.watch, s.tree, s.folders = nil, nil, nil
}

// refuse ends the watch for good.
func (s *watched) refuse() {
	s.drop()
	s.never = true
}

// before is called before a look at the tree. It returns what has happened so far, to be
// given to after; -1 when what happens during the look is not known.
func (s *watched) before() int {
	if s == nil {
		return -1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watch == nil {
		return -1
	}
	count, ok := s.watch.Happened()
	if !ok {
		s.drop()
		return -1
	}
	return count
}

// after is called after a look that was at all files of the tree. The tree is known
// from then on if all of its folders were watched, and nothing happened, since before.
func (s *watched) after(root string, since int, t *Tree, w *tree.Walked) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tree = nil
	if !s.isWorth(t, w) {
		return
	}
	if w.Shared || !s.addAll(root, w.Folders) { // what is written by another name of a file is not counted
		s.refuse()
		return
	}
	count, ok := s.watch.Happened()
	if !ok || count != since {
		return
	}
	s.folders = make([]tree.Folder, len(w.Folders))
	for i := range w.Folders {
		s.folders[i] = tree.Folder{Path: w.Folders[i].Path, Stamp: w.Folders[i].Stamp}
	}
	s.tree, s.count = t.clone(), count
	s.tree.Read = 0
}

// isWorth reports whether a tree is to be watched.
func (s *watched) isWorth(t *Tree, w *tree.Walked) bool {
	return !s.never && t.isWhole() && countOf(w.Folders) >= watchedFrom
}

// isWhole reports whether nothing of a tree was left out or could not be read.
func (t *Tree) isWhole() bool {
	return t.Left == 0 && !slices.ContainsFunc(t.Problems, func(p Problem) bool { return p.Unread })
}

// countOf is how many files folders have.
func countOf(folders []tree.Folder) int {
	n := 0
	for i := range folders {
		n += folders[i].Count()
	}
	return n
}

// addAll watches folders; false where one of them cannot be watched.
func (s *watched) addAll(root string, folders []tree.Folder) bool {
	if s.watch == nil {
		var ok bool
		if s.watch, ok = tree.NewWatch(); !ok {
			return false
		}
	}
	return !slices.ContainsFunc(folders, func(f tree.Folder) bool {
		return !s.watch.Add(filepath.Join(root, filepath.FromSlash(f.Path)))
	})
}

// lookLater has the files looked at soon, once for all answers until then.
func (s *watched) lookLater(ctx context.Context, x *Index, root string) {
	if s.pending != nil {
		return
	}
	ctx, s.ended = context.WithCancel(context.WithoutCancel(ctx))
	s.looking.Add(1)
	state := s.tree.State
	s.pending = time.AfterFunc(max(lookAfter, lookEach*time.Duration(len(s.tree.Items))), func() {
		defer s.looking.Done()
		if unchanged(ctx, x.takeStats(root), false) != state {
			s.lookAgain(ctx, x, root)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended()
		s.pending = nil
	})
}

// lookAgain compares the tree with its files.
func (s *watched) lookAgain(ctx context.Context, x *Index, root string) {
	s.mu.Lock()
	was := s.tree
	s.mu.Unlock()
	if was == nil {
		return
	}
	now, _, err := x.look(ctx, root, Haste{Most: tree.MaxFiles})
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || s.tree != was {
		return
	}
	if count, ok := s.watch.Happened(); !ok || count != s.count || now.same(was) {
		return
	}
	if s.replaced(root) {
		s.drop()
		return
	}
	s.refuse()
}

// close ends the watch, and waits for a look that is going on.
func (s *watched) close() {
	s.mu.Lock()
	if s.pending != nil {
		s.ended()
		if s.pending.Stop() {
			s.looking.Done()
		}
	}
	s.mu.Unlock()
	s.looking.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse()
}

// clone is t for a caller who may change it.
func (t *Tree) clone() *Tree {
	c := *t
	c.Items, c.Problems = slices.Clone(t.Items), slices.Clone(t.Problems)
	return &c
}

// same reports whether two trees have the same files and problems.
func (t *Tree) same(other *Tree) bool {
	return slices.Equal(t.Problems, other.Problems) &&
		slices.EqualFunc(t.Items, other.Items, func(a, b Item) bool { return a.Path == b.Path && a.Blob == b.Blob })
}
