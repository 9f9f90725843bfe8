// Package graph derives what connects the memories of a view: links, files, sessions and
// topics that they share, and words.
//
// Call [Derive]; then [Graph.Related] tells what is around a memory, and [Graph.Chain] how
// it came about. A graph is derived from the view alone and never written to a memory. The
// last one with similarity is kept beside the catalog, and made again when it is damaged or
// of other memories.
package graph

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// NodeKind says what a node of a [Graph] stands for.
type NodeKind string

// The kinds of nodes.
const (
	NodeMemory  NodeKind = "memory"
	NodeSession NodeKind = "session"
	NodeTopic   NodeKind = "topic"
	NodeFile    NodeKind = "file"
	NodeEntity  NodeKind = "entity"
)

// NodeKinds are all kinds, in the order of [Graph.Nodes].
func NodeKinds() []NodeKind {
	return []NodeKind{NodeMemory, NodeSession, NodeTopic, NodeFile, NodeEntity}
}

// Relations of a graph beside those of [memory.Rels].
const (
	RelSession = "in_session" // memory to session
	RelTopic   = "in_topic"   // memory to topic
	RelPart    = "part_of"    // topic to session
	RelFile    = "about"      // memory to file
	RelEntity  = "mentions"   // memory to entity
	RelSimilar = "similar"    // memory to memory, derived; stands once for both ways
)

// RelContests is a [Tie] and no edge: both supersede the same memory, and
// neither is superseded.
const RelContests = "contests"

// Graph is the memories of a view and what connects them. It is derived and
// never written to a memory.
type Graph struct {
	Nodes []Node // memories first, by id; then the other kinds, by name
	Edges []Edge // by place of From, To, then by Rel

	index *index.Index
	ids   map[memory.ID]int
	at    [][]int // edges by node
	alike bool    // similarity was asked for
}

// Node is one node.
type Node struct {
	Kind  NodeKind
	Name  string     // unique among its kind: an id, a session, session:line of a topic, a path, a name
	Label string     // of a topic, what it is called
	Item  index.Item // of a memory
}

// Edge connects two nodes, by their place in Nodes.
type Edge struct {
	From, To int
	Rel      string
	Weight   float64 // 1 for what is written; the Jaccard similarity for what is derived
}

// Options say what a graph is made of besides the memories of its view.
type Options struct {
	// Similar adds edges between memories whose words overlap: Jaccard of 0.1
	// and more ([sameness.Edge]), the nearest five of each memory.
	Similar bool
	// Topics lists the topics of sessions, in any order; nil means none. It is
	// called only where the graph is not at hand.
	Topics func() ([]Topic, error)
	// TopicsKey changes whenever what Topics returns does.
	TopicsKey string
}

// Topic is a part of a session, from a line of its transcript to the next topic.
type Topic struct {
	Session string
	Name    string
	Line    int // from 1
}

// Derive derives the graph of a view. With similarity it comes from the cache
// folder when it was derived for these very memories before.
func Derive(ctx context.Context, x *index.Index, v index.View, opt Options) (*Graph, error) {
	g := newGraph(x, v)
	g.alike = opt.Similar
	key := g.key(opt.TopicsKey)
	if g.load(key) {
		if !opt.Similar {
			g.Edges = lists.Without(g.Edges, func(e Edge) bool { return e.Rel == RelSimilar })
		}
		return g, nil
	}
	var topics []Topic
	if opt.Topics != nil {
		var err error
		if topics, err = opt.Topics(); err != nil {
			return nil, err
		}
	}
	whole := g.connect(ctx, topics)
	if opt.Similar {
		if err := g.addSimilar(ctx); err != nil {
			return nil, err
		}
	}
	lists.Sort(g.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Rel, b.Rel))
	})
	if whole && opt.Similar {
		g.keep(key)
	}
	return g, nil
}

// newGraph is a graph of the memories of a view, without edges.
func newGraph(x *index.Index, v index.View) *Graph {
	v = x.View(slices.Clone(v.Items))
	g := &Graph{index: x, ids: make(map[memory.ID]int, len(v.Items)), Nodes: make([]Node, len(v.Items))}
	for i, it := range v.Items {
		g.Nodes[i] = Node{Kind: NodeMemory, Name: string(v.ID(i)), Item: it}
	}
	lists.Sort(g.Nodes, func(a, b Node) int { return cmp.Compare(a.Name, b.Name) })
	for i := range g.Nodes {
		g.ids[memory.ID(g.Nodes[i].Name)] = i
	}
	return g
}

// named is a node that memories have in common.
type named struct {
	kind NodeKind
	name string
}

// ties holds what memories have in common, and the edges to it, whose To is filled in later.
type ties struct {
	edges  map[named][]Edge
	labels map[string]string // of topics
	parts  map[string]string // sessions of topics
}

// add adds an edge from a memory to a thing that it names, once.
func (t *ties) add(from int, kind NodeKind, name, rel string) {
	key := named{kind, name}
	list := t.edges[key]
	known := len(list) > 0 && list[len(list)-1].From == from
	if name != "" && !known {
		t.edges[key] = append(list, Edge{From: from, Rel: rel, Weight: 1})
	}
}

// connect adds what memories say of themselves; false when one of them could
// not be read.
func (g *Graph) connect(ctx context.Context, topics []Topic) (whole bool) {
	whole = true
	of := topicsOf(topics)
	t := ties{map[named][]Edge{}, map[string]string{}, map[string]string{}}
	for i := range g.Nodes {
		m, ok := g.index.Catalog().HeadOf(ctx, &g.Nodes[i].Item)
		if !ok {
			whole = false
			continue
		}
		for _, l := range m.Links {
			if to, ok := g.ids[l.To]; ok && to != i {
				g.Edges = append(g.Edges, Edge{i, to, string(l.Rel), 1})
			}
		}
		t.note(i, m, of)
	}
	g.addNamed(&t)
	return whole
}

// note notes what a memory names.
func (t *ties) note(from int, m *memory.Memory, topics map[string][]Topic) {
	t.add(from, NodeSession, m.Source.Session, RelSession)
	if topic, ok := topicAt(topics[m.Source.Session], m.Source.Record); ok {
		name := fmt.Sprintf("%s:%d", topic.Session, topic.Line)
		t.labels[name], t.parts[name] = topic.Name, topic.Session
		t.add(from, NodeTopic, name, RelTopic)
	}
	for _, p := range m.Files {
		t.add(from, NodeFile, p, RelFile)
	}
	for _, a := range m.Anchors {
		t.add(from, NodeFile, a.Path, RelFile)
	}
	for _, e := range m.Entities {
		t.add(from, NodeEntity, words.Fold(e), RelEntity)
	}
}

// addNamed adds nodes for what memories have in common, and the edges to them.
func (g *Graph) addNamed(t *ties) {
	sessions := map[string]int{}
	for _, kind := range NodeKinds()[1:] {
		var names []string
		for key := range t.edges {
			if key.kind == kind {
				names = append(names, key.name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			node := Node{Kind: kind, Name: name}
			switch kind {
			case NodeSession:
				sessions[name] = len(g.Nodes)
			case NodeTopic:
				node.Label = t.labels[name]
				g.Edges = append(g.Edges, Edge{len(g.Nodes), sessions[t.parts[name]], RelPart, 1})
			}
			for _, e := range t.edges[named{kind, name}] {
				e.To = len(g.Nodes)
				g.Edges = append(g.Edges, e)
			}
			g.Nodes = append(g.Nodes, node)
		}
	}
}

// topicsOf are topics by session, in the order of their lines.
func topicsOf(topics []Topic) map[string][]Topic {
	out := map[string][]Topic{}
	for _, t := range topics {
		out[t.Session] = append(out[t.Session], t)
	}
	for _, list := range out {
		lists.Sort(list, func(a, b Topic) int { return cmp.Compare(a.Line, b.Line) })
	}
	return out
}

// topicAt is the topic that a line belongs to: the last that began before it.
func topicAt(list []Topic, line int) (Topic, bool) {
	n, _ := slices.BinarySearchFunc(list, line+1, func(t Topic, line int) int { return cmp.Compare(t.Line, line) })
	if line < 1 || n == 0 {
		return Topic{}, false
	}
	return list[n-1], true
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
	Node     Node
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
	weightTopic   = 0.4
	weightStep    = 0.5 // of each memory further away
	maxShared     = 200 // memories that share a thing and are looked at
)

// Related walks from a memory to those around it, at most depth memories far,
// nearest first; of equal score the smaller id first. It is not for several
// goroutines at once.
func (g *Graph) Related(ctx context.Context, id memory.ID, depth int) []Relative {
	start, ok := g.ids[id]
	if !ok {
		return nil
	}
	g.compareAll(ctx, start)
	found := map[int]*Relative{start: {}}
	frontier := []int{start}
	for distance := 1; distance <= depth && len(frontier) > 0; distance++ {
		var next []int
		for _, node := range frontier {
			reach := 1.0
			if distance > 1 {
				reach = float64(found[node].Score * weightStep)
			}
			g.eachTie(node, func(other int, t Tie) {
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
	nearest := slices.SortedFunc(maps.Values(found), func(a, b *Relative) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Node.Name, b.Node.Name))
	})
	out := make([]Relative, len(nearest))
	for i, r := range nearest {
		lists.Sort(r.Ties, func(a, b Tie) int { return cmp.Compare(b.Weight, a.Weight) })
		out[i] = *r
	}
	return out
}

// eachTie calls visit for every memory that one edge or one shared thing away.
func (g *Graph) eachTie(node int, visit func(other int, t Tie)) {
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
			if edge.supersedes(other) {
				for _, rival := range g.rivals(node, other) {
					visit(rival, Tie{Rel: RelContests, From: from, Back: true, Weight: weightLink})
				}
			}
			continue
		}
		shared := g.memoriesAt(other)
		if len(shared) > maxShared {
			continue
		}
		w := float64(weightShared(g.Nodes[other].Kind) / math.Log2(float64(max(2, len(shared)))))
		for _, third := range shared {
			if third != node {
				visit(third, Tie{Rel: edge.Rel, From: from, Name: g.Nodes[other].title(), Weight: w})
			}
		}
	}
}

// rivals are the memories that contest what a memory made of an older one.
func (g *Graph) rivals(node, older int) []int {
	if !g.isContested(node) {
		return nil
	}
	var out []int
	for _, e := range g.edgesOf(older) {
		edge := g.Edges[e]
		if edge.From != node && g.contests(edge, older) {
			out = append(out, edge.From)
		}
	}
	return out
}

// contests reports whether an edge is of a contested memory that supersedes another.
func (g *Graph) contests(edge Edge, older int) bool {
	return edge.supersedes(older) && g.isContested(edge.From)
}

// supersedes reports whether an edge says that its beginning supersedes a node.
func (e Edge) supersedes(node int) bool { return e.To == node && e.Rel == string(memory.Supersedes) }

func (g *Graph) isContested(node int) bool {
	return g.Nodes[node].Item.Status == memory.StatusContested
}

// memoriesAt are the memories that have a thing in common.
func (g *Graph) memoriesAt(thing int) []int {
	var out []int
	for _, e := range g.edgesOf(thing) {
		if from := g.Edges[e].From; g.Nodes[from].Kind == NodeMemory {
			out = append(out, from)
		}
	}
	return out
}

// title returns the name of a node for people: its label, or its name if it has none.
func (n *Node) title() string { return cmp.Or(n.Label, n.Name) }

func weightShared(kind NodeKind) float64 {
	return map[NodeKind]float64{
		NodeFile: weightFile, NodeEntity: weightEntity, NodeTopic: weightTopic, NodeSession: weightSession,
	}[kind]
}

// Around is the part of g within depth memories of id, with the things they
// share.
func (g *Graph) Around(ctx context.Context, id memory.ID, depth int) *Graph {
	out := &Graph{ids: map[memory.ID]int{}}
	start, ok := g.ids[id]
	if !ok {
		return out
	}
	near := map[int]bool{start: true}
	for _, r := range g.Related(ctx, id, depth) {
		near[g.ids[memory.ID(r.Node.Name)]] = true
	}
	place := map[int]int{}
	for i, n := range g.Nodes {
		if !near[i] && !g.isShared(i, near) {
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
			out.Edges = append(out.Edges, Edge{from, to, e.Rel, e.Weight})
		}
	}
	return out
}

// isShared reports whether a node is a thing that two of these memories share.
func (g *Graph) isShared(node int, memories map[int]bool) bool {
	if g.Nodes[node].Kind == NodeMemory {
		return false
	}
	at := lists.Without(g.memoriesAt(node), func(m int) bool { return !memories[m] })
	return len(at) > 1
}
