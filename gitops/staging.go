package gitops

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
)

// StagingArea is the user's index: in a git hook, that of the commit being made. It
// is safe for concurrent use, also by several processes; whoever changes it takes a lock of
// ours and then git's.
type StagingArea struct {
	git       *gitcmd.Runner
	objects   *objects
	root      string // the top of the working tree, or ""
	gitDir    string
	commonDir string
	cacheDir  string
	file      string // GIT_INDEX_FILE of the hook we run in, or ""
	lockWait  time.Duration
}

// StagingArea returns that of this working tree. It costs nothing.
func (r *Repo) StagingArea() *StagingArea {
	return &StagingArea{
		git: r.git, objects: r.objects, root: r.Root, gitDir: r.GitDir, commonDir: r.CommonDir, cacheDir: r.CacheDir(),
		file: r.indexFile, lockWait: r.lockWait,
	}
}

// Staged lists the regular files of the index at and below the paths, sorted by
// path; in a git hook, of the index of the commit being made. Paths in conflict
// are left out.
func (x *StagingArea) Staged(ctx context.Context, paths ...string) ([]Entry, error) {
	if x.root == "" {
		return nil, ErrNoWorktree
	}
	return x.files(ctx, paths, func(_, mode, stage string) bool { return stage == "0" && strings.HasPrefix(mode, "100") })
}

// Skipped lists the regular files of the index below prefix that a sparse
// checkout leaves out of the working tree, sorted by path. Without a sparse
// checkout that costs no process.
func (x *StagingArea) Skipped(ctx context.Context, prefix string) ([]Entry, error) {
	if x.root == "" || !exists(filepath.Join(x.gitDir, "info", "sparse-checkout")) {
		return nil, nil
	}
	return x.files(ctx, []string{prefix}, func(tag, mode, _ string) bool { return tag == "S" && strings.HasPrefix(mode, "100") })
}

// blobs returns the object that the index has at each of paths, of any mode.
func (x *StagingArea) blobs(ctx context.Context, paths []string) (map[string]ObjectID, error) {
	entries, err := x.files(ctx, paths, func(string, string, string) bool { return true })
	blobs := make(map[string]ObjectID, len(entries))
	for _, e := range entries {
		blobs[e.Path] = e.Blob
	}
	return blobs, err
}

// files lists what is in the index at and below the paths and whose tag, mode and
// stage, as git ls-files prints them, are wanted.
func (x *StagingArea) files(ctx context.Context, paths []string, want func(tag, mode, stage string) bool) ([]Entry, error) {
	args := []string{"--literal-pathspecs", "ls-files", "-t", "--stage", "-z", "--full-name", "--"}
	out, err := x.git.Ask(ctx, "reading the index", append(args, paths...)...)
	var entries []Entry
	for line := range strings.SplitSeq(out, "\x00") {
		// <tag> SP <mode> SP <object> SP <stage> TAB <path>
		head, path, _ := strings.Cut(line, "\t")
		tag, head, _ := strings.Cut(head, " ")
		mode, head, _ := strings.Cut(head, " ")
		if blob, stage, ok := strings.Cut(head, " "); ok && want(tag, mode, stage) {
			entries = append(entries, Entry{path, ObjectID(blob)})
		}
	}
	return entries, err
}

// Unmerged lists the paths below prefix that git left in conflict, sorted.
func (x *StagingArea) Unmerged(ctx context.Context, prefix string) ([]string, error) {
	if x.root == "" {
		return nil, nil
	}
	out, err := x.git.Ask(ctx, "listing conflicts", "diff", "--name-only", "--no-ext-diff", "--diff-filter=U", "--no-relative", "-z", "--", prefix)
	return gitcmd.Parts(out), err
}

// OneSided lists the files below prefix that one side of a merge changed and the other
// removed, and that nobody decided about.
func (x *StagingArea) OneSided(ctx context.Context, prefix string) ([]string, error) {
	if x.root == "" {
		return nil, nil
	}
	out, err := x.git.Text(ctx, gitcmd.Command{
		Doing: "listing conflicts", Dir: x.root,
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
	return slices.DeleteFunc(paths, func(p string) bool { return stages[p] != "12" && stages[p] != "13" }), err
}

// Untracked lists the files of the working tree at and below prefix that the index does
// not have, sorted, ignored ones too.
func (x *StagingArea) Untracked(ctx context.Context, prefix string) ([]string, error) {
	out, err := x.git.Text(ctx, gitcmd.Command{
		Doing: "listing untracked files", Dir: x.root,
		Args: []string{"--literal-pathspecs", "ls-files", "--others", "-z", "--", prefix},
	})
	return gitcmd.Parts(out), err
}

// Made are the ids of the objects that git add would make of files of the working tree.
// Settings and attributes may have it change their bytes, such as line ends.
func (x *StagingArea) Made(ctx context.Context, paths []string) ([]ObjectID, error) {
	const doing = "asking git for the objects of files"
	out, err := x.git.Text(ctx, gitcmd.Command{
		Doing: doing, Dir: x.root, Args: []string{"hash-object", "--stdin-paths"}, Stdin: strings.NewReader(quotedLines(paths)),
	})
	ids := gitobject.IDs(out)
	if err == nil && len(ids) != len(paths) {
		err = fmt.Errorf("%s: git answered for %d of %d", doing, len(ids), len(paths))
	}
	return ids, err
}

// Temporary reports whether the index is one that git throws away if the commit
// fails: that of `git commit -a`, or of a commit of only some paths.
func (x *StagingArea) Temporary() bool { return filepath.Base(x.path()) != "index" }

// AsHead reports whether nothing is staged: the index has what HEAD has.
func (x *StagingArea) AsHead(ctx context.Context) bool {
	_, err := x.git.Ask(ctx, "", "diff", "--cached", "--quiet", "--no-ext-diff", "--ignore-submodules=none")
	return err == nil // 1: something is staged
}

// Added lists the paths below prefix that the index has and a commit has not,
// sorted. Where there is no such commit that is all of them.
func (x *StagingArea) Added(ctx context.Context, commit, prefix string) ([]string, error) {
	if x.root == "" {
		return nil, ErrNoWorktree
	}
	id, err := history.New(x.git).Commit(ctx, commit)
	if errors.Is(err, ErrNoRevision) {
		id, err = x.objects.format.ID("tree", nil), nil
	}
	if err != nil {
		return nil, err
	}
	out, err := x.git.Ask(ctx, "listing what is staged", "diff", "--cached", "--name-only", "--no-ext-diff", "--no-renames",
		"--diff-filter=A", "--no-relative", "-z", string(id), "--", prefix)
	return gitcmd.Parts(out), err
}

// Differences lists the paths at and below prefix at which the index is not as a commit or
// tree, sorted. Paths in conflict are an error.
func (x *StagingArea) Differences(ctx context.Context, tree ObjectID, prefix string) ([]Difference, error) {
	if x.root == "" {
		return nil, ErrNoWorktree
	}
	const doing = "listing what is staged"
	data, err := x.git.Ask(ctx, doing, "--literal-pathspecs", "diff-index", "--cached", "--raw", "--no-abbrev", "--no-renames",
		"--no-relative", "-z", string(tree), "--", prefix)
	var out []Difference
	for words := range slices.Chunk(gitcmd.Parts(data), 2) {
		// :<mode> SP <mode> SP <object> SP <object> SP <status>
		f, path := strings.Fields(words[0]), words[len(words)-1]
		if len(f) != 5 || f[4] == "U" {
			return nil, fmt.Errorf("%s: %s is in conflict", doing, path)
		}
		before, now := regularBlob(f[0], f[2]), regularBlob(f[1], f[3])
		if before != now {
			out = append(out, Difference{Path: path, Old: before, New: now})
		}
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return out, err
}

// regularBlob is the object of a regular file, "" of anything else, by the mode that git prints.
func regularBlob(mode, id string) ObjectID {
	if !strings.HasPrefix(strings.TrimPrefix(mode, ":"), "100") {
		return ""
	}
	return ObjectID(id)
}

// Unstage takes paths out of the index; the files stay. Absent ones are fine.
func (x *StagingArea) Unstage(ctx context.Context, paths []string) error {
	entries := make([]Entry, len(paths))
	for i, p := range paths {
		entries[i].Path = p
	}
	return x.Restage(ctx, entries)
}

// Restage gives paths below .cortex the content that they had in the index before,
// and takes those without a blob out of it; the files stay.
func (x *StagingArea) Restage(ctx context.Context, entries []Entry) error {
	if len(entries) == 0 {
		return nil
	}
	var lines strings.Builder
	for _, e := range entries {
		if !landable(e.Path) {
			return fmt.Errorf("unstaging: %q is not a path below .cortex", e.Path)
		}
		if e.Blob == "" {
			fmt.Fprintf(&lines, "0 %s\t%s\x00", x.objects.format.None(), e.Path)
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
func (x *StagingArea) path() string {
	switch {
	case x.file == "":
		return filepath.Join(x.gitDir, "index")
	case filepath.IsAbs(x.file):
		return filepath.Clean(x.file)
	}
	return filepath.Join(x.root, filepath.FromSlash(x.file)) // where hooks run
}
