package index

import (
	"slices"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
)

// leaning holds the clauses read from plain words, which lower the score of items that
// fail them instead of leaving these out.
type leaning struct {
	source Source
	time   []query.Clause // all must hold
	kind   []query.Clause // of one key, any must hold
}

// lean takes the clauses read from plain words out of q; nil when there are
// none. Without words to rank by they are filters like any other.
func lean(from Source, q *query.Query) (*leaning, *query.Query) {
	if q.Plain == nil || q.Empty() {
		return nil, q
	}
	l, typed := &leaning{source: from}, *q
	typed.Clauses = nil
	for _, cl := range q.Clauses {
		switch {
		case cl.Said == "", cl.Key == query.Session:
			typed.Clauses = append(typed.Clauses, cl)
		case !cl.Time.IsZero():
			l.time = append(l.time, cl)
		default:
			l.kind = append(l.kind, cl)
		}
	}
	return l, &typed
}

// factor returns the factor, 0–1, by which to multiply the score of a memory; inside
// says that it is of the time that was asked for.
func (l *leaning) factor(at int32) (factor float64, inside bool) {
	if l == nil {
		return 1, true
	}
	f, ok := l.source.Facts(at)
	if !ok {
		return 1, true
	}
	factor, inside = 1, true
	it := l.source.Item(at)
	holds := func(c query.Clause) bool { return holds(&c, it, &f, nil) }
	for _, c := range l.time {
		if !holds(c) {
			factor, inside = c.Lean, false
		}
	}
	for _, c := range l.kind {
		alternatives := lists.Without(l.kind, func(o query.Clause) bool { return o.Key != c.Key })
		if !slices.ContainsFunc(alternatives, holds) {
			return float64(factor * c.Lean), inside
		}
	}
	return factor, inside
}

// trim leaves out what is of another time, unless it beats all of the time that
// was asked for even so.
func (s *search) trim() {
	if s.leaning == nil || len(s.leaning.time) == 0 {
		return
	}
	inside := func(f scored) bool {
		_, ok := s.leaning.factor(f.Item)
		return ok
	}
	first := slices.IndexFunc(s.found, inside)
	if first < 0 {
		return
	}
	kept := append(slices.Clone(s.found[:first]), lists.Where(s.found[first:], inside)...)
	s.total -= s.outside - first
	s.found = kept
	if first > 0 {
		s.hints = append(s.hints, "clear matches of another time stand first")
	}
}
