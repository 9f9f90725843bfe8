package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// LogEntry is one commit that touched memories.
type LogEntry struct {
	Commit  string `json:"commit"`
	Time    string `json:"time"`
	Author  string `json:"author"`
	Subject string `json:"subject"`
	Where   string `json:"where"` // journal or HEAD
}

// Log is the history of memories, newest first: commits of the journal and
// commits of HEAD that touch memory files. With an id, only those of that
// memory, and the memory itself if it is still in the view.
func Log(ctx context.Context, w *workspace.Workspace, prefix string, limit int) ([]LogEntry, *workspace.Entry, error) {
	journal, tree := []string{}, []string{workspace.MemoriesDir + "/**"}
	var found *workspace.Entry
	if prefix != "" {
		v, err := w.View(ctx, workspace.ViewOptions{AllBranches: true, Local: true, Unreviewed: true})
		if err != nil {
			return nil, nil, err
		}
		short := memory.ID(prefix).Short()
		e, err := v.Find(ctx, prefix)
		switch {
		case err == nil:
			found, short = &e, e.Memory.ID.Short()
		case errors.Is(err, workspace.ErrNotFound) && memory.IsIDPrefix(prefix) && len(prefix) >= 4:
			// It may have been removed: its file names are in the history.
		default:
			return nil, nil, err
		}
		journal = []string{"pending/**/*-" + short + "*.md", "dismissed/" + short + "*"}
		tree = []string{workspace.MemoriesDir + "/**/*-" + short + "*.md"}
	}
	var out []LogEntry
	for _, source := range []struct {
		where, rev string
		patterns   []string
	}{{"journal", gitops.JournalRef, journal}, {"HEAD", "HEAD", tree}} {
		commits, err := w.Repo.History().Log(ctx, source.rev, source.patterns, limit)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range commits {
			out = append(out, LogEntry{string(c.ID), c.Time.Format("2006-01-02T15:04:05Z"), c.Author, c.Subject, source.where})
		}
	}
	slices.SortStableFunc(out, func(a, b LogEntry) int { return cmp.Compare(b.Time, a.Time) })
	if prefix != "" && found == nil && len(out) == 0 {
		return nil, nil, fmt.Errorf("%s: %w, here or in the history", prefix, workspace.ErrNotFound)
	}
	return out[:min(len(out), limit)], found, nil
}
