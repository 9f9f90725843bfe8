package workspace

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/journal"
)

// sessions are those of a view and of the journal, for a query that names some.
func (s *searcher) sessions(ctx context.Context, v *View) *knownSessions {
	return &knownSessions{
		numbers: func() map[string]int { return projection.SessionNumbers(v.Sources(ctx)) },
		last:    func(n int) []string { return s.lastSessions(ctx, v, n) },
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
	ids := slices.Collect(maps.Keys(ended))
	lists.Sort(ids, func(a, b string) int {
		return cmp.Or(ended[b].Compare(ended[a]), strings.Compare(a, b))
	})
	return ids[:min(len(ids), n)]
}

// asksSessions reports whether a query names sessions and no words: what is wanted is what
// happened in them.
func asksSessions(q query.Query) bool {
	return q.Empty() && slices.ContainsFunc(q.Clauses,
		func(c query.Clause) bool { return c.Key == query.Session && !c.Not })
}

// knownSessions tells the ids of sessions. Each function is called only where a query needs it.
type knownSessions struct {
	numbers func() map[string]int // the number of each session, as briefings count them, by its id
	last    func(n int) []string  // the n that ended last
}

// named returns a query with the ids of the sessions that it names by number, as
// briefings do ("session:3", "session:s3"), or as the last ones. Any other name stays as it was
// typed.
func (k *knownSessions) named(q query.Query) query.Query {
	if !slices.ContainsFunc(q.Clauses, func(c query.Clause) bool { return c.Key == query.Session }) {
		return q
	}
	var clauses []query.Clause
	for _, c := range q.Clauses {
		if c.Key != query.Session {
			clauses = append(clauses, c)
			continue
		}
		ids, note := k.idsOf(c)
		if note != "" {
			q.Notes = append(slices.Clip(q.Notes), note)
		}
		for _, id := range ids {
			clauses = append(clauses, withSession(c, id))
		}
	}
	q.Clauses = clauses
	return q
}

// withSession is a clause with the id of a session; it says no longer that it is of the last ones.
func withSession(c query.Clause, id string) query.Clause {
	if strings.HasPrefix(c.Value, query.LastSessions) {
		c.Said = ""
	}
	c.Value = id
	return c
}

// idsOf are the ids that a clause names, and what to say of that.
func (k *knownSessions) idsOf(c query.Clause) (ids []string, note string) {
	if last, ok := strings.CutPrefix(c.Value, query.LastSessions); ok && c.Said != "" {
		n, _ := strconv.Atoi(last)
		if ids = k.last(n); len(ids) > 0 {
			return ids, ""
		}
	}
	n := sessionNumber(c.Value)
	if n == 0 {
		return []string{c.Value}, ""
	}
	for id, of := range k.numbers() {
		if of == n {
			return []string{id}, fmt.Sprintf("session %d, as briefings count them, is %s", n, id)
		}
	}
	return []string{c.Value}, ""
}

// digits is how many digits the number of a session has at most. What is longer is the
// beginning of an id.
const digits = 4

// sessionNumber reads "3" and "s3"; 0 for anything else.
func sessionNumber(s string) int {
	s = strings.TrimPrefix(strings.ToLower(s), "s")
	n, err := strconv.Atoi(s)
	if err != nil || len(s) > digits {
		return 0
	}
	return max(n, 0)
}
