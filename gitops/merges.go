package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Commit resolves a revision to the id of the commit it names. A missing one,
// and what is no commit, is [ErrNoRevision].
func (h History) Commit(ctx context.Context, rev string) (ObjectID, error) {
	out, err := h.git.run(ctx, command{args: []string{"rev-parse", "-q", "--verify", "--end-of-options", rev + "^{commit}"}})
	id := strings.TrimSpace(string(out))
	if code := exitCode(err); rev == "" || code == 1 || code == 128 {
		return "", fmt.Errorf("%q: %w", rev, ErrNoRevision)
	}
	if err == nil && !isHexID(id) {
		err = fmt.Errorf("git answered %q", id)
	}
	if err != nil {
		return "", fmt.Errorf("resolving %q: %w", rev, err)
	}
	return ObjectID(id), nil
}

// Parents are the parents of a commit, in order.
func (h History) Parents(ctx context.Context, commit ObjectID) ([]ObjectID, error) {
	out, err := h.git.run(ctx, command{args: []string{"rev-list", "--parents", "-n", "1", string(commit), "--"}})
	if err != nil {
		return nil, fmt.Errorf("reading the parents of %s: %w", commit, err)
	}
	var parents []ObjectID
	for i, id := range strings.Fields(string(out)) {
		if i > 0 {
			parents = append(parents, ObjectID(id))
		}
	}
	return parents, nil
}

// MergeBases are the best common ancestors of two commits: none for histories
// that share nothing, several after a criss-cross merge.
func (h History) MergeBases(ctx context.Context, a, b ObjectID) ([]ObjectID, error) {
	out, err := h.git.run(ctx, command{args: []string{"merge-base", "--all", string(a), string(b)}})
	if err != nil && exitCode(err) != 1 { // 1: there is none
		return nil, fmt.Errorf("looking for the merge base of %s and %s: %w", a, b, err)
	}
	var bases []ObjectID
	for _, id := range strings.Fields(string(out)) {
		bases = append(bases, ObjectID(id))
	}
	return bases, nil
}

// MergeHeads are the commits that a merge under way brings in, none when no
// merge is.
func (r *Repo) MergeHeads() ([]ObjectID, error) {
	data, err := os.ReadFile(filepath.Join(r.GitDir, "MERGE_HEAD"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading MERGE_HEAD: %w", err)
	}
	var heads []ObjectID
	for _, id := range strings.Fields(string(data)) {
		if isHexID(id) {
			heads = append(heads, ObjectID(id))
		}
	}
	return heads, nil
}

// Shallow reports whether this clone holds only a part of the history, so that
// a missing merge base means nothing.
func (r *Repo) Shallow() bool { return exists(filepath.Join(r.CommonDir, "shallow")) }

// Unmerged lists the paths below prefix that git left in conflict, sorted.
func (x *Index) Unmerged(ctx context.Context, prefix string) ([]string, error) {
	if x.root == "" {
		return nil, nil
	}
	out, err := x.git.run(ctx, command{args: []string{"diff", "--name-only", "--no-ext-diff", "--diff-filter=U", "--no-relative", "-z", "--", prefix}})
	if err != nil {
		return nil, fmt.Errorf("listing conflicts: %w", err)
	}
	return strings.FieldsFunc(string(out), func(c rune) bool { return c == 0 }), nil
}
