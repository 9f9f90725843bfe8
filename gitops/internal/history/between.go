package history

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Moved says which files have another path at a newer commit than at an older one,
// old path to new, as far as git recognises them.
func (h Reader) Moved(ctx context.Context, older, newer gitobject.ID) (map[string]string, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{
		"diff-tree", "-r", "-z", "-M", "-l1000", "--no-ext-diff", "--name-status", "--diff-filter=R", string(older), string(newer), "--",
	}})
	if err != nil {
		return nil, fmt.Errorf("looking for files that moved between %s and %s: %w", older, newer, err)
	}
	return renamed(string(out)), nil
}

// Merges lists the merge commits that are reachable from one commit and not from
// another, newest first, at most limit, if they differ from one of their parents at
// or below a path.
func (h Reader) Merges(ctx context.Context, since, until gitobject.ID, path string, limit int) ([]gitobject.ID, error) {
	all, err := h.git.Run(ctx, gitcmd.Command{Args: []string{
		"rev-list", "--merges", "-n", strconv.Itoa(limit), string(until), "^" + string(since), "--",
	}})
	if err != nil {
		return nil, fmt.Errorf("looking for merges since %s: %w", since, err)
	}
	if len(all) == 0 {
		return nil, nil
	}
	out, err := h.git.Run(ctx, gitcmd.Command{
		Args:  []string{"diff-tree", "--stdin", "-m", "-r", "--no-ext-diff", "--no-renames", "--name-only", "--", path},
		Stdin: strings.NewReader(string(all)),
	})
	if err != nil {
		return nil, fmt.Errorf("looking for what merges since %s changed: %w", since, err)
	}
	// Of a merge there is a line for each parent from which it differs: its own id.
	differs := map[gitobject.ID]bool{}
	for line := range strings.Lines(string(out)) {
		if id, _, _ := strings.Cut(strings.TrimSpace(line), " "); gitobject.IsID(id) {
			differs[gitobject.ID(id)] = true
		}
	}
	var merges []gitobject.ID
	for _, id := range gitobject.IDs(all) {
		if differs[id] {
			merges = append(merges, id)
		}
	}
	return merges, nil
}

// Differing lists how the files that a pathspec names differ between two trees or commits.
func (h Reader) Differing(ctx context.Context, older, newer gitobject.ID, spec string) ([]Difference, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{
		"diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-ext-diff", "--no-renames", string(older), string(newer), "--", spec,
	}})
	if err != nil {
		return nil, fmt.Errorf("comparing %s with %s: %w", older, newer, err)
	}
	return rawDifferences(string(out)), nil
}
