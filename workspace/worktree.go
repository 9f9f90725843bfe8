package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
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
	f := Folder{root: t.repo.Root, newer: t.journal.refusal()}
	if rel, err := filepath.Rel(f.root, t.repo.CacheDir()); err == nil && filepath.IsLocal(rel) {
		f.cache = rel
	}
	return f, nil
}

// abs is the path of a file by its path in the tree.
func (t *worktree) abs(rel string) string {
	return filepath.Join(t.repo.Root, filepath.FromSlash(rel))
}

// exists reports whether something, also a link that leads nowhere, is at a path
// of the tree.
func (t *worktree) exists(rel string) bool {
	if t.repo.Root == "" || !memory.ValidPath(rel) {
		return false
	}
	_, err := os.Lstat(t.abs(rel))
	return err == nil
}

// holds reports whether a folder is the tree or lies in it.
func (t *worktree) holds(dir string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(t.repo.Root, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// maxAnchored bounds the files that are hashed for anchors.
const maxAnchored = 1 << 20

// blob is the id that a file would have in git; ok is false when there is no
// such file, or it is too large for an anchor.
func (t *worktree) blob(rel string) (id string, ok bool) {
	f, err := t.folder()
	if err != nil {
		return "", false
	}
	data, ok, err := f.ReadCapped(rel, maxAnchored)
	if err != nil || !ok {
		return "", false
	}
	return string(t.repo.Hash(data)), true
}

// anchors records what the named files are now.
func (t *worktree) anchors(files []string) []memory.Anchor {
	var out []memory.Anchor
	for _, f := range files {
		if blob, ok := t.blob(f); ok {
			out = append(out, memory.Anchor{Path: f, Blob: blob})
		}
	}
	return out
}

// changed reports whether a file that m is anchored to is not what it was. A
// file that is gone counts as changed.
func (t *worktree) changed(m *memory.Memory) bool {
	for _, a := range m.Anchors {
		blob, ok := t.blob(a.Path)
		if !ok || !strings.HasPrefix(blob, a.Blob) {
			return true
		}
	}
	return false
}

// Changed reports whether a file that m is anchored to is not what it was. A
// file that is gone counts as changed.
func (w *Workspace) Changed(m *memory.Memory) bool { return w.tree.changed(m) }

// Tree returns the working tree. Its error is [gitops.ErrNoWorktree] in a bare
// repository.
func (w *Workspace) Tree() (Folder, error) { return w.tree.folder() }
