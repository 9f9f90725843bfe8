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
		clauses = append(clauses, lists.Map(ids, func(id string) query.Clause { return withSession(c, id) })...)
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
	newest, isLast := strings.CutPrefix(c.Value, query.LastSessions)
	if isLast && c.Said != "" {
		n, _ := strconv.Atoi(newest)
		ids = k.last(n)
	} else if first, last := sessionNumbers(c.Value); first > 0 {
		ids = k.between(first, last)
		note = fmt.Sprintf("session %s, as briefings count them, is %s", c.Value, strings.Join(ids, " and "))
	}
	if len(ids) == 0 {
		return []string{c.Value}, ""
	}
	return ids, note
}

// between are the ids of the sessions with these numbers, in their order.
func (k *knownSessions) between(first, last int) []string {
	byNumber := map[int]string{}
	for id, n := range k.numbers() {
		byNumber[n] = id
	}
	var ids []string
	for n := first; n <= last; n++ {
		if id, ok := byNumber[n]; ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// digits is how many digits the number of a session has at most. What is longer is the
// beginning of an id.
const digits = 4

// sessionNumbers reads "3", "s3" and "5-8", as the first and the last; 0 for anything else.
func sessionNumbers(s string) (first, last int) {
	from, to, span := strings.Cut(s, "-")
	first = sessionNumber(from)
	if !span {
		return first, first
	}
	return first, sessionNumber(to)
}

// sessionNumber reads "3" and "s3"; 0 for anything else.
func sessionNumber(s string) int {
	s = strings.TrimPrefix(strings.ToLower(s), "s")
	n, err := strconv.Atoi(s)
	if err != nil || len(s) > digits {
		return 0
	}
	return max(n, 0)
}
