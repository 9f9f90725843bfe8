package workspace

import (
	"path/filepath"
	"sync"

	"github.com/git-cortex/cortex/gitops"
)

// worktree is the files of the working tree, as memories speak of them.
type worktree struct {
	repo    *gitops.Repo
	journal *journal // of a newer version, it keeps what is below Dir from being written
	mu      sync.Mutex
}

// writing waits until nobody else in this process writes to the tree or to git's
// index, and keeps others from it until done is called.
func (t *worktree) writing() (done func()) {
	t.mu.Lock()
	return t.mu.Unlock
}

// folder is [Workspace.Tree].
func (t *worktree) folder() (Folder, error) {
	if t.repo.Root == "" {
		return Folder{}, gitops.ErrNoWorktree
	}
	f := Folder{root: t.repo.Root, hash: t.repo.Hash, newer: t.journal.refusal()}
	if rel, err := filepath.Rel(f.root, t.repo.CacheDir()); err == nil && filepath.IsLocal(rel) {
		f.cache = rel
	}
	return f, nil
}

// abs is the path of a file by its path in the tree.
func (t *worktree) abs(rel string) string {
	return filepath.Join(t.repo.Root, filepath.FromSlash(rel))
}

// files is [Workspace.Tree], or the zero Folder in a bare repository.
func (t *worktree) files() Folder {
	f, _ := t.folder()
	return f
}

// Tree returns the working tree. Its error is [gitops.ErrNoWorktree] in a bare
// repository, and the Folder then is the zero one.
func (w *Workspace) Tree() (Folder, error) { return w.tree.folder() }
