// Package sessionnames replaces the sessions that a query names by number, or as the last
// ones, by their ids. Call [Asks] for whether a query is about sessions alone, and
// [Named] for the query that can be searched for. It promises that a name which is no
// number of a session stays as it was typed.
package sessionnames

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/index/query"
)

// digits is how many digits the number of a session has at most. What is longer is the
// beginning of an id.
const digits = 4

// Asks reports whether a query names sessions and no words: what is wanted is what
// happened in them.
func Asks(q query.Query) bool {
	return q.Empty() && slices.ContainsFunc(q.Clauses, func(c query.Clause) bool { return c.Key == query.Session && !c.Not })
}

// Sessions tells the ids of sessions. Each function is called only where a query needs it.
type Sessions struct {
	Numbers func() map[string]int // the number of each session, as briefings count them, by its id
	Last    func(n int) []string  // the n that ended last
}

// Named returns a query with the ids of the sessions that it names by number, as
// briefings do ("session:3", "session:s3"), or as the last ones.
func Named(q query.Query, known Sessions) query.Query {
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
			ids := known.Last(n)
			for _, id := range ids {
				clauses = append(clauses, query.Clause{Key: c.Key, Value: id, Not: c.Not})
			}
			if len(ids) == 0 {
				clauses = append(clauses, query.Clause{Key: c.Key, Value: c.Value, Not: c.Not})
			}
			continue
		}
		if n := number(c.Value); n > 0 {
			if numbers == nil {
				numbers = known.Numbers()
			}
			for id, of := range numbers {
				if of == n {
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

// number reads "3" and "s3"; 0 for anything else.
func number(s string) int {
	s = strings.TrimPrefix(strings.ToLower(s), "s")
	if len(s) > digits {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return max(n, 0)
}
