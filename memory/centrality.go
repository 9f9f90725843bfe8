package memory

import (
	"cmp"
	"math"
	"slices"
	"strings"
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
	// citationTurns is the number of iterations. Each halves the error.
	citationTurns = 40
)

// Linked is the input of [Centralities] for one memory.
type Linked struct {
	ID    ID
	Links []Link
}

// Centralities returns how central each memory of a view is in the graph of their links, from 0 to below 1,
// by [Central]. Each memory is in the view once; links to memories that
// are not in the view are ignored. The order of the input does not matter.
func Centralities(view []Linked) []float64 {
	ids, at := make([]ID, len(view)), make(map[ID]int, len(view))
	for i, m := range view {
		ids[i], at[m.ID] = m.ID, i
	}
	var cites []Citation
	for from, m := range view {
		for _, l := range m.Links {
			if to, ok := at[l.To]; ok {
				cites = AppendCitation(cites, l.Rel, from, to)
			}
		}
	}
	return Central(ids, cites)
}

// Citation is a link that counts, between the places of two memories in a list.
type Citation struct{ From, To int32 }

// AppendCitation appends a link between places, unless it counts for nothing: a memory lends itself nothing,
// nor one that it contradicts. What linked to an older memory counts for the one that replaced it.
func AppendCitation(list []Citation, rel Rel, from, to int) []Citation {
	if from == to || rel == Contradicts {
		return list
	}
	if rel == Supersedes {
		from, to = to, from
	}
	return append(list, Citation{int32(from), int32(to)})
}

// Central returns how central each of some memories is by citations between them, from 0 to below 1.
//
// It is PageRank (Brin, Page 1998). A rank n equals that of a memory linked from
// L = (n − 1) / damping memories without incoming links, and the centrality is
// L / (L + 3), above 0.5 from the fourth such link on, whatever else the view
// holds. Neither the order of the ids nor that of the citations matters. It
// takes time in proportion to their numbers.
func Central(ids []ID, cites []Citation) []float64 {
	slices.SortFunc(cites, func(a, b Citation) int { // since adding floats in another order gives another sum
		return cmp.Or(cmp.Compare(a.To, b.To), strings.Compare(string(ids[a.From]), string(ids[b.From])))
	})
	cites = slices.Compact(cites)
	out := make([]float64, len(ids)) // how many others each cites
	for _, c := range cites {
		out[c.From]++
	}
	rank := slices.Repeat([]float64{1}, len(ids))
	next := slices.Clone(rank)
	for range citationTurns {
		moved := 0.0
		for from := 0; from < len(cites); {
			to, sum := cites[from].To, 1.0
			for ; from < len(cites) && cites[from].To == to; from++ {
				by := cites[from].From
				sum += float64(float64(citationDamping*rank[by]) / out[by])
			}
			next[to] = sum
			moved = max(moved, math.Abs(sum-rank[to]))
		}
		rank, next = next, rank
		if moved < 1e-9 {
			break
		}
	}
	for i := range rank {
		links := (rank[i] - 1) / citationDamping
		rank[i] = links / (links + centralLinks)
	}
	return rank
}
