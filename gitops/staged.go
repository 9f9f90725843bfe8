package gitops

import (
	"context"
	"fmt"
	"strings"
)

// Staged lists the regular files of the index below the prefixes, sorted by
// path; in a git hook, of the index of the commit being made. Paths in conflict are
// left out.
func (r *Repo) Staged(ctx context.Context, prefixes ...string) ([]Entry, error) {
	if r.Root == "" {
		return nil, ErrNoWorktree
	}
	out, err := r.run(ctx, command{args: append([]string{"ls-files", "--stage", "-z", "--full-name", "--"}, prefixes...)})
	if err != nil {
		return nil, fmt.Errorf("reading the index: %w", err)
	}
	var entries []Entry
	for line := range strings.SplitSeq(string(out), "\x00") {
		// <mode> SP <object> SP <stage> TAB <path>
		head, path, ok := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 3 || fields[2] != "0" || !strings.HasPrefix(fields[0], "100") {
			continue
		}
		entries = append(entries, Entry{Path: path, Blob: ObjectID(fields[1])})
	}
	return entries, nil
}
