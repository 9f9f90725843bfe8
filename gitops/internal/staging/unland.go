package staging

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/gitops/internal/history"
)

// Unland takes files that [Area.Land] created out of the index and the working
// tree again, folders that become empty with them. All of them must be as they
// landed: one that is committed, that was staged otherwise or edited is refused,
// and then nothing is touched. What is gone from either place already is fine.
func (x *Area) Unland(ctx context.Context, files []history.Entry) ([]Refusal, error) {
	if x.Root == "" {
		return nil, ErrNoWorktree
	}
	root, err := os.OpenRoot(x.Root)
	if err != nil {
		return nil, fmt.Errorf("taking back what landed: %w", err)
	}
	defer root.Close()
	refused, err := x.landedOtherwise(ctx, root, files)
	if err != nil || len(refused) > 0 {
		return refused, err
	}
	if err := x.Unstage(ctx, pathsOf(files)); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := removeFile(root, f.Path); err != nil {
			return nil, fmt.Errorf("taking back what landed: %w", err)
		}
	}
	return nil, nil
}

func pathsOf(files []history.Entry) []string {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	return paths
}

// removeFile removes a file, which may be gone, and the folders that become empty with it.
func removeFile(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := path.Dir(name); strings.Count(dir, "/") > 1 && root.Remove(dir) == nil; {
		dir = path.Dir(dir)
	}
	return nil
}

// landedOtherwise finds the files that are not, or not only, as they landed.
func (x *Area) landedOtherwise(ctx context.Context, root *os.Root, files []history.Entry) ([]Refusal, error) {
	paths := pathsOf(files)
	for _, name := range paths {
		if !landable(name) {
			return nil, fmt.Errorf("taking back what landed: %q is not a path below .cortex", name)
		}
	}
	committed, err := history.New(x.Git).PathsAt(ctx, "HEAD", paths)
	if err != nil {
		return nil, err
	}
	index, err := x.blobs(ctx, paths)
	if err != nil {
		return nil, err
	}
	var refused []Refusal
	for _, f := range files {
		reason := "it is committed"
		if committed[f.Path] == "" {
			reason = x.changedSince(root, f, index[f.Path])
		}
		if reason != "" {
			refused = append(refused, Refusal{f.Path, reason})
		}
	}
	return refused, nil
}

// changedSince says how a file that landed differs from what it was; "" where it does not. Staged is
// what the index has, "" for nothing.
func (x *Area) changedSince(root *os.Root, f history.Entry, staged gitobject.ID) string {
	if staged != "" && staged != f.Blob {
		return "it was staged anew since"
	}
	data, err := root.ReadFile(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return err.Error()
	case x.Hash(data) != f.Blob:
		return "it was edited since"
	}
	return ""
}
