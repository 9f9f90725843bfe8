package ui

import (
	"fmt"
	"math"
	"testing"

	"github.com/git-cortex/cortex/workspace/explore"
)

// twoRings is a graph of two communities that one edge connects.
func twoRings(n int) *explore.GraphShape {
	g := &explore.GraphShape{}
	for ring := range 2 {
		for i := range n {
			g.Nodes = append(g.Nodes, explore.GraphNode{ID: fmt.Sprintf("%d-%03d", ring, i), Label: "x", Centrality: float64(i) / float64(n)})
			for step := 1; step < 4; step++ {
				g.Edges = append(g.Edges, explore.GraphEdge{From: fmt.Sprintf("%d-%03d", ring, i), To: fmt.Sprintf("%d-%03d", ring, (i+step)%n), Rel: "builds_on", Weight: 1})
			}
		}
	}
	g.Edges = append(g.Edges, explore.GraphEdge{From: "0-000", To: "1-000", Rel: "similar", Weight: 0.1})
	return g
}

// TestDraw: communities are told apart, everything is in the picture, and the same
// graph is drawn in the same way.
func TestDraw(t *testing.T) {
	one, two := draw(twoRings(12)), draw(twoRings(12))
	group := map[byte]int{}
	for i, d := range one.Dots {
		if d != two.Dots[i] {
			t.Fatalf("drawn differently: %v and %v", d, two.Dots[i])
		}
		if d.X < 0 || d.X > pictureWide || d.Y < 0 || d.Y > pictureHigh || math.IsNaN(d.X+d.Y) {
			t.Errorf("%s is at %v, %v", d.ID, d.X, d.Y)
		}
		ring := d.ID[0]
		if g, known := group[ring]; known && g != d.Group {
			t.Errorf("%s is in community %d, others of its ring in %d", d.ID, d.Group, g)
		}
		group[ring] = d.Group
	}
	if group['0'] == group['1'] {
		t.Error("both rings are one community")
	}
	if got := len(groups(one.Dots)); got != 2 {
		t.Errorf("%d groups", got)
	}
	for i, d := range one.Dots {
		for _, o := range one.Dots[:i] {
			if d.Name != "" && o.Name != "" && math.Abs(d.Y-o.Y) < labelHigh && math.Abs(d.NameX-o.NameX) < labelWide {
				t.Errorf("%s and %s are written over each other", d.ID, o.ID)
			}
		}
	}
	if last := one.Strokes[len(one.Strokes)-1]; last.Link || !one.Strokes[0].Link {
		t.Error("likeness and links are not told apart")
	}
}

// TestDrawBounds: a large graph is cut down to what can be read, and none is no error.
func TestDrawBounds(t *testing.T) {
	p := draw(twoRings(400))
	if len(p.Dots) != nodesShown || p.Left != 800-nodesShown {
		t.Errorf("%d dots, %d left", len(p.Dots), p.Left)
	}
	if p := draw(&explore.GraphShape{}); len(p.Dots) != 0 || p.Dots == nil || p.Strokes == nil {
		t.Errorf("of nothing: %v", p)
	}
	if p := draw(&explore.GraphShape{Nodes: []explore.GraphNode{{ID: "a"}}}); p.Dots[0].X != pictureWide/2 {
		t.Errorf("of one: %v", p)
	}
}

func BenchmarkDraw(b *testing.B) {
	g := twoRings(nodesShown / 2)
	for b.Loop() {
		draw(g)
	}
}
