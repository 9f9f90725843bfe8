package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/gitops"
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
	if !create && errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoGlobal
	}
	if err != nil {
		err = gitops.Create(ctx, env.Global, gitops.Options{Env: env.Environ})
	}
	if err != nil {
		return nil, fmt.Errorf("opening the global store: %w", err)
	}
	env.Dir, env.InGitHook = env.Global, false
	w, err := Open(ctx, env)
	if err != nil {
		return nil, fmt.Errorf("opening the global store: %w", err)
	}
	if !w.global.Here() {
		return nil, errors.Join(fmt.Errorf("opening the global store: %s is inside of another repository", env.Global),
			w.Close())
	}
	return w, nil
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
