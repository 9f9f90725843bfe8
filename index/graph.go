package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/git-cortex/cortex/memory"
)

// NodeKind says what a node of a [Graph] stands for.
type NodeKind string

// The kinds of nodes.
const (
	NodeMemory  NodeKind = "memory"
	NodeSession NodeKind = "session"
	NodeFile    NodeKind = "file"
	NodeEntity  NodeKind = "entity"
)

// Relations of a graph beside those of [memory.Rels].
const (
	RelSession = "in_session" // memory to session
	RelFile    = "about"      // memory to file
	RelEntity  = "mentions"   // memory to entity
	RelSimilar = "similar"    // memory to memory, derived; stands once for both ways
)

// Graph is the memories of a view and what connects them. It is derived and
// never written to a memory.
type Graph struct {
	Nodes []GraphNode // memories first, by id; then sessions, files, entities, by name
	Edges []GraphEdge // by place of From, To, then by Rel

	ids        map[memory.ID]int
	at         [][]int    // edges by node
	signatures [][]uint32 // of the memories, when similarity was asked for
}

// GraphNode is one node.
type GraphNode struct {
	Kind NodeKind
	Name string         // an id, a session, a path, a name
	Item Item           // of a memory
	Head *memory.Memory // of a memory, without its text
}

// GraphEdge connects two nodes, by their place in Nodes.
type GraphEdge struct {
	From, To int
	Rel      string
	Weight   float64 // 1 for what is written; the Jaccard similarity for what is derived
}

// Graph derives the graph of a view. With similar it has edges between memories
// whose words overlap: Jaccard of 0.1 and more (DESIGN §2), the nearest five of
// each memory.
func (x *Index) Graph(ctx context.Context, v View, similar bool) (*Graph, error) {
	f := x.foldOf(&v)
	g := &Graph{ids: map[memory.ID]int{}}
	for i, it := range f.items {
		if head, ok := x.catalog.HeadOf(it); ok {
			g.Nodes = append(g.Nodes, GraphNode{Kind: NodeMemory, Name: string(f.ids[i]), Item: *it, Head: head})
		}
	}
	slices.SortFunc(g.Nodes, func(a, b GraphNode) int { return cmp.Compare(a.Name, b.Name) })
	for i := range g.Nodes {
		g.ids[memory.ID(g.Nodes[i].Name)] = i
	}
	g.connect()
	if similar {
		if err := g.addSimilar(ctx, x); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(g.Edges, func(a, b GraphEdge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Rel, b.Rel))
	})
	return g, nil
}

// connect adds what memories say of themselves.
func (g *Graph) connect() {
	type named struct {
		kind NodeKind
		name string
	}
	ties := map[named][]GraphEdge{} // To is filled in below
	memories := len(g.Nodes)
	for i := range memories {
		m := g.Nodes[i].Head
		for _, l := range m.Links {
			if to, ok := g.ids[l.To]; ok && to != i {
				g.Edges = append(g.Edges, GraphEdge{i, to, string(l.Rel), 1})
			}
		}
		tie := func(kind NodeKind, name, rel string) {
			key := named{kind, name}
			if list := ties[key]; name != "" && (len(list) == 0 || list[len(list)-1].From != i) {
				ties[key] = append(list, GraphEdge{From: i, Rel: rel, Weight: 1})
			}
		}
		tie(NodeSession, m.Source.Session, RelSession)
		for _, p := range m.Files {
			tie(NodeFile, p, RelFile)
		}
		for _, a := range m.Anchors {
			tie(NodeFile, a.Path, RelFile)
		}
		for _, e := range m.Entities {
			tie(NodeEntity, fold(e), RelEntity)
		}
	}
	for _, kind := range []NodeKind{NodeSession, NodeFile, NodeEntity} {
		var names []string
		for key := range ties {
			if key.kind == kind {
				names = append(names, key.name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			g.Nodes = append(g.Nodes, GraphNode{Kind: kind, Name: name})
			for _, e := range ties[named{kind, name}] {
				e.To = len(g.Nodes) - 1
				g.Edges = append(g.Edges, e)
			}
		}
	}
}

// Find is the place of a memory in Nodes.
func (g *Graph) Find(id memory.ID) (int, bool) {
	i, ok := g.ids[id]
	return i, ok
}

// edgesOf are the edges at a node.
func (g *Graph) edgesOf(node int) []int {
	if g.at == nil {
		g.at = make([][]int, len(g.Nodes))
		for e := range g.Edges {
			g.at[g.Edges[e].From] = append(g.at[g.Edges[e].From], e)
			g.at[g.Edges[e].To] = append(g.at[g.Edges[e].To], e)
		}
	}
	return g.at[node]
}

// Tie is one reason why two memories are related.
type Tie struct {
	Rel    string    // a relation, or what they have in common
	From   memory.ID // the memory that led here
	Back   bool      // the link stands in the related memory and points to From
	Name   string    // of the session, file or entity they share
	Weight float64   // 0–1
}

// Relative is a memory that is related to another.
type Relative struct {
	Node     GraphNode
	Distance int     // memories on the way, this one included
	Score    float64 // 0–1: nearest first
	Ties     []Tie   // strongest first
}

// What a tie weighs. Something that many memories share says little of any two:
// its weight is divided by the logarithm of their number.
const (
	weightLink    = 0.9
	weightRelates = 0.6
	weightFile    = 0.5
	weightEntity  = 0.3
	weightSession = 0.3
	weightStep    = 0.5 // of each memory further away
	maxShared     = 200 // memories that share a thing and are looked at
)

// Related walks from a memory to those around it, at most depth memories far,
// nearest first; of equal score the smaller id first. It is not for several
// goroutines at once.
func (g *Graph) Related(id memory.ID, depth int) []Relative {
	start, ok := g.ids[id]
	if !ok {
		return nil
	}
	g.compareAll(start)
	found := map[int]*Relative{start: {}}
	frontier := []int{start}
	for distance := 1; distance <= depth && len(frontier) > 0; distance++ {
		var next []int
		for _, node := range frontier {
			reach := 1.0
			if distance > 1 {
				reach = float64(found[node].Score * weightStep)
			}
			g.ties(node, func(other int, t Tie) {
				r, ok := found[other]
				if ok && r.Distance < distance {
					return
				}
				if !ok {
					r = &Relative{Node: g.Nodes[other], Distance: distance}
					found[other] = r
					next = append(next, other)
				}
				r.Ties = append(r.Ties, t)
				r.Score = 1 - float64((1-r.Score)*(1-float64(reach*t.Weight)))
			})
		}
		slices.Sort(next)
		frontier = next
	}
	delete(found, start)
	out := make([]Relative, 0, len(found))
	for _, r := range found {
		slices.SortStableFunc(r.Ties, func(a, b Tie) int { return cmp.Compare(b.Weight, a.Weight) })
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Relative) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Node.Name, b.Node.Name))
	})
	return out
}

// ties calls visit for every memory that one edge or one shared thing away.
func (g *Graph) ties(node int, visit func(other int, t Tie)) {
	from := memory.ID(g.Nodes[node].Name)
	for _, e := range g.edgesOf(node) {
		edge := g.Edges[e]
		other := edge.To
		if other == node {
			other = edge.From
		}
		if g.Nodes[other].Kind == NodeMemory {
			w := weightLink
			switch edge.Rel {
			case RelSimilar:
				w = edge.Weight
			case string(memory.RelatesTo):
				w = weightRelates
			}
			visit(other, Tie{Rel: edge.Rel, From: from, Back: edge.To == node, Weight: w})
			continue
		}
		shared := g.edgesOf(other)
		if len(shared) > maxShared {
			continue
		}
		w := float64(weightShared(g.Nodes[other].Kind) / math.Log2(float64(max(2, len(shared)))))
		for _, e := range shared {
			if third := g.Edges[e].From; third != node {
				visit(third, Tie{Rel: edge.Rel, From: from, Name: g.Nodes[other].Name, Weight: w})
			}
		}
	}
}

func weightShared(kind NodeKind) float64 {
	switch kind {
	case NodeFile:
		return weightFile
	case NodeEntity:
		return weightEntity
	}
	return weightSession
}

// Around is the part of g within depth memories of id, with the things they
// share.
func (g *Graph) Around(id memory.ID, depth int) *Graph {
	start, ok := g.ids[id]
	if !ok {
		return &Graph{ids: map[memory.ID]int{}}
	}
	keep := map[int]bool{start: true}
	for _, r := range g.Related(id, depth) {
		keep[g.ids[memory.ID(r.Node.Name)]] = true
	}
	out := &Graph{ids: map[memory.ID]int{}}
	place := map[int]int{}
	for i, n := range g.Nodes {
		if n.Kind != NodeMemory {
			near := 0
			for _, e := range g.edgesOf(i) {
				if keep[g.Edges[e].From] {
					near++
				}
			}
			if near < 2 {
				continue
			}
		} else if !keep[i] {
			continue
		}
		place[i] = len(out.Nodes)
		if n.Kind == NodeMemory {
			out.ids[memory.ID(n.Name)] = len(out.Nodes)
		}
		out.Nodes = append(out.Nodes, n)
	}
	for _, e := range g.Edges {
		from, okFrom := place[e.From]
		to, okTo := place[e.To]
		if okFrom && okTo {
			out.Edges = append(out.Edges, GraphEdge{from, to, e.Rel, e.Weight})
		}
	}
	return out
}

// addSimilar connects memories whose words overlap.
func (g *Graph) addSimilar(ctx context.Context, x *Index) error {
	n := len(g.ids)
	signatures := make([][]uint32, n)
	parallel(n, func(next func() (int, bool)) {
		for i, ok := next(); ok; i, ok = next() {
			if m, ok := x.catalog.MemoryOf(&g.Nodes[i].Item); ok && ctx.Err() == nil {
				signatures[i] = memory.Signature(m.Title, m.Text)
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("comparing memories: %w", err)
	}
	for _, s := range similarPairs(signatures) {
		g.Edges = append(g.Edges, GraphEdge{s.a, s.b, RelSimilar, s.jaccard})
	}
	g.signatures = signatures
	return nil
}

// compareAll adds edges to what is similar to one memory only by common words,
// which comparing by uncommon ones passes over.
func (g *Graph) compareAll(node int) {
	if g.signatures == nil {
		return
	}
	known := map[int]bool{}
	for _, e := range g.edgesOf(node) {
		if g.Edges[e].Rel == RelSimilar {
			known[g.Edges[e].From], known[g.Edges[e].To] = true, true
		}
	}
	for _, s := range nearestTo(g.signatures, node) {
		other := s.a + s.b - node
		if known[other] {
			continue
		}
		g.at[s.a], g.at[s.b] = append(g.at[s.a], len(g.Edges)), append(g.at[s.b], len(g.Edges))
		g.Edges = append(g.Edges, GraphEdge{s.a, s.b, RelSimilar, s.jaccard})
	}
}
