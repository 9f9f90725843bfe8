package hub

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
)

// Pair is two memories of which only one can hold, by the judgement of the caller of [Hub.Opposed].
type Pair struct {
	Newer, Older memory.ID
	Kind         string // such as "chosen again"
	About        string // what both are about; "" if that is not known
}

// Opposed are decisions that contradict each other between repositories.
type Opposed struct {
	Pairs    []OpposedPair // the newest first
	Total    int
	Repos    int
	Stale    []string // those of them that may have moved since, by name
	Compared int      // decisions
	Left     int      // decisions beyond the bound, which were not compared
}

// OpposedPair is a pair with where its memories stand.
type OpposedPair struct {
	Pair
	Newer, Older Found
}

// Bounds of a comparison.
const (
	maxCompared = 5_000 // decisions, those that count most
	maxPairs    = 100
	pairSize    = 128 << 10 // bytes, and more than two memories have
)

// Opposed finds, in what the caller may read, decisions of which only one can hold and that no repository holds both
// of: what one repository says of itself is for its own briefing. What the caller may not read has no part in it.
// Suspicious memories are not compared.
func (h *Hub) Opposed(ctx context.Context, c Caller, judge func([]*memory.Memory) []Pair) (*Opposed, error) {
	in, err := h.granted(ctx, c)
	if err != nil {
		return nil, err
	}
	name := NameOf(in)
	if o, ok := h.opposed.Get(name, h.opt.Now()); ok {
		return o, nil
	}
	out := &Opposed{Pairs: []OpposedPair{}, Repos: len(in), Stale: outdated(in)}
	result, err := h.store.Search(ctx, in, decisions(), maxCompared)
	if err != nil {
		return nil, fmt.Errorf("reading decisions: %w", err)
	}
	found := map[memory.ID]Found{}
	var list []*memory.Memory
	for i := range result.Hits {
		hit := &result.Hits[i]
		f := h.placed(in, hit, append([]memory.ID{hit.Memory.ID}, hit.Twins...))
		if len(f.Flags) == 0 {
			found[hit.Memory.ID] = f
			list = append(list, hit.Memory)
		}
	}
	out.Compared, out.Left = len(list), result.Total-len(result.Hits)
	for _, p := range judge(list) {
		newer, older := found[p.Newer], found[p.Older]
		if newer.meets(&older) {
			continue
		}
		out.Pairs = append(out.Pairs, OpposedPair{p, newer, older})
	}
	out.Total, out.Pairs = len(out.Pairs), out.Pairs[:min(len(out.Pairs), maxPairs)]
	h.opposed.Put(name, out, pairSize*(1+len(out.Pairs)), h.opt.Now())
	return out, nil
}

// decisions are the memories in force that can contradict each other.
func decisions() query.Query {
	var q query.Query
	for _, t := range []memory.Type{memory.Decision, memory.Rejected, memory.Architecture, memory.Preference} {
		q.Clauses = append(q.Clauses, query.Clause{Key: query.Type, Value: string(t)})
	}
	for _, s := range []memory.Status{memory.StatusSuperseded, memory.StatusArchived} {
		q.Clauses = append(q.Clauses, query.Clause{Key: query.Status, Value: string(s), Not: true})
	}
	return q
}

// meets reports whether a repository holds both of two memories.
func (f *Found) meets(other *Found) bool {
	return slices.ContainsFunc(f.Places, func(p Place) bool {
		return slices.ContainsFunc(other.Places, func(o Place) bool { return o.Repository == p.Repository })
	})
}
