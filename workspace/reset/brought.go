package reset

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/places"
)

// brought returns those files of the journal that other clones brought. Memories and
// session records have marks that say so. Counters and refusals have none: those of
// which a remote has a copy, as far as this clone has seen, count as brought, except for
// the counters of this clone.
func brought(ctx context.Context, w *workspace.Workspace, journal *gitops.Snapshot,
	all []gitops.Entry,
) (map[string]bool, error) {
	out := map[string]bool{}
	marks := w.Journal.Marks(ctx)
	if err := marks.Unreadable(); err != nil {
		return nil, err
	}
	shorts := map[string]bool{}
	for name := range marks {
		shorts[memory.ID(name).Short()] = true
	}
	var pending []gitops.Entry
	for _, e := range all {
		short, ok := places.Short(e.Path)
		switch {
		case ok && shorts[memory.ID(short).Short()]:
			pending = append(pending, e)
		case strings.HasPrefix(e.Path, "sessions/") && marks.Record(e.Path):
			out[e.Path] = true
		}
	}
	err := journal.Read(ctx, pending, func(e gitops.Entry, data []byte) error {
		m, err := memory.Parse(e.Path, data)
		out[e.Path] = err != nil || marks.Memory(m.ID) // one that cannot be read has the beginning of a mark
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading what is pending: %w", err)
	}
	return out, atRemotes(ctx, w, out)
}

// atRemotes adds the counters and refusals that remotes had when they were last seen.
func atRemotes(ctx context.Context, w *workspace.Workspace, out map[string]bool) error {
	seen, err := w.Repo.Remotes().Tracked(ctx)
	if err != nil {
		return err
	}
	own := "access/" + w.CloneID(ctx) + ".tsv"
	for remote, commit := range seen {
		for _, folder := range []string{"access", "dismissed"} {
			files, err := w.Repo.Tree(ctx, string(commit), folder)
			if err != nil {
				return fmt.Errorf("reading the journal of %s: %w", remote, err)
			}
			for _, e := range files {
				out[e.Path] = out[e.Path] || e.Path != own
			}
		}
	}
	return nil
}
