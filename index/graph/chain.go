package graph

import (
	"slices"

	"github.com/git-cortex/cortex/memory"
)

// maxChain bounds how far an evolution is followed each way.
const maxChain = 16

// Chain is how a memory came about and what became of it, oldest first: what it
// supersedes and refines, the memory itself, and what superseded and refined
// that. Where the way forks, the newest memory is followed.
func (g *Graph) Chain(id memory.ID) []memory.ID {
	start, ok := g.ids[id]
	if !ok {
		return nil
	}
	chain := []int{start}
	for _, newer := range []bool{false, true} {
		at := start
		for range maxChain {
			next := g.evolves(at, newer)
			if next < 0 || slices.Contains(chain, next) {
				break
			}
			chain = append(chain, next)
			at = next
		}
		if !newer {
			slices.Reverse(chain)
		}
	}
	out := make([]memory.ID, len(chain))
	for i, node := range chain {
		out[i] = memory.ID(g.Nodes[node].Name)
	}
	return out
}

// evolutions are the relations by which one memory becomes another, by how much they count.
func evolutions() map[string]int {
	return map[string]int{string(memory.Supersedes): 2, string(memory.Refines): 1}
}

// evolves is the next memory of an evolution, backwards or forwards in time; -1
// at its end. Superseding goes before refining, and a newer memory before an older one.
func (g *Graph) evolves(node int, newer bool) int {
	best, most := -1, 0
	for _, i := range g.edgesOf(node) {
		e := g.Edges[i]
		other := e.To
		if newer {
			other = e.From
		}
		rank := evolutions()[e.Rel]
		if other != node && rank > 0 && g.precedes(other, rank, best, most) {
			best, most = other, rank
		}
	}
	return best
}

// precedes reports whether one step of an evolution goes before another, by their ranks.
func (g *Graph) precedes(a, rank, b, other int) bool {
	return rank > other || rank == other && g.after(a, b)
}

func (g *Graph) after(a, b int) bool {
	x, _ := g.index.Catalog().Facts(g.Nodes[a].Item.Blob)
	y, _ := g.index.Catalog().Facts(g.Nodes[b].Item.Blob)
	if c := x.Created.Compare(y.Created); c != 0 {
		return c > 0
	}
	return g.Nodes[a].Name < g.Nodes[b].Name
}
