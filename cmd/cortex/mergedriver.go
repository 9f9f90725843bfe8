package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
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
		Use: "merge-driver KIND BASE OURS THEIRS [PATH]", Short: "Entry point of git's merge drivers", Hidden: true, Args: args(4, -1),
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
		data, err := readSide(e.mergeFile(name), name)
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
		err = replaceFile(w.Repo.CacheDir(), e.mergeFile(opt.ours), merged)
	}
	if err != nil {
		w.Diary.Note(ctx, "merge driver: %s: %v", opt.path, err)
		return errors.Join(&fallback{fmt.Errorf("merging %s: %w", opt.path, err)}, w.Close())
	}
	_ = w.Close() // a cache that was not written must not fail a merge
	if paired != nil {
		return pairedError(opt.path, paired)
	}
	return nil
}

// pairedError says which two memories met, and how to keep both. What it says
// to type writes a file that is not there, or is that memory already.
func pairedError(path string, p *merging.Paired) error {
	side := "theirs"
	if p.OtherOurs {
		side = "ours"
	}
	folder := ""
	if dir := filepath.Dir(p.OtherPath); dir != filepath.Dir(path) {
		folder = "mkdir -p " + workspace.Quote(filepath.ToSlash(dir)) + " && "
	}
	add := workspace.Quote(path)
	if p.KeptPath != path {
		add += " " + workspace.Quote(p.KeptPath)
	}
	return answer.WithHint(
		fmt.Errorf("merging %s: two different memories met in one file", path),
		fmt.Sprintf("the file keeps %s %q\n%s has %s %q\nkeep both: %sgit cat-file blob %s >%s\nthen: git add %s %s, and see: cortex verify-merge",
			p.Kept.ID.Short(), p.Kept.Title, side, p.Other.ID.Short(), p.Other.Title, folder, p.OtherBlob[:12], workspace.Quote(p.OtherPath), add, workspace.Quote(p.OtherPath)))
}

// mergeFile is the path of a file that git names to a merge driver.
func (e *env) mergeFile(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.where(), name)
}

// readSide reads a file of a merge, which name is said of in errors.
func readSide(path, name string) ([]byte, error) {
	info, err := os.Stat(path)
	var data []byte
	switch {
	case err != nil:
	case !info.Mode().IsRegular(), info.Size() > 16*memory.MaxFile:
		err = errors.New("not a file of a size that can be merged")
	default:
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return data, nil
}

// replaceFile has git never see half a file. The temporary file is in the cache
// folder if it can be renamed from there, because what a kill leaves there is in
// nobody's way. Nothing is synced: git reads the file at once, and makes its own
// of it.
func replaceFile(cache, name string, data []byte) error {
	top := filepath.Dir(name)
	temp, err := filepath.Rel(top, cache)
	for err == nil && strings.HasPrefix(temp, "..") && top != filepath.Dir(top) {
		top = filepath.Dir(top)
		temp, err = filepath.Rel(top, cache)
	}
	if err != nil || os.MkdirAll(cache, 0o777) != nil {
		return atomicfile.WritePath(name, data, atomicfile.Options{NoSync: true})
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	defer root.Close()
	below, err := filepath.Rel(top, name)
	if err != nil {
		return err
	}
	return atomicfile.Write(root, below, data, atomicfile.Options{NoSync: true, Temp: temp})
}

// fallback is a failure after which git should merge in its own way.
type fallback struct{ err error }

func (e *fallback) Error() string { return e.err.Error() }
func (e *fallback) Unwrap() error { return e.err }
