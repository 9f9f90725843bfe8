package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
)

// The global store is the user's own memories, which hold in every repository:
// a git repository of the same shape, outside of all others. Views hold them
// beside what is landed and pending. What writes to it commits at once, since
// nobody else works there.

// ErrNoGlobal says that nothing was ever remembered globally.
var ErrNoGlobal = errors.New("there are no global memories yet")

// OpenGlobal opens the global store itself, whose memories then are the whole
// view. With create it is made when it is missing; else that is [ErrNoGlobal].
func OpenGlobal(ctx context.Context, env Env, create bool) (*Workspace, error) {
	if env.Global == "" {
		return nil, fmt.Errorf("opening the global store: no home folder is known: %w", ErrNoGlobal)
	}
	_, err := os.Stat(filepath.Join(env.Global, ".git"))
	switch {
	case err == nil:
	case !create && errors.Is(err, fs.ErrNotExist):
		return nil, ErrNoGlobal
	default:
		if err := gitops.Create(ctx, env.Global, gitops.Options{Env: env.Environ}); err != nil {
			return nil, fmt.Errorf("opening the global store: %w", err)
		}
	}
	env.Dir, env.InGitHook = env.Global, false
	w, err := Open(ctx, env)
	if err != nil {
		return nil, fmt.Errorf("opening the global store: %w", err)
	}
	if !w.global.here() {
		return nil, errors.Join(fmt.Errorf("opening the global store: %s is inside of another repository", env.Global), w.Close())
	}
	return w, nil
}

// sameFolder reports whether two paths lead to one folder that is there.
func sameFolder(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	here, err := os.Stat(a)
	if err != nil {
		return false
	}
	there, err := os.Stat(b)
	return err == nil && os.SameFile(here, there)
}

// globalStore is the global store as the views of other repositories see it.
type globalStore struct {
	folder  string // "" when there is none
	index   *index.Index
	notices *notices
	here    func() bool // this repository is the global store itself
}

// fileStage is the stage of the files of this repository.
func (g *globalStore) fileStage() index.Stage {
	if g.here() {
		return index.Global
	}
	return index.Landed
}

// items are the memories of the store, for a view of another repository. A store
// that is missing costs one look, and one that cannot be read is said and no
// more.
func (g *globalStore) items(ctx context.Context) []index.Item {
	if g.folder == "" {
		return nil
	}
	root := filepath.Join(g.folder, filepath.FromSlash(MemoriesDir))
	info, err := os.Stat(root)
	if errors.Is(err, fs.ErrNotExist) || err == nil && g.here() {
		return nil
	}
	if err == nil && !info.IsDir() {
		err = errors.New("not a folder")
	}
	var tree *index.Tree
	if err == nil {
		tree, err = g.index.Scan(ctx, root)
	}
	if err != nil {
		g.notices.add("global memories were left out: reading %s: %v", root, err)
		return nil
	}
	for _, p := range tree.Problems {
		g.notices.add("global memory left out: %s: %v", filepath.ToSlash(g.folder), p)
	}
	items := slices.Clone(tree.Items) // the index keeps its own
	for i := range items {
		items[i].Stage = index.Global
		items[i].Path = filepath.ToSlash(g.folder) + "/" + items[i].Path
	}
	return items
}

// InGlobal does something in the global store, which is made if it is missing and create
// says so. Its notices become ours.
func (w *Workspace) InGlobal(ctx context.Context, create bool, do func(*Workspace) error) error {
	store, err := OpenGlobal(ctx, w.env, create)
	if err != nil {
		return err
	}
	err = do(store)
	for _, line := range store.TakeNotices() {
		w.Notice("%s", line)
	}
	return errors.Join(err, store.Close())
}
