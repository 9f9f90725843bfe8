package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace/merging"
)

// mergeDriverOptions are the arguments of merge-driver: three files, and the path
// that their content has in the repository.
type mergeDriverOptions struct {
	kind               string // projection or memory
	base, ours, theirs string
	path               string
}

// newMergeDriverCommand makes the command that git runs to merge .cortex files. It
// exits with 1 for a merge that a person should look at, and with another code
// when it cannot merge: the configured command falls back to git's own merge then.
func newMergeDriverCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "merge-driver KIND BASE OURS THEIRS [PATH]", Short: "Entry point of git's merge drivers", Hidden: true,
		Args: args(4, -1),
		Long: "For git, not for people. Merges OURS and THEIRS over BASE into OURS. KIND is\nprojection or memory.",
		RunE: func(cmd *cobra.Command, in []string) error {
			opt := mergeDriverOptions{kind: in[0], base: in[1], ours: in[2], theirs: in[3], path: in[2]}
			if len(in) > 4 {
				opt.path = in[4]
			}
			return runMergeDriver(cmd.Context(), e, opt)
		},
	}
}

// runMergeDriver merges into the file of our side. It works from the three files
// alone, since at that time the working tree holds one side only. After a
// [fallback] the file is untouched.
func runMergeDriver(ctx context.Context, e *env, opt mergeDriverOptions) error {
	var sides [3][]byte
	for i, name := range []string{opt.base, opt.ours, opt.theirs} {
		data, err := merging.ReadSide(e.mergeFile(name), name)
		if err != nil {
			return &fallback{err}
		}
		sides[i] = data
	}
	w, err := e.open(ctx, opening{forGit: true})
	if err != nil {
		return &fallback{err}
	}
	var merged []byte
	var paired *merging.Paired
	switch opt.kind {
	case "projection":
		merged, err = merging.Page(ctx, w.Repo, opt.path, sides[0], sides[1], sides[2])
	case "memory":
		merged, paired, err = merging.Memory(ctx, w.Repo, opt.path, sides[0], sides[1], sides[2])
	default:
		err = usagef("unknown kind %q: projection or memory", opt.kind)
	}
	if err == nil && len(merged) == 0 {
		err = errors.New("the merge came out empty")
	}
	if err == nil {
		err = merging.ReplaceFile(w.Repo.CacheDir(), e.mergeFile(opt.ours), merged)
	}
	if err != nil {
		w.Diary.Note(ctx, "merge driver: %s: %v", opt.path, err)
		return errors.Join(&fallback{fmt.Errorf("merging %s: %w", opt.path, err)}, w.Close())
	}
	_ = w.Close() // a cache that was not written must not fail a merge
	if paired != nil {
		return answer.Paired(opt.path, paired)
	}
	return nil
}

// mergeFile is the path of a file that git names to a merge driver.
func (e *env) mergeFile(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.where(), name)
}

// fallback is a failure after which git should merge in its own way.
type fallback struct{ err error }

func (e *fallback) Error() string { return e.err.Error() }
func (e *fallback) Unwrap() error { return e.err }
