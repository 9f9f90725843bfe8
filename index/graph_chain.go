package index

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

// evolves is the next memory of an evolution, backwards or forwards in time; -1
// at its end. Superseding goes before refining.
func (g *Graph) evolves(node int, newer bool) int {
	best := -1
	rank := func(e GraphEdge) int {
		switch memory.Rel(e.Rel) {
		case memory.Supersedes:
			return 2
		case memory.Refines:
			return 1
		}
		return 0
	}
	most := 0
	for _, i := range g.edgesOf(node) {
		e := g.Edges[i]
		other := e.To
		if newer {
			other = e.From
		}
		if r := rank(e); other != node && r > 0 && (r > most || r == most && g.after(other, best)) {
			best, most = other, r
		}
	}
	return best
}

func (g *Graph) after(a, b int) bool {
	x, _ := g.index.catalog.Facts(g.Nodes[a].Item.Blob)
	y, _ := g.index.catalog.Facts(g.Nodes[b].Item.Blob)
	if c := x.Created.Compare(y.Created); c != 0 {
		return c > 0
	}
	return g.Nodes[a].Name < g.Nodes[b].Name
}
