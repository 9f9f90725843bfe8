package workspace

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// What an answer shows beside the memories that match.
const (
	expandFrom  = 5 // of the best matches
	expandEach  = 3 // memories for each of them
	expandTotal = 6
	expandChain = 4 // steps of an evolution
)

// expansion adds to an answer what its best matches are linked to. Matches keep
// their order; what is added stands behind its cause, and says so in Via.
type expansion struct {
	index *index.Index
	view  *View
	query query.Query
	items map[memory.ID]int // of the view
	back  map[memory.ID][]backLink
	shown map[memory.ID]bool
}

// backLink is a link as seen from the memory it points to.
type backLink struct {
	rel  memory.Rel
	from memory.ID
}

// step is a memory that was reached, and how.
type step struct {
	id  memory.ID
	via string
}

// expand returns results with what they are linked to in between. It does
// nothing for a view without links, which is known already, for queries that
// list, and for those that exclude words.
func (s *searcher) expand(ctx context.Context, v *View, q query.Query, results []Found) []Found {
	if len(results) == 0 || !v.HasLinks() || q.Empty() || len(q.Not) > 0 {
		return results
	}
	x := newExpansion(s.index, v, q)
	results = x.together(results)
	for _, r := range results {
		x.shown[r.Entry.Memory.ID] = true
	}
	var out []Found
	left := expandTotal
	for i, r := range results {
		out = append(out, r)
		if i < expandFrom {
			more := x.around(ctx, r, min(expandEach, left))
			left -= len(more)
			out = append(out, more...)
		}
	}
	return out
}

func newExpansion(x *index.Index, v *View, q query.Query) *expansion {
	e := &expansion{
		index: x, view: v, query: q, items: make(map[memory.ID]int, len(v.Items)),
		back: map[memory.ID][]backLink{}, shown: map[memory.ID]bool{},
	}
	for i := range v.Items {
		f, _ := x.Catalog().Facts(v.Items[i].Blob)
		e.items[f.ID] = i
		if !v.Accepted(i) {
			continue
		}
		for _, l := range f.Links {
			e.back[l.To] = append(e.back[l.To], backLink{l.Rel, f.ID})
		}
	}
	return e
}

// together moves the matches that contest another right behind it.
func (x *expansion) together(results []Found) []Found {
	left, out := slices.Clone(results), make([]Found, 0, len(results))
	for len(left) > 0 {
		next := left[0]
		left = left[1:]
		out = append(out, next)
		rivals := x.rivals(next.Entry.Memory)
		contests := func(f Found) bool {
			return slices.ContainsFunc(rivals, func(s step) bool { return s.id == f.Entry.Memory.ID })
		}
		// Those rivals are looked at next, in their order.
		left = slices.Concat(filter(left, contests), lists.Without(left, contests))
	}
	return out
}

func filter(list []Found, want func(Found) bool) []Found {
	return lists.Without(list, func(f Found) bool { return !want(f) })
}

// rivals are the memories that say otherwise: linked by contradicts, or
// superseding the same memory, while both still hold.
func (x *expansion) rivals(m *memory.Memory) []step {
	if x.status(m.ID) == memory.StatusSuperseded {
		return nil
	}
	all := lists.Without(x.opposed(m), func(s step) bool {
		return s.id == m.ID || x.status(s.id) == memory.StatusSuperseded
	})
	var out []step
	for _, s := range all {
		if !slices.ContainsFunc(out, func(o step) bool { return o.id == s.id }) {
			out = append(out, s)
		}
	}
	return out
}

// opposed are the memories that links oppose to one, whatever their status.
func (x *expansion) opposed(m *memory.Memory) []step {
	var all []step
	for _, l := range x.links(m) {
		switch l.Rel {
		case memory.Contradicts:
			all = append(all, step{l.To, "contradicted by " + m.ID.Short()})
		case memory.Supersedes:
			for _, s := range x.incoming(l.To, memory.Supersedes) {
				all = append(all, step{s.id, "contests " + m.ID.Short()})
			}
		}
	}
	if x.accepted(m.ID) {
		all = append(all, x.incoming(m.ID, memory.Contradicts)...)
	}
	return all
}

// links are the links of a memory whose word counts; none of another.
func (x *expansion) links(m *memory.Memory) []memory.Link {
	if !x.accepted(m.ID) {
		return nil
	}
	return m.Links
}

// accepted reports whether what a memory says of others counts.
func (x *expansion) accepted(id memory.ID) bool {
	at, ok := x.items[id]
	return !ok || x.view.Accepted(at)
}

func (x *expansion) status(id memory.ID) memory.Status {
	if at, ok := x.items[id]; ok {
		return x.view.Items[at].Status
	}
	return ""
}

// around reads up to most memories that a match leads to, the most telling
// ones first: what became of it, who says otherwise, the answer, where it came
// from, and what else it names.
func (x *expansion) around(ctx context.Context, r Found, most int) []Found {
	m := r.Entry.Memory
	steps := slices.Concat(x.later(m.ID), x.rivals(m), x.incoming(m.ID, memory.Answers), x.linked(m))
	var out []Found
	for _, s := range steps {
		if len(out) == most {
			break
		}
		at, ok := x.items[s.id]
		if !ok || x.shown[s.id] || !x.index.Passes(ctx, x.query, x.view.Items[at]) {
			continue
		}
		e, err := x.view.Entry(ctx, x.view.Items[at])
		if err != nil {
			continue
		}
		x.shown[s.id] = true
		out = append(out, Found{Entry: e, Snippet: x.index.Snippet(e.Memory, x.query), Via: s.via, Linked: true})
	}
	return out
}

// later follows an evolution to its end: superseded by this, refined by that.
func (x *expansion) later(id memory.ID) []step {
	var out []step
	seen := map[memory.ID]bool{id: true}
	for range expandChain {
		next := x.successor(id, seen)
		if next.from == "" {
			break
		}
		seen[next.from] = true
		out = append(out, step{next.from, string(next.rel) + " " + id.Short()})
		id = next.from
	}
	return out
}

// successor is the memory that supersedes another or else refines it; the zero link for none.
func (x *expansion) successor(id memory.ID, seen map[memory.ID]bool) backLink {
	for _, rel := range []memory.Rel{memory.Supersedes, memory.Refines} {
		for _, b := range x.back[id] {
			if b.rel == rel && !seen[b.from] {
				return b
			}
		}
	}
	return backLink{}
}

// incoming are the memories that have a link to another.
func (x *expansion) incoming(id memory.ID, rel memory.Rel) []step {
	var out []step
	for _, b := range x.back[id] {
		if b.rel == rel {
			out = append(out, step{b.from, string(rel) + " " + id.Short()})
		}
	}
	return out
}

// linked are the memories that m itself names, parents first.
func (x *expansion) linked(m *memory.Memory) []step {
	links := slices.Clone(x.links(m))
	lists.Sort(links, func(a, b memory.Link) int { return parentRank(a.Rel) - parentRank(b.Rel) })
	return lists.Map(links, func(l memory.Link) step { return step{l.To, Passive(l.Rel) + " " + m.ID.Short()} })
}

// parentRank orders relations: what a memory grew out of first, what it
// replaced last.
func parentRank(rel memory.Rel) int {
	switch rel {
	case memory.DerivedFrom, memory.StepOf, memory.Refines, memory.BuildsOn, memory.Answers:
		return 0
	case memory.Supersedes:
		return 2
	}
	return 1
}

// Passive words a relation from the memory it points to.
func Passive(rel memory.Rel) string {
	words := map[memory.Rel]string{
		memory.Supersedes: "superseded by", memory.DerivedFrom: "source of", memory.Refines: "refined by",
		memory.BuildsOn: "base of", memory.Answers: "answered by", memory.StepOf: "plan of",
		memory.Exemplifies: "shown by", memory.Contradicts: "contradicted by", memory.SourceOf: "derived from",
	}
	return cmp.Or(words[rel], "related to")
}
