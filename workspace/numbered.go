package workspace

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// sessionDigits is how many digits the number of a session has at most. What is longer
// is the beginning of an id.
const sessionDigits = 4

// asksForSessions reports whether a query names sessions and no words: what is wanted
// is what happened in them.
func asksForSessions(q query.Query) bool {
	return q.Empty() && slices.ContainsFunc(q.Clauses, func(c query.Clause) bool { return c.Key == query.Session && !c.Not })
}

// namedSessions replaces the sessions that a query names by number, as briefings do
// ("session:3", "session:s3"), or as the last ones, by their ids.
func (s *searcher) namedSessions(ctx context.Context, v *View, q query.Query) query.Query {
	if !slices.ContainsFunc(q.Clauses, func(c query.Clause) bool { return c.Key == query.Session }) {
		return q
	}
	var numbers map[string]int
	var clauses []query.Clause
	for _, c := range q.Clauses {
		if c.Key != query.Session {
			clauses = append(clauses, c)
			continue
		}
		if last, ok := strings.CutPrefix(c.Value, query.LastSessions); ok && c.Said != "" {
			n, _ := strconv.Atoi(last)
			ids := s.lastSessions(ctx, v, n)
			for _, id := range ids {
				clauses = append(clauses, query.Clause{Key: c.Key, Value: id, Not: c.Not})
			}
			if len(ids) == 0 {
				clauses = append(clauses, query.Clause{Key: c.Key, Value: c.Value, Not: c.Not})
			}
			continue
		}
		if n := sessionNumber(c.Value); n > 0 {
			if numbers == nil {
				numbers = projection.SessionNumbers(v.sources(ctx))
			}
			for id, number := range numbers {
				if number == n {
					q.Notes = append(slices.Clip(q.Notes), fmt.Sprintf("session %d, as briefings count them, is %s", n, id))
					c.Value = id
					break
				}
			}
		}
		clauses = append(clauses, c)
	}
	q.Clauses = clauses
	return q
}

// sessionNumber reads "3" and "s3"; 0 for anything else.
func sessionNumber(s string) int {
	s = strings.TrimPrefix(strings.ToLower(s), "s")
	if len(s) > sessionDigits {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return max(n, 0)
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
	for _, r := range s.journal.sessions(ctx, maxSessions) {
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
