// Package staging changes the user's index, and lands files in the working tree with it. Fill
// an [Area], then read it, or call [Area.Land]. It promises that exactly the files that land are
// staged and nothing else is, all or none; that a kill at any moment leaves the index whole; and
// that what is there already is never overwritten, but pages that cortex made.
package staging

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/gitops/internal/history"
	"github.com/git-cortex/cortex/internal/lists"
)

// Area is the user's index: in a git hook, that of the commit being made. It
// is safe for concurrent use, also by several processes; whoever changes it takes a lock of
// ours and then git's.
type Area struct {
	Git       *gitcmd.Runner
	Objects   Objects
	Format    gitobject.Format
	Root      string // the top of the working tree, or ""
	GitDir    string
	CommonDir string
	CacheDir  string
	File      string // GIT_INDEX_FILE of the hook we run in, or ""
	LockWait  time.Duration
}

// Objects keeps the contents of files as objects of git.
type Objects interface {
	// HasBlob reports whether a file holds an object by itself.
	HasBlob(id gitobject.ID) bool
	// WriteBlobs writes contents, synced.
	WriteBlobs(ctx context.Context, contents [][]byte) error
}

// Hash is the id that data has as a blob of this repository.
func (x *Area) Hash(data []byte) gitobject.ID { return x.Format.ID("blob", data) }

// ErrNoWorktree is a bare repository, where a working tree is needed.
var ErrNoWorktree = errors.New("this needs a working tree, and the repository is bare")

// Staged lists the regular files of the index at and below the paths, sorted by
// path; in a git hook, of the index of the commit being made. Paths in conflict
// are left out.
func (x *Area) Staged(ctx context.Context, paths ...string) ([]history.Entry, error) {
	if x.Root == "" {
		return nil, ErrNoWorktree
	}
	return x.files(ctx, paths,
		func(_, mode, stage string) bool { return stage == "0" && strings.HasPrefix(mode, "100") })
}

// Skipped lists the regular files of the index below prefix that a sparse
// checkout leaves out of the working tree, sorted by path. Without a sparse
// checkout that costs no process.
func (x *Area) Skipped(ctx context.Context, prefix string) ([]history.Entry, error) {
	if x.Root == "" || !gitcmd.Exists(filepath.Join(x.GitDir, "info", "sparse-checkout")) {
		return nil, nil
	}
	return x.files(ctx, []string{prefix},
		func(tag, mode, _ string) bool { return tag == "S" && strings.HasPrefix(mode, "100") })
}

// blobs returns the object that the index has at each of paths, of any mode.
func (x *Area) blobs(ctx context.Context, paths []string) (map[string]gitobject.ID, error) {
	entries, err := x.files(ctx, paths, func(string, string, string) bool { return true })
	blobs := make(map[string]gitobject.ID, len(entries))
	for _, e := range entries {
		blobs[e.Path] = e.Blob
	}
	return blobs, err
}

// files lists what is in the index at and below the paths and whose tag, mode and
// stage, as git ls-files prints them, are wanted.
func (x *Area) files(ctx context.Context, paths []string, want func(tag, mode, stage string) bool) ([]history.Entry,
	error,
) {
	args := []string{"--literal-pathspecs", "ls-files", "-t", "--stage", "-z", "--full-name", "--"}
	out, err := x.Git.Ask(ctx, "reading the index", append(args, paths...)...)
	var entries []history.Entry
	for line := range strings.SplitSeq(out, "\x00") {
		// <tag> SP <mode> SP <object> SP <stage> TAB <path>
		head, path, _ := strings.Cut(line, "\t")
		tag, head, _ := strings.Cut(head, " ")
		mode, head, _ := strings.Cut(head, " ")
		if blob, stage, ok := strings.Cut(head, " "); ok && want(tag, mode, stage) {
			entries = append(entries, history.Entry{Path: path, Blob: gitobject.ID(blob)})
		}
	}
	return entries, err
}

// Unmerged lists the paths below prefix that git left in conflict, sorted.
func (x *Area) Unmerged(ctx context.Context, prefix string) ([]string, error) {
	if x.Root == "" {
		return nil, nil
	}
	out, err := x.Git.Ask(ctx, "listing conflicts", "diff", "--name-only", "--no-ext-diff", "--diff-filter=U",
		"--no-relative", "-z", "--", prefix)
	return gitcmd.Parts(out), err
}

// OneSided lists the files below prefix that one side of a merge changed and the other
// removed, and that nobody decided about.
func (x *Area) OneSided(ctx context.Context, prefix string) ([]string, error) {
	if x.Root == "" {
		return nil, nil
	}
	out, err := x.Git.Text(ctx, gitcmd.Command{
		Doing: "listing conflicts", Dir: x.Root,
		Args: []string{"--literal-pathspecs", "ls-files", "--unmerged", "-z", "--", prefix},
	})
	var paths []string
	stages := map[string]string{}
	for _, line := range gitcmd.Parts(out) { // mode, id, stage, tab, path
		entry, path, _ := strings.Cut(line, "\t")
		if stages[path] == "" {
			paths = append(paths, path)
		}
		stages[path] += entry[len(entry)-1:]
	}
	return lists.Without(paths, func(p string) bool { return !slices.Contains([]string{"12", "13"}, stages[p]) }),
		err
}

// Untracked lists the files of the working tree at and below prefix that the index does
// not have, sorted, ignored ones too.
func (x *Area) Untracked(ctx context.Context, prefix string) ([]string, error) {
	out, err := x.Git.Text(ctx, gitcmd.Command{
		Doing: "listing untracked files", Dir: x.Root,
		Args: []string{"--literal-pathspecs", "ls-files", "--others", "-z", "--", prefix},
	})
	return gitcmd.Parts(out), err
}

// Made are the ids of the objects that git add would make of files of the working tree.
// Settings and attributes may have it change their bytes, such as line ends.
func (x *Area) Made(ctx context.Context, paths []string) ([]gitobject.ID, error) {
	const doing = "asking git for the objects of files"
	out, err := x.Git.Text(ctx, gitcmd.Command{
		Doing: doing, Dir: x.Root, Args: []string{"hash-object", "--stdin-paths"},
		Stdin: strings.NewReader(gitcmd.QuotedLines(paths)),
	})
	ids := gitobject.IDs(out)
	if err == nil && len(ids) != len(paths) {
		err = fmt.Errorf("%s: git answered for %d of %d", doing, len(ids), len(paths))
	}
	return ids, err
}

// Temporary reports whether the index is one that git throws away if the commit
// fails: that of `git commit -a`, or of a commit of only some paths.
func (x *Area) Temporary() bool { return filepath.Base(x.path()) != "index" }

// AsHead reports whether nothing is staged: the index has what HEAD has.
func (x *Area) AsHead(ctx context.Context) bool {
	_, err := x.Git.Ask(ctx, "", "diff", "--cached", "--quiet", "--no-ext-diff", "--ignore-submodules=none")
	return err == nil // 1: something is staged
}

// Added lists the paths below prefix that the index has and a commit has not,
// sorted. Where there is no such commit that is all of them.
func (x *Area) Added(ctx context.Context, commit, prefix string) ([]string, error) {
	if x.Root == "" {
		return nil, ErrNoWorktree
	}
	id, err := x.commitOf(ctx, commit)
	if err != nil {
		return nil, err
	}
	out, err := x.Git.Ask(ctx, "listing what is staged", "diff", "--cached", "--name-only", "--no-ext-diff",
		"--no-renames",
		"--diff-filter=A", "--no-relative", "-z", string(id), "--", prefix)
	return gitcmd.Parts(out), err
}

// commitOf is the id of a commit, which is not asked for if it is one; that of the empty tree where there is
// no such commit.
func (x *Area) commitOf(ctx context.Context, commit string) (gitobject.ID, error) {
	if gitobject.IsID(commit) {
		return gitobject.ID(commit), nil
	}
	id, err := history.New(x.Git).Commit(ctx, commit)
	if errors.Is(err, history.ErrNoRevision) {
		return x.Format.ID("tree", nil), nil
	}
	return id, err
}

// Lines returns the lines outside of .cortex that the index adds to a commit or takes from it, without
// what stands around them; "" where they are too many to print.
func (x *Area) Lines(ctx context.Context, commit gitobject.ID) (string, error) {
	if x.Root == "" {
		return "", ErrNoWorktree
	}
	return x.Git.Ask(ctx, "reading what is staged", "diff", "--cached", "-U0", "--no-color", "--no-ext-diff",
		"--no-textconv", "--no-renames", "--no-relative", string(commit), "--", ".", ":(exclude,top).cortex")
}

// Differences lists the paths at and below prefix at which the index is not as a commit or
// tree, sorted. Paths in conflict are an error.
func (x *Area) Differences(ctx context.Context, tree gitobject.ID, prefix string) ([]history.Difference, error) {
	if x.Root == "" {
		return nil, ErrNoWorktree
	}
	const doing = "listing what is staged"
	data, err := x.Git.Ask(ctx, doing, "--literal-pathspecs", "diff-index", "--cached", "--raw", "--no-abbrev",
		"--no-renames",
		"--no-relative", "-z", string(tree), "--", prefix)
	var out []history.Difference
	for words := range slices.Chunk(gitcmd.Parts(data), 2) {
		// :<mode> SP <mode> SP <object> SP <object> SP <status>
		f, path := strings.Fields(words[0]), words[len(words)-1]
		if len(f) != 5 || f[4] == "U" {
			return nil, fmt.Errorf("%s: %s is in conflict", doing, path)
		}
		before, now := regularBlob(f[0], f[2]), regularBlob(f[1], f[3])
		if before != now {
			out = append(out, history.Difference{Path: path, Old: before, New: now})
		}
	}
	lists.Sort(out, func(a, b history.Difference) int { return strings.Compare(a.Path, b.Path) })
	return out, err
}

// regularBlob is the object of a regular file, "" of anything else, by the mode that git prints.
func regularBlob(mode, id string) gitobject.ID {
	if !strings.HasPrefix(strings.TrimPrefix(mode, ":"), "100") {
		return ""
	}
	return gitobject.ID(id)
}

// Unstage takes paths out of the index; the files stay. Absent ones are fine.
func (x *Area) Unstage(ctx context.Context, paths []string) error {
	entries := make([]history.Entry, len(paths))
	for i, p := range paths {
		entries[i].Path = p
	}
	return x.Restage(ctx, entries)
}

// Restage gives paths below .cortex the content that they had in the index before,
// and takes those without a blob out of it; the files stay.
func (x *Area) Restage(ctx context.Context, entries []history.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	var lines strings.Builder
	for _, e := range entries {
		if !landable(e.Path) {
			return fmt.Errorf("unstaging: %q is not a path below .cortex", e.Path)
		}
		if e.Blob == "" {
			fmt.Fprintf(&lines, "0 %s\t%s\x00", x.Format.None(), e.Path)
		} else {
			fmt.Fprintf(&lines, "100644 %s\t%s\x00", e.Blob, e.Path)
		}
	}
	if err := x.stage(ctx, lines.String()); err != nil {
		return fmt.Errorf("unstaging: %w", err)
	}
	return nil
}

// path is the index that git works on here.
func (x *Area) path() string {
	switch {
	case x.File == "":
		return filepath.Join(x.GitDir, "index")
	case filepath.IsAbs(x.File):
		return filepath.Clean(x.File)
	}
	return filepath.Join(x.Root, filepath.FromSlash(x.File)) // where hooks run
}
