package workspace

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
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
	tree  *worktree
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
	if !v.linked || q.Empty() || len(q.Not) > 0 || len(results) == 0 {
		return results
	}
	x := expansion{
		index: s.index, tree: s.tree, view: v, query: q, items: make(map[memory.ID]int, len(v.Items)),
		back: map[memory.ID][]backLink{}, shown: map[memory.ID]bool{},
	}
	for i := range v.Items {
		f, _ := s.index.Catalog().Facts(v.Items[i].Blob)
		x.items[f.ID] = i
		if !v.Accepted(i) {
			continue
		}
		for _, l := range f.Links {
			x.back[l.To] = append(x.back[l.To], backLink{l.Rel, f.ID})
		}
	}
	results = x.together(results)
	for _, r := range results {
		x.shown[r.Entry.Memory.ID] = true
	}
	var out []Found
	added := 0
	for i, r := range results {
		out = append(out, r)
		if i >= expandFrom || added >= expandTotal {
			continue
		}
		more := x.around(ctx, r, min(expandEach, expandTotal-added))
		added += len(more)
		out = append(out, more...)
	}
	return out
}

// together moves a match that another contests right behind it.
func (x *expansion) together(results []Found) []Found {
	out := slices.Clone(results)
	for i := 0; i < len(out); i++ {
		rivals := x.rivals(out[i].Entry.Memory)
		to := i + 1
		for k := to; k < len(out); k++ {
			if id := out[k].Entry.Memory.ID; slices.ContainsFunc(rivals, func(s step) bool { return s.id == id }) {
				rival := out[k]
				copy(out[to+1:k+1], out[to:k])
				out[to] = rival
				to++
			}
		}
	}
	return out
}

// rivals are the memories that say otherwise: linked by contradicts, or
// superseding the same memory, while both still hold.
func (x *expansion) rivals(m *memory.Memory) []step {
	var out []step
	add := func(id memory.ID, via string) {
		if id != m.ID && x.status(id) != memory.StatusSuperseded && !slices.ContainsFunc(out, func(s step) bool { return s.id == id }) {
			out = append(out, step{id, via})
		}
	}
	if x.status(m.ID) == memory.StatusSuperseded || !x.accepted(m.ID) {
		return nil
	}
	for _, l := range m.Links {
		switch l.Rel {
		case memory.Contradicts:
			add(l.To, "contradicted by "+m.ID.Short())
		case memory.Supersedes:
			for _, b := range x.back[l.To] {
				if b.rel == memory.Supersedes {
					add(b.from, "contests "+m.ID.Short())
				}
			}
		}
	}
	for _, b := range x.back[m.ID] {
		if b.rel == memory.Contradicts {
			add(b.from, "contradicts "+m.ID.Short())
		}
	}
	return out
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
	steps := slices.Concat(x.later(m.ID), x.rivals(m), x.incoming(m, memory.Answers), x.linked(m))
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
		next := backLink{}
		for _, b := range x.back[id] {
			better := next.from == "" || b.rel == memory.Supersedes && next.rel != memory.Supersedes
			if (b.rel == memory.Supersedes || b.rel == memory.Refines) && !seen[b.from] && better {
				next = b
			}
		}
		if next.from == "" {
			break
		}
		seen[next.from] = true
		out = append(out, step{next.from, string(next.rel) + " " + id.Short()})
		id = next.from
	}
	return out
}

func (x *expansion) incoming(m *memory.Memory, rel memory.Rel) []step {
	var out []step
	for _, b := range x.back[m.ID] {
		if b.rel == rel {
			out = append(out, step{b.from, string(rel) + " " + m.ID.Short()})
		}
	}
	return out
}

// linked are the memories that m itself names, parents first.
func (x *expansion) linked(m *memory.Memory) []step {
	links := slices.Clone(m.Links)
	slices.SortStableFunc(links, func(a, b memory.Link) int { return parentRank(a.Rel) - parentRank(b.Rel) })
	var out []step
	for _, l := range links {
		if !x.accepted(m.ID) {
			break
		}
		out = append(out, step{l.To, Passive(l.Rel) + " " + m.ID.Short()})
	}
	return out
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
	switch rel {
	case memory.Supersedes:
		return "superseded by"
	case memory.DerivedFrom:
		return "source of"
	case memory.Refines:
		return "refined by"
	case memory.BuildsOn:
		return "base of"
	case memory.Answers:
		return "answered by"
	case memory.StepOf:
		return "plan of"
	case memory.Exemplifies:
		return "shown by"
	case memory.Contradicts:
		return "contradicted by"
	case memory.SourceOf:
		return "derived from"
	}
	return "related to"
}
