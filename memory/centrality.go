package memory

import (
	"math"
	"slices"
)

const (
	// citationDamping is the probability that a reader follows another link. It
	// is 0.5, as for citations of papers, whose chains are short, not 0.85 as for
	// web pages (Chen, Xie, Maslov, Redner 2007, "Finding scientific gems with
	// Google's PageRank algorithm").
	citationDamping = 0.5
	// centralLinks is the number of links, from memories without incoming links,
	// that give a memory the centrality 0.5.
	centralLinks = 3
	// centralTurns is the number of iterations. Each halves the error.
	centralTurns = 40
)

// Linked is the input of [Centralities] for one memory.
type Linked struct {
	ID    ID
	Links []Link
}

// Centralities returns how central memories are in the graph of their links,
// from 0 to below 1. Memories without incoming links are not in the map.
//
// It is PageRank (Brin, Page 1998) over all links except contradicts, with
// supersedes reversed: what linked to the older memory counts for the one that
// replaced it. A rank n equals that of a memory linked from
// L = (n − 1) / damping memories without incoming links, and the centrality is
// L / (L + 3), above 0.5 from the fourth such link on, whatever else the view
// holds. A memory that is in the view twice counts once; links to memories that
// are not in the view are ignored. The order of the input does not matter. It
// takes time in proportion to the number of memories and links.
func Centralities(view []Linked) map[ID]float64 {
	g := citationsOf(view)
	if len(g.edges) == 0 {
		return nil
	}
	ones := slices.Repeat([]float64{1}, len(g.ids))
	rank, next := slices.Clone(ones), slices.Clone(ones)
	for range centralTurns {
		copy(next, ones)
		for _, e := range g.edges { // in a fixed order, since adding floats in another gives another sum
			next[e.to()] += float64(float64(citationDamping*rank[e.from()]) / float64(g.out[e.from()]))
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

// citations are the links that count, each once.
type citations struct {
	ids   []ID // of memories that have links or that links name, sorted
	edges []citation
	out   []int // edges from each
}

// citation is a link between two places of citations.ids: that of the memory it is from, and
// in the lower half that of the other one.
type citation uint64

func cite(from, to int) citation { return citation(from)<<32 | citation(to) }

func (c citation) from() int { return int(c >> 32) }
func (c citation) to() int   { return int(c & (1<<32 - 1)) }

func citationsOf(view []Linked) *citations {
	g := &citations{ids: make([]ID, len(view))}
	for i, m := range view {
		g.ids[i] = m.ID
	}
	slices.Sort(g.ids)
	g.ids = slices.Compact(g.ids)
	at := make(map[ID]int, len(g.ids))
	for i, id := range g.ids {
		at[id] = i
	}
	for _, m := range view {
		from := at[m.ID]
		for _, l := range m.Links {
			to, ok := at[l.To]
			if !ok || to == from || l.Rel == Contradicts {
				continue
			}
			e := cite(from, to)
			if l.Rel == Supersedes {
				e = cite(to, from)
			}
			g.edges = append(g.edges, e)
		}
	}
	slices.Sort(g.edges)
	g.edges = slices.Compact(g.edges)
	g.out = make([]int, len(g.ids))
	for _, e := range g.edges {
		g.out[e.from()]++
	}
	return g
}
