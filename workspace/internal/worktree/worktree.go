// Package worktree is the way to the files of a project's working tree. Call [Tree.Folder] to
// read and write them and [Tree.Writing] around what writes. It promises that nothing below
// .cortex is written where its format is a newer one, and that writers of one process never
// meet; other processes are kept away by git's own locks.
package worktree

import (
	"path/filepath"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// Tree is the working tree of a repository. It is safe for concurrent use.
type Tree struct {
	repo  *gitops.Repo
	newer func() error // why nothing below .cortex may be written; nil if it may
	mu    sync.Mutex
}

// New returns the working tree of a repository. Newer returns a *policy.NewerError where
// .cortex is of a newer format.
func New(repo *gitops.Repo, newer func() error) *Tree { return &Tree{repo: repo, newer: newer} }

// Writing waits until nobody else in this process writes to the tree or to git's
// index, and keeps others from it until done is called.
func (t *Tree) Writing() (done func()) {
	t.mu.Lock()
	return t.mu.Unlock
}

// Folder returns the files of the tree. Its error is [gitops.ErrNoWorktree] in a bare
// repository.
func (t *Tree) Folder() (folder.Folder, error) {
	if t.repo.Root == "" {
		return folder.Folder{}, gitops.ErrNoWorktree
	}
	f := folder.Folder{Root: t.repo.Root, Hash: t.repo.Hash, Newer: t.newer()}
	if rel, err := filepath.Rel(f.Root, t.repo.CacheDir()); err == nil && filepath.IsLocal(rel) {
		f.Cache = rel
	}
	return f, nil
}

// Abs returns the path of a file by its path in the tree.
func (t *Tree) Abs(rel string) string { return filepath.Join(t.repo.Root, filepath.FromSlash(rel)) }

// Files is [Tree.Folder], or the zero Folder in a bare repository.
func (t *Tree) Files() folder.Folder {
	f, _ := t.Folder()
	return f
}
