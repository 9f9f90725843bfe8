package ui

import (
	"cmp"
	"context"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/git-cortex/cortex/index/graph"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/explore"
)

// nodesShown is how many memories a picture of all can hold and still be read: the
// most central ones.
const nodesShown = 300

// dot is a memory in the picture, in a square of side 1.
type dot struct {
	ID    string  `json:"id"`
	Label string  `json:"label"`
	Type  string  `json:"type"`
	Group int     `json:"group"` // memories of one community
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Size  float64 `json:"size"`
}

// stroke is a connection in the picture.
type stroke struct {
	From string `json:"from"`
	To   string `json:"to"`
	Rel  string `json:"rel"`
	Link bool   `json:"link"` // written in a memory, and not a likeness
}

// picture is the graph as it is drawn.
type picture struct {
	Dots    []dot    `json:"dots"`
	Strokes []stroke `json:"strokes"`
	Left    int      `json:"left"` // memories that are not in it
}

type graphPage struct {
	Of      string // only what is around this memory
	Picture picture
	Groups  [][]dot // the same as text, the largest community first
}

// graph shows how memories hang together.
func (v *visit) graph(ctx context.Context) (*page, error) {
	asked := v.req.URL.Query()
	opt := explore.GraphOptions{Of: asked.Get("id"), Nodes: []string{"memory"}}
	if opt.Of != "" {
		opt.Depth = 2
	}
	shape, err := explore.Graph(ctx, v.Workspace, opt)
	if err != nil {
		return nil, err
	}
	drawn := draw(shape)
	p := &page{Name: "graph", Title: "Graph", Data: graphPage{opt.Of, drawn, groups(drawn.Dots)}, JSON: asJSON(shape)}
	if asked.Has("picture") {
		p.JSON = func(w io.Writer) error { return answer.Write(w, drawn) }
	}
	return p, nil
}

// draw places the most central memories of a graph.
func draw(g *explore.GraphShape) picture {
	nodes := slices.Clone(g.Nodes)
	lists.Sort(nodes, func(a, b explore.GraphNode) int {
		return cmp.Or(cmp.Compare(b.Centrality, a.Centrality), cmp.Compare(a.ID, b.ID))
	})
	out := picture{Dots: []dot{}, Strokes: []stroke{}, Left: max(0, len(nodes)-nodesShown)}
	nodes = nodes[:min(len(nodes), nodesShown)]
	at := map[string]int{}
	for i, n := range nodes {
		at[n.ID] = i
		out.Dots = append(out.Dots,
			dot{ID: n.ID, Label: n.Label, Type: string(n.Type), Size: 3 + 9*math.Sqrt(n.Centrality)})
	}
	l := newLayout(len(nodes))
	for _, e := range g.Edges {
		from, known := at[e.From]
		to, both := at[e.To]
		if !known || !both || from == to {
			continue
		}
		out.Strokes = append(out.Strokes, stroke{e.From, e.To, e.Rel, e.Rel != graph.RelSimilar})
		l.connect(from, to, max(e.Weight, 0.1))
	}
	l.place()
	for i := range out.Dots {
		out.Dots[i].Group, out.Dots[i].X, out.Dots[i].Y = l.group[i], round(l.x[i]), round(l.y[i])
	}
	return out
}

// round keeps four decimals: more than a screen shows.
func round(f float64) float64 { return math.Round(f*1e4) / 1e4 }

// groups are the dots by community, the largest first.
func groups(dots []dot) [][]dot {
	of := map[int][]dot{}
	for _, d := range dots {
		of[d.Group] = append(of[d.Group], d)
	}
	out := slices.Collect(maps.Values(of))
	lists.Sort(out,
		func(a, b []dot) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0].Group, b[0].Group)) })
	return out
}
