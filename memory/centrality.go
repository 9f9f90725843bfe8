package memory

import (
	"cmp"
	"math"
	"slices"
)

const (
	// citationDamping is how likely a reader goes on along a link. Half, as for
	// citations of papers, whose chains are short, and not the 0.85 of web pages
	// (Chen, Xie, Maslov, Redner 2007, "Finding scientific gems with Google's
	// PageRank algorithm").
	citationDamping = 0.5
	// centralLinks is how many links of memories that nobody links make a
	// memory half as central as one can be.
	centralLinks = 3
	// centralTurns bounds the iteration; its error halves with each.
	centralTurns = 40
)

// Linked is what [Centralities] needs of a memory.
type Linked struct {
	ID    ID
	Links []Link
}

// Centralities says how central memories are in the graph of their links, from 0
// to below 1; those that nothing leads to are not in the map. It is PageRank
// (Brin, Page 1998) over the links that lend weight: all but contradicts, and
// supersedes the other way round, so that what was said of the older memory
// counts for the one in its place. A rank of n is worth the links of
// L = (n − 1) / damping memories that nobody links, and the centrality is
// L / (L + 3): above 0.5 from the fourth such link on, whatever else is in the
// view. A memory that is there twice counts once. Links to what is not in the
// view count for nothing. The result depends on nothing else, not even on the
// order, and takes time in proportion to the links.
func Centralities(view []Linked) map[ID]float64 {
	g := citationsOf(view)
	if len(g.edges) == 0 {
		return nil
	}
	rank, next := make([]float64, len(g.ids)), make([]float64, len(g.ids))
	for i := range rank {
		rank[i] = 1
	}
	for range centralTurns {
		for i := range next {
			next[i] = 1
		}
		for _, e := range g.edges { // in a fixed order, so that sums are the same everywhere
			next[e.to] += float64(float64(citationDamping*rank[e.from]) / float64(g.out[e.from]))
		}
		moved := 0.0
		for i := range next {
			moved = max(moved, math.Abs(next[i]-rank[i]))
		}
		rank, next = next, rank
		if moved < 1e-9 {
			break
		}
	}
	out := map[ID]float64{}
	for i, id := range g.ids {
		if links := (rank[i] - 1) / citationDamping; links > 0 {
			out[id] = links / (links + centralLinks)
		}
	}
	return out
}

// citations are the links that lend weight, once each.
type citations struct {
	ids   []ID // sorted
	edges []citation
	out   []int // edges from each
}

type citation struct{ from, to int }

func citationsOf(view []Linked) *citations {
	g := &citations{}
	for _, m := range view {
		g.ids = append(g.ids, m.ID)
	}
	slices.Sort(g.ids)
	g.ids = slices.Compact(g.ids)
	at := make(map[ID]int, len(g.ids))
	for i, id := range g.ids {
		at[id] = i
	}
	for _, m := range view {
		for _, l := range m.Links {
			to, ok := at[l.To]
			if !ok || l.To == m.ID || l.Rel == Contradicts {
				continue
			}
			e := citation{at[m.ID], to}
			if l.Rel == Supersedes {
				e = citation{to, at[m.ID]}
			}
			g.edges = append(g.edges, e)
		}
	}
	slices.SortFunc(g.edges, func(a, b citation) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	g.edges = slices.Compact(g.edges)
	g.out = make([]int, len(g.ids))
	for _, e := range g.edges {
		g.out[e.from]++
	}
	return g
}
