package workspace

import (
	"path/filepath"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// Folder is the way to the files of a working tree. The error of writing below [Dir] is
// a *[NewerError] where that is of a newer format.
type Folder = folder.Folder

// Below is the path from top to path, if path is top or below it, however either is
// spelled. See [gitops.Below].
func Below(top, path string) (rel string, ok bool) { return gitops.Below(top, path) }

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
	f := Folder{Root: t.repo.Root, Hash: t.repo.Hash, Newer: t.journal.refusal()}
	if rel, err := filepath.Rel(f.Root, t.repo.CacheDir()); err == nil && filepath.IsLocal(rel) {
		f.Cache = rel
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
