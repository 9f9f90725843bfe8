package gitops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// MergeText merges three texts line by line with `git merge-file`. With clean
// false the result holds conflict markers.
func (r *Repo) MergeText(ctx context.Context, base, ours, theirs string) (merged string, clean bool, err error) {
	dir, err := r.scratchFolder("merge-*")
	if err != nil {
		return "", false, fmt.Errorf("merging text: %w", err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", false, fmt.Errorf("merging text: %w", err)
		}
	}
	out, err := r.git.Run(ctx,
		gitcmd.Command{Args: []string{"merge-file", "-p", "-q", "ours", "base", "theirs"}, Dir: dir})
	// The exit code is the number of conflicts, at most 127.
	if code := gitcmd.ExitCode(err); err != nil && (code < 1 || code > 127) {
		return "", false, fmt.Errorf("merging text: %w", err)
	}
	return string(out), err == nil, nil
}

// scratchFolder makes a folder for git to work in, see [scratchFolders].
func (r *Repo) scratchFolder(pattern string) (string, error) {
	if err := os.MkdirAll(r.CacheDir(), 0o777); err != nil {
		return "", err
	}
	return os.MkdirTemp(r.CacheDir(), pattern)
}
