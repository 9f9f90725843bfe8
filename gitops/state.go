package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/lists"
)

// Blobs reads the blobs ids in order and hands each to yield, streaming from
// one git process. Data is nil for a blob that is missing, is not a blob or is
// larger than limit bytes (0: 64 MB); the slice is yield's to keep. An id may be cut to
// its first twelve digits; data is nil if it is ambiguous then. An error
// from yield stops the reading and is returned.
func (r *Repo) Blobs(ctx context.Context, ids []ObjectID, limit int64,
	yield func(id ObjectID, data []byte) error,
) error {
	if len(ids) == 0 {
		return nil
	}
	if limit <= 0 {
		limit = maxObject
	}
	for _, id := range ids {
		if !gitobject.IsPrefix(string(id)) {
			return fmt.Errorf("reading blobs: %q is not an object id", id)
		}
	}
	return r.git.Objects(ctx, ids, limit, func(id ObjectID, a gitcmd.Answer) error {
		if a.Kind != "blob" {
			a.Data = nil
		}
		return yield(id, a.Data)
	})
}

// Tree see [History.Tree].
func (r *Repo) Tree(ctx context.Context, rev, prefix string) ([]Entry, error) {
	return r.History().Tree(ctx, rev, prefix)
}

// PathsAt see [History.PathsAt].
func (r *Repo) PathsAt(ctx context.Context, rev string, paths []string) (map[string]ObjectID, error) {
	return r.History().PathsAt(ctx, rev, paths)
}

// Branch is a local branch.
type Branch struct {
	Name   string
	Commit ObjectID
}

// Branches lists the local branches by name. An unborn one is not among them.
func (r *Repo) Branches(ctx context.Context) ([]Branch, error) {
	refs, err := r.git.Refs(ctx, "listing branches", "refs/heads/")
	return lists.Map(refs, func(ref gitcmd.Ref) Branch {
		return Branch{strings.TrimPrefix(ref.Name, "refs/heads/"), ref.ID}
	}), err
}

// BlobSizes is the size in bytes of each of ids that is a blob of this
// repository. The content is not read.
func (r *Repo) BlobSizes(ctx context.Context, ids []ObjectID) (map[ObjectID]int64, error) {
	names := lists.Map(ids, func(id ObjectID) string { return string(id) })
	answers, err := r.git.LookUp(ctx, "reading sizes", "%(objecttype) %(objectsize)", names)
	if err != nil {
		return nil, err
	}
	sizes := make(map[ObjectID]int64, len(ids))
	for i, answer := range answers {
		size, ok := strings.CutPrefix(answer, "blob ")
		if n, err := strconv.ParseInt(size, 10, 64); ok && err == nil {
			sizes[ids[i]] = n
		}
	}
	return sizes, nil
}

// Checkouts are the branches that the worktrees of the repository are on, also
// unborn ones; detached says that some worktree is on none.
func (r *Repo) Checkouts(ctx context.Context) (branches []string, detached bool, err error) {
	out, err := r.git.Ask(ctx, "listing worktrees", "worktree", "list", "--porcelain")
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "branch refs/heads/"); ok {
			branches = append(branches, name)
		}
		detached = detached || line == "detached"
	}
	return branches, detached, err
}

// MergeHeads are the commits that a merge under way brings in, none when no
// merge is.
func (r *Repo) MergeHeads() ([]ObjectID, error) {
	data, err := os.ReadFile(filepath.Join(r.GitDir, "MERGE_HEAD"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading MERGE_HEAD: %w", err)
	}
	return gitobject.IDs(data), nil
}

// sameFile reports whether two paths are of one file, however they are spelled: in
// another case, or with accents composed otherwise, where the file system sees no
// difference.
func sameFile(a, b string) bool {
	one, err := os.Lstat(a)
	if err != nil {
		return false
	}
	other, err := os.Lstat(b)
	return err == nil && os.SameFile(one, other)
}

// Folds reports whether a name below a folder also leads to its file in upper case. Of a
// name that is not there nothing is known.
func Folds(folder, name string) bool {
	other := strings.ToUpper(name)
	return other != name &&
		sameFile(filepath.Join(folder, filepath.FromSlash(name)), filepath.Join(folder, filepath.FromSlash(other)))
}

// Shallow reports whether this clone holds only a part of the history, so that
// a missing merge base means nothing.
func (r *Repo) Shallow() bool { return gitcmd.Exists(filepath.Join(r.CommonDir, "shallow")) }

// Ignored returns those of some paths that git would leave out of the next commit: nothing
// tracks them, and an ignore file or info/exclude names them. Paths are relative to the top.
func (r *Repo) Ignored(ctx context.Context, paths ...string) ([]string, error) {
	out, err := r.git.Text(ctx, gitcmd.Command{
		Doing: "asking what git ignores", None: []int{1}, Dir: r.Root,
		Args: []string{"check-ignore", "-z", "--stdin"}, Stdin: strings.NewReader(strings.Join(paths, "\x00")),
	})
	return gitcmd.Parts(out), err
}
