package explore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/index/graph"
)

// manyNodes is a graph of n memories, each in one of four topics and tied to a file that
// no other has; the first are the most central.
func manyNodes(n int) *GraphShape {
	g := &GraphShape{}
	for i := range 4 {
		g.Nodes = append(g.Nodes, GraphNode{
			ID: fmt.Sprintf("topic:%d", i), Kind: graph.NodeTopic,
			Label: fmt.Sprintf("Topic %d", i),
		})
	}
	for i := range n {
		id, file := fmt.Sprintf("m%d", i), fmt.Sprintf("file:%d", i)
		g.Nodes = append(g.Nodes,
			GraphNode{ID: id, Kind: graph.NodeMemory, Label: "Memory", Centrality: 1 - float64(i)/float64(n)},
			GraphNode{ID: file, Kind: graph.NodeFile, Label: "a.go"})
		g.Edges = append(g.Edges, GraphEdge{From: id, To: fmt.Sprintf("topic:%d", i%4), Rel: graph.RelTopic},
			GraphEdge{From: id, To: file, Rel: "about"})
	}
	return g
}

// TestReadable: a picture has no more nodes than were asked for, the most central
// memories among them, and no edge into the void; a small graph is left as it is.
func TestReadable(t *testing.T) {
	g := manyNodes(200)
	few, left := Readable(g, 60)
	there := map[string]bool{}
	for _, n := range few.Nodes {
		there[n.ID] = true
	}
	if len(few.Nodes) != 60 || left != len(g.Nodes)-60 || !there["m0"] || !there["m39"] || there["m40"] ||
		!there["topic:3"] {
		t.Errorf("%d nodes, %d left out: %v", len(few.Nodes), left, there)
	}
	for _, e := range few.Edges {
		if !there[e.From] || !there[e.To] {
			t.Errorf("an edge leads nowhere: %+v", e)
		}
	}
	for _, most := range []int{0, 1000} {
		if all, left := Readable(g, most); all != g || left != 0 {
			t.Errorf("at most %d: %d left out", most, left)
		}
	}
}

// TestFrames: a picture draws a topic as a frame around its memories.
func TestFrames(t *testing.T) {
	got := Dot(manyNodes(8))
	if !strings.Contains(got, "subgraph cluster_0") || strings.Count(got, "subgraph") != 4 || strings.Contains(got, "in_topic") {
		t.Errorf("not four frames:\n%s", got)
	}
}
