package view

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
	"github.com/git-cortex/cortex/workspace/internal/notices"
)

// Global is the user's own store as the views of a repository see it.
type Global struct {
	folder  string // "" when there is none
	index   *index.Index
	notices *notices.List
	here    func() bool
}

// NewGlobal returns the store in a folder, "" for none, for the repository at root.
func NewGlobal(folder, root string, x *index.Index, notices *notices.List) *Global {
	here := lazy.Value(func() bool { return sameFolder(folder, root) })
	return &Global{folder: folder, index: x, notices: notices, here: here}
}

// sameFolder reports whether two paths lead to one folder that is there.
func sameFolder(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// Here reports whether the repository is the store itself.
func (g *Global) Here() bool { return g.here() }

// FileStage is the stage of the files of the repository.
func (g *Global) FileStage() index.Stage {
	if g.Here() {
		return index.Global
	}
	return index.Landed
}

// Items are the memories of the store, for a view of another repository. A store
// that is missing costs one look, and one that cannot be read is said and no
// more.
func (g *Global) Items(ctx context.Context) []index.Item {
	if g.folder == "" {
		return nil
	}
	root := filepath.Join(g.folder, filepath.FromSlash(hookstate.MemoriesDir))
	tree, err := g.scan(ctx, root)
	if err != nil {
		g.notices.Add("global memories were left out: reading %s: %v", root, err)
		return nil
	}
	for _, p := range tree.Problems {
		g.notices.Add("global memory left out: %s: %v", filepath.ToSlash(g.folder), p)
	}
	items := slices.Clone(tree.Items) // the index keeps its own
	for i := range items {
		items[i].Stage = index.Global
		items[i].Path = filepath.ToSlash(g.folder) + "/" + items[i].Path
	}
	return items
}

// scan reads the files of the store; a store that is not there, or is this repository, has none.
func (g *Global) scan(ctx context.Context, root string) (*index.Tree, error) {
	info, err := os.Stat(root)
	if errors.Is(err, fs.ErrNotExist) {
		return new(index.Tree), nil
	}
	if err != nil {
		return nil, err
	}
	if g.Here() {
		return new(index.Tree), nil
	}
	if !info.IsDir() {
		return nil, errors.New("not a folder")
	}
	return g.index.Scan(ctx, root)
}
