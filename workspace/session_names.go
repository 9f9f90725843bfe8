package workspace

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/sessionnames"
)

// sessions are those of a view and of the journal, for a query that names some.
func (s *searcher) sessions(ctx context.Context, v *View) sessionnames.Sessions {
	return sessionnames.Sessions{
		Numbers: func() map[string]int { return projection.SessionNumbers(v.sources(ctx)) },
		Last:    func(n int) []string { return s.lastSessions(ctx, v, n) },
	}
}

// sources are the heads of the memories of a view that can be read.
func (v *View) sources(ctx context.Context) []*memory.Memory {
	return slices.DeleteFunc(v.catalog.Memories(ctx, v.Items, false), func(m *memory.Memory) bool { return m == nil })
}

// lastSessions are the ids of the n sessions that ended last, by their records and by
// the memories of the view.
func (s *searcher) lastSessions(ctx context.Context, v *View, n int) []string {
	ended := map[string]time.Time{}
	note := func(id string, at time.Time) {
		if id != "" && at.After(ended[id]) {
			ended[id] = at
		}
	}
	for _, r := range s.journal.sessionsAtHand(ctx, maxSessions) {
		note(r.ID, r.End)
	}
	for _, m := range v.sources(ctx) {
		note(m.Source.Session, m.Created)
	}
	ids := make([]string, 0, len(ended))
	for id := range ended {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		if c := ended[b].Compare(ended[a]); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	return ids[:min(len(ids), n)]
}
