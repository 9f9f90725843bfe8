package gitops

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// Staged lists the regular files of the index below the prefixes, sorted by
// path; in a git hook, of the index of the commit being made. Paths in conflict are
// left out.
func (x *Index) Staged(ctx context.Context, prefixes ...string) ([]Entry, error) {
	if x.root == "" {
		return nil, ErrNoWorktree
	}
	return x.files(ctx, prefixes, func(_, stage string) bool { return stage == "0" })
}

// Skipped lists the regular files of the index below prefix that a sparse
// checkout leaves out of the working tree, sorted by path. Without a sparse
// checkout that costs no process.
func (x *Index) Skipped(ctx context.Context, prefix string) ([]Entry, error) {
	if x.root == "" || !exists(filepath.Join(x.gitDir, "info", "sparse-checkout")) {
		return nil, nil
	}
	return x.files(ctx, []string{prefix}, func(tag, _ string) bool { return tag == "S" })
}

// files lists the regular files of the index below the prefixes whose tag
// and stage, as git ls-files prints them, are wanted.
func (x *Index) files(ctx context.Context, prefixes []string, want func(tag, stage string) bool) ([]Entry, error) {
	out, err := x.git.run(ctx, command{args: append([]string{"ls-files", "-t", "--stage", "-z", "--full-name", "--"}, prefixes...)})
	if err != nil {
		return nil, fmt.Errorf("reading the index: %w", err)
	}
	var entries []Entry
	for line := range strings.SplitSeq(string(out), "\x00") {
		// <tag> SP <mode> SP <object> SP <stage> TAB <path>
		head, path, ok := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if ok && len(fields) == 4 && strings.HasPrefix(fields[1], "100") && want(fields[0], fields[3]) {
			entries = append(entries, Entry{Path: path, Blob: ObjectID(fields[2])})
		}
	}
	return entries, nil
}
