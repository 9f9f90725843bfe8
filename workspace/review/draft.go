package review

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// EditText opens the user's editor, the one that git commit opens, on data and
// returns what they made of it. The file is in the cache folder, outside of the
// working tree, for the user's eyes only, and is removed again.
func EditText(ctx context.Context, w *workspace.Workspace, data []byte, at gitops.Terminal) (edited []byte, err error) {
	if err := os.MkdirAll(w.Repo.CacheDir(), 0o777); err != nil {
		return nil, fmt.Errorf("making a file to edit: %w", err)
	}
	f, err := os.CreateTemp(w.Repo.CacheDir(), "review-*.md") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("making a file to edit: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("making a file to edit: %w", err)
	}
	if err := w.Repo.Editor(ctx, w.Environ(), f.Name(), at); err != nil {
		return nil, err
	}
	// By name: most editors write another file and rename it.
	saved, err := os.Open(f.Name())
	if err != nil {
		return nil, fmt.Errorf("reading what was edited: %w", err)
	}
	defer saved.Close()
	edited, err = io.ReadAll(io.LimitReader(saved, memory.MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading what was edited: %w", err)
	}
	return edited, nil
}
