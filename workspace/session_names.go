package workspace

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/sessionnames"
)

// sessions are those of a view and of the journal, for a query that names some.
func (s *searcher) sessions(ctx context.Context, v *View) sessionnames.Sessions {
	return sessionnames.Sessions{
		Numbers: func() map[string]int { return projection.SessionNumbers(v.Sources(ctx)) },
		Last:    func(n int) []string { return s.lastSessions(ctx, v, n) },
	}
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
	for _, r := range s.journal.SessionsAtHand(ctx, journal.MaxSessions) {
		note(r.ID, r.End)
	}
	for _, m := range v.Sources(ctx) {
		note(m.Source.Session, m.Created)
	}
	ids := slices.SortedFunc(maps.Keys(ended), func(a, b string) int {
		return cmp.Or(ended[b].Compare(ended[a]), strings.Compare(a, b))
	})
	return ids[:min(len(ids), n)]
}
