package explore

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/index/graph"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Dot writes a graph for Graphviz.
func Dot(g *GraphShape) string {
	var b strings.Builder
	b.WriteString("digraph cortex {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n")
	c := clustered(g)
	for i, topic := range c.topics {
		fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=%s;\n    color=gray;\n", i, dotText(pictureLine(&topic)))
		for _, id := range c.members[topic.ID] {
			fmt.Fprintf(&b, "    %s;\n", dotText(id))
		}
		b.WriteString("  }\n")
	}
	for _, n := range c.nodes {
		fmt.Fprintf(&b, "  %s [label=%s%s];\n", dotText(n.ID), dotText(pictureLine(&n)), dotStyle(&n))
	}
	for _, e := range c.edges {
		style := ""
		if e.Rel == graph.RelSimilar {
			style = ", dir=none, style=dotted"
		}
		fmt.Fprintf(&b, "  %s -> %s [label=%s%s];\n", dotText(e.From), dotText(e.To), dotText(e.Rel), style)
	}
	b.WriteString("}\n")
	return b.String()
}

func dotStyle(n *GraphNode) string {
	switch {
	case n.Kind != graph.NodeMemory:
		return ", shape=ellipse, style=dashed"
	case n.Status == memory.StatusSuperseded:
		return ", color=gray, fontcolor=gray"
	case n.Status == memory.StatusContested:
		return ", color=red"
	}
	return ""
}

// clusters are the topics of a graph with the memories in them. A topic is drawn as a
// frame around its memories, and not as a node; that a memory is inside says that it belongs
// to it, so there is no edge between them.
type clusters struct {
	topics  []GraphNode
	members map[string][]string // ids of memories by that of their topic
	nodes   []GraphNode         // but topics
	edges   []GraphEdge         // but those of topics
}

func clustered(g *GraphShape) clusters {
	c, framed := clusters{members: map[string][]string{}}, map[string]bool{}
	for _, e := range g.Edges {
		if e.Rel == graph.RelTopic && !framed[e.From] { // a node is in one frame
			framed[e.From] = true
			c.members[e.To] = append(c.members[e.To], e.From)
		}
	}
	isTopic := func(id string) bool { return c.members[id] != nil }
	for _, n := range g.Nodes {
		if isTopic(n.ID) {
			c.topics = append(c.topics, n)
		} else {
			c.nodes = append(c.nodes, n)
		}
	}
	c.edges = lists.Without(g.Edges,
		func(e GraphEdge) bool { return isTopic(e.From) || isTopic(e.To) })
	return c
}

// Readable returns at most so many nodes of a graph, as many as a person can take in: two
// thirds are the most central memories, the rest is what most of these are tied to. It
// also says how many nodes were left out. No more than 0 means all.
func Readable(g *GraphShape, most int) (*GraphShape, int) {
	if most <= 0 || len(g.Nodes) <= most {
		return g, 0
	}
	memories := lists.Without(g.Nodes, func(n GraphNode) bool { return n.Kind != graph.NodeMemory })
	lists.Sort(memories, func(a, b GraphNode) int { return cmp.Compare(b.Centrality, a.Centrality) })
	others := lists.Without(g.Nodes, func(n GraphNode) bool { return n.Kind == graph.NodeMemory })
	share := min(len(memories), max(most*2/3, most-len(others)))
	keep := map[string]bool{}
	for _, n := range memories[:share] {
		keep[n.ID] = true
	}
	ties := map[string]int{}
	for _, e := range g.Edges {
		if keep[e.From] {
			ties[e.To]++
		}
		if keep[e.To] {
			ties[e.From]++
		}
	}
	lists.Sort(others, func(a, b GraphNode) int { return cmp.Compare(ties[b.ID], ties[a.ID]) })
	for _, n := range others[:min(len(others), most-share)] {
		keep[n.ID] = ties[n.ID] > 0
	}
	out := &GraphShape{
		View:  g.View,
		Nodes: lists.Without(g.Nodes, func(n GraphNode) bool { return !keep[n.ID] }),
		Edges: lists.Without(g.Edges, func(e GraphEdge) bool { return !keep[e.From] || !keep[e.To] }),
	}
	return out, len(g.Nodes) - len(out.Nodes)
}

// pictureLine is the label of a node in a picture: its type if it is a memory, what it
// stands for if it is a name, else its kind, and at most 60 characters of its name.
func pictureLine(n *GraphNode) string {
	label := []rune(memory.OneLine(memory.Clean(n.Label)))
	if len(label) > 60 {
		label = append(label[:59], '…')
	}
	if n.Kind != graph.NodeMemory {
		return cmp.Or(string(n.Entity), string(n.Kind)) + " " + string(label)
	}
	return string(n.Type) + ": " + string(label)
}

// dotText quotes a string for Graphviz; JSON's escapes but \" and \\ are not
// known to it.
func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(memory.Clean(s)) + `"`
}
