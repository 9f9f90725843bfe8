package ui

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index/graph"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/explore"
)

// nodesShown is how many memories a picture of all can hold and still be read: the
// most central ones.
const nodesShown = 300

// The picture, in its own units: as wide and high, and labels of so many characters and so large.
const (
	pictureWide, pictureHigh = 1200, 700
	labelCut                 = 32
	labelWide, labelHigh     = 6.2, 15 // a character, a line
)

// dot is a memory in the picture.
type dot struct {
	ID, Label, Type string
	Group           int // memories of one community
	X, Y, Size      float64
	Name            string  // written beside it; "" where there is no room
	NameX           float64 // where that begins
}

// stroke is a connection in the picture.
type stroke struct {
	X1, Y1, X2, Y2 float64
	Link           bool // written in a memory, and not a likeness
}

// picture is the graph as it is drawn.
type picture struct {
	Dots    []dot
	Strokes []stroke
	Left    int // memories that are not in it
}

type graphPage struct {
	Of      string // only what is around this memory
	Type    string // only these
	Words   string // only those whose title holds them
	Kinds   []counted
	Picture picture
	Groups  [][]dot // the same as text, the largest community first
}

// graph shows how memories hang together.
func (v *visit) graph(ctx context.Context) (*page, error) {
	asked := v.req.URL.Query()
	data := graphPage{Of: asked.Get("id"), Type: asked.Get("type"), Words: asked.Get("q")}
	opt := explore.GraphOptions{Of: data.Of, Nodes: []string{"memory"}}
	if opt.Of != "" {
		opt.Depth = 2
	}
	shape, err := explore.Graph(ctx, v.Workspace, opt)
	if err != nil {
		return nil, err
	}
	kinds, part := map[string]int{}, explore.GraphShape{Edges: shape.Edges}
	for _, n := range shape.Nodes {
		kinds[string(n.Type)]++
		if data.wants(&n) {
			part.Nodes = append(part.Nodes, n)
		}
	}
	data.Kinds = counts(kinds)
	data.Picture = draw(&part)
	data.Groups = groups(data.Picture.Dots)
	return &page{Name: "graph", Title: "Graph", Data: data, JSON: asJSON(shape)}, nil
}

// wants reports whether a memory is one of those that were asked for.
func (g *graphPage) wants(n *explore.GraphNode) bool {
	words := strings.ToLower(g.Words)
	return (g.Type == "" || g.Type == string(n.Type)) && strings.Contains(strings.ToLower(n.Label), words)
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
	var lines [][2]int // the dots at the ends of strokes
	for i, n := range nodes {
		at[n.ID] = i
		out.Dots = append(out.Dots,
			dot{ID: n.ID, Label: n.Label, Type: string(n.Type), Size: math.Round(12 + 18*math.Sqrt(n.Centrality))})
	}
	l := newLayout(len(nodes))
	for _, e := range g.Edges {
		from, known := at[e.From]
		to, both := at[e.To]
		if !known || !both || from == to {
			continue
		}
		lines = append(lines, [2]int{from, to})
		out.Strokes = append(out.Strokes, stroke{Link: e.Rel != graph.RelSimilar})
		l.connect(from, to, max(e.Weight, 0.1))
	}
	l.place()
	for i := range out.Dots {
		d := &out.Dots[i]
		d.Group = l.group[i]
		d.X, d.Y = math.Round(l.x[i]*pictureWide), math.Round(l.y[i]*pictureHigh)
	}
	for i, ends := range lines {
		a, b := out.Dots[ends[0]], out.Dots[ends[1]]
		out.Strokes[i].X1, out.Strokes[i].Y1, out.Strokes[i].X2, out.Strokes[i].Y2 = a.X, a.Y, b.X, b.Y
	}
	label(out.Dots)
	return out
}

// label writes names beside dots, as long as they cover no other name: the most central first.
func label(dots []dot) {
	var written []dot
	for i := range dots {
		d := &dots[i]
		name := []rune(d.Label)
		if len(name) > labelCut {
			name = append(name[:labelCut-1], '…')
		}
		wide := labelWide * float64(len(name))
		d.NameX = min(d.X+d.Size/2+4, pictureWide-wide)
		covers := func(o dot) bool {
			return math.Abs(o.Y-d.Y) < labelHigh && d.NameX < o.NameX+labelWide*labelCut && o.NameX < d.NameX+wide
		}
		if !slices.ContainsFunc(written, covers) {
			d.Name = string(name)
			written = append(written, *d)
		}
	}
}

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
