// Package explore answers what is around memories and how they came about. Call
// [Related] for the memories around one, [Graph] for the graph of a view, [Topics]
// for what sessions were about, [Stats] and [ProjectOf] for what they left, [Log] for the commits that touched a
// memory, and [FilterValues] for the words that filters of a search can have. It promises to change nothing, and to say
// of a view what every other command says of it.
package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/graph"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/jsontext"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Relatives are the memories around one.
type Relatives struct {
	Of      workspace.Entry
	Depth   int
	Chain   []workspace.Entry // how it came about and what became of it, oldest first; empty when there is only itself
	Related []Relative        // nearest first
	View    workspace.ViewShape
}

// Relative is a memory that is related to another, and why.
type Relative struct {
	Entry    workspace.Entry
	Distance int
	Score    float64
	Ties     []Tie
}

// Tie is one reason why two memories are related.
type Tie struct {
	graph.Tie
	Entity EntityKind // what the name stands for that both mention; "" for other ties
}

// Related finds the memories around the one whose id begins with prefix: linked
// to it, of the same session, about the same files and names, or similar.
func Related(ctx context.Context, w *workspace.Workspace, prefix string, depth, limit int,
	opt workspace.ViewOptions,
) (*Relatives, error) {
	v, err := w.View(ctx, opt)
	if err != nil {
		return nil, err
	}
	e, err := v.Find(ctx, prefix)
	if err != nil {
		return nil, err
	}
	g, err := graphOf(ctx, w, v, true)
	if err != nil {
		return nil, fmt.Errorf("reading the graph: %w", err)
	}
	out := &Relatives{Of: e, Depth: depth, View: v.Shape(), Related: []Relative{}}
	for _, id := range g.Chain(e.Memory.ID) {
		if other, ok := entryOf(ctx, v, g, id); ok {
			out.Chain = append(out.Chain, other)
		}
	}
	if len(out.Chain) == 1 {
		out.Chain = nil
	}
	kinds, spelled := KindsOf(ctx, w), spellings([]*memory.Memory{e.Memory})
	for _, r := range g.Related(ctx, e.Memory.ID, depth) {
		if limit > 0 && len(out.Related) == limit {
			break
		}
		other, err := v.Entry(ctx, r.Node.Item)
		if err != nil {
			continue
		}
		related := Relative{Entry: other, Distance: r.Distance, Score: r.Score}
		for _, t := range r.Ties {
			tie := Tie{Tie: t}
			if t.Rel == graph.RelEntity {
				tie.Entity = kinds.Of(cmp.Or(spelled[t.Name], t.Name))
			}
			related.Ties = append(related.Ties, tie)
		}
		out.Related = append(out.Related, related)
	}
	return out, nil
}

// graphOf is the graph of a view, with the topics of sessions. Their records are read
// only where the graph is not at hand; what they are is told by their blobs.
func graphOf(ctx context.Context, w *workspace.Workspace, v *workspace.View, similar bool) (*graph.Graph, error) {
	entries, err := w.Journal.List(ctx, "sessions")
	if err != nil {
		return nil, err
	}
	var key strings.Builder
	for _, e := range entries {
		key.WriteString(string(e.Blob))
	}
	topics := func() (out []graph.Topic, err error) {
		sessions, err := w.Journal.Sessions(ctx, maxSessions)
		for _, s := range sessions {
			for _, t := range s.Topics {
				out = append(out, graph.Topic{Session: s.ID, Name: t.Name, Line: t.Record + 1})
			}
		}
		return out, err
	}
	return graph.Derive(ctx, w.Index, v.Index, graph.Options{Similar: similar, TopicsKey: key.String(), Topics: topics})
}

func entryOf(ctx context.Context, v *workspace.View, g *graph.Graph, id memory.ID) (workspace.Entry, bool) {
	at, ok := g.Find(id)
	if !ok {
		return workspace.Entry{}, false
	}
	e, err := v.Entry(ctx, g.Nodes[at].Item)
	return e, err == nil
}

// MarshalJSON writes the shape of docs/json.md.
func (r Relatives) MarshalJSON() ([]byte, error) {
	chain := append([]chainJSON{}, lists.Map(r.Chain, func(e workspace.Entry) chainJSON {
		return chainJSON{e.Memory.ID, e.Memory.Title, e.Status}
	})...)
	return jsontext.Encode(struct {
		ID      memory.ID           `json:"id"`
		Title   string              `json:"title"`
		Depth   int                 `json:"depth"`
		Chain   []chainJSON         `json:"chain"`
		Related []Relative          `json:"related"`
		View    workspace.ViewShape `json:"view"`
	}{r.Of.Memory.ID, r.Of.Memory.Title, r.Depth, chain, r.Related, r.View})
}

type chainJSON struct {
	ID     memory.ID     `json:"id"`
	Title  string        `json:"title"`
	Status memory.Status `json:"status"`
}

type tieJSON struct {
	Rel    string     `json:"rel"`
	From   memory.ID  `json:"from"`
	Back   bool       `json:"back"`
	Name   string     `json:"name,omitempty"`
	Entity EntityKind `json:"entity,omitempty"`
	Weight float64    `json:"weight"`
}

// MarshalJSON writes a memory without its text, and why it is related.
func (r Relative) MarshalJSON() ([]byte, error) {
	ties := append([]tieJSON{}, lists.Map(r.Ties, func(t Tie) tieJSON {
		return tieJSON{t.Rel, t.From, t.Back, t.Name, t.Entity, view.Round3(t.Weight)}
	})...)
	o := r.Entry.Object(false)
	o.Add("distance", r.Distance)
	o.Add("score", view.Round3(r.Score))
	o.Add("via", ties)
	return o.End()
}

// GraphOptions say which part of the graph to show; the zero value is all of it.
type GraphOptions struct {
	View  workspace.ViewOptions
	Of    string   // the beginning of an id: only what is around it
	Depth int      // memories away from it; 0 means 1
	Links bool     // only what is written: no similarity
	Nodes []string // only these kinds of nodes
}

// NodeKinds are the values of GraphOptions.Nodes.
func NodeKinds() []string {
	return lists.Map(graph.NodeKinds(), func(kind graph.NodeKind) string { return string(kind) })
}

// GraphShape is a graph as it is shown. As JSON it has the shape of docs/json.md.
type GraphShape struct {
	Nodes []GraphNode         `json:"nodes"`
	Edges []GraphEdge         `json:"edges"`
	View  workspace.ViewShape `json:"view"`
}

// GraphNode is a node as it is shown; what only memories have is empty elsewhere.
type GraphNode struct {
	ID         string         `json:"id"` // unique: of a memory its id, else kind:name
	Kind       graph.NodeKind `json:"kind"`
	Label      string         `json:"label"`
	Type       memory.Type    `json:"type,omitempty"`
	Status     memory.Status  `json:"status,omitempty"`
	Stage      index.Stage    `json:"stage,omitempty"`
	Entity     EntityKind     `json:"entity,omitempty"` // what a name stands for
	Centrality float64        `json:"centrality"`
}

// GraphEdge connects two nodes by their ids.
type GraphEdge struct {
	From   string  `json:"from"`
	To     string  `json:"to"`
	Rel    string  `json:"rel"`
	Weight float64 `json:"weight"`
}

// Graph reads the graph of a view.
func Graph(ctx context.Context, w *workspace.Workspace, opt GraphOptions) (*GraphShape, error) {
	v, err := w.View(ctx, opt.View)
	if err != nil {
		return nil, err
	}
	g, err := graphOf(ctx, w, v, !opt.Links)
	if err != nil {
		return nil, fmt.Errorf("reading the graph: %w", err)
	}
	if opt.Of != "" {
		e, err := v.Find(ctx, opt.Of)
		if err != nil {
			return nil, err
		}
		g = g.Around(ctx, e.Memory.ID, max(1, opt.Depth))
	}
	out := &GraphShape{Nodes: []GraphNode{}, Edges: []GraphEdge{}, View: v.Shape()}
	shown := map[int]string{}
	for i, n := range g.Nodes {
		if len(opt.Nodes) == 0 || slices.Contains(opt.Nodes, string(n.Kind)) {
			node := nodeOf(ctx, w, v, n)
			shown[i] = node.ID
			out.Nodes = append(out.Nodes, node)
		}
	}
	for _, e := range g.Edges {
		if from, to := shown[e.From], shown[e.To]; from != "" && to != "" {
			out.Edges = append(out.Edges, GraphEdge{from, to, e.Rel, view.Round3(e.Weight)})
		}
	}
	out.nameKinds(ctx, w, g)
	return out, nil
}

// nodeOf is a node as it is shown.
func nodeOf(ctx context.Context, w *workspace.Workspace, v *workspace.View, n graph.Node) GraphNode {
	if n.Kind != graph.NodeMemory {
		return GraphNode{ID: string(n.Kind) + ":" + n.Name, Kind: n.Kind, Label: cmp.Or(n.Label, n.Name)}
	}
	node := GraphNode{
		ID: n.Name, Kind: n.Kind, Label: cmp.Or(n.Label, n.Name), Status: n.Item.Status,
		Stage: n.Item.Stage,
	}
	if m, ok := w.Index.Catalog().Head(ctx, n.Item.Blob); ok {
		node.Label, node.Type = m.Title, m.Type
	}
	node.Centrality = view.Round3(v.Centrality(memory.ID(n.Name)))
	return node
}

// nameKinds says of each name in the graph what it stands for.
func (s *GraphShape) nameKinds(ctx context.Context, w *workspace.Workspace, g *graph.Graph) {
	kinds, spelled := KindsOf(ctx, w), spellings(mentioning(ctx, w, g))
	for i := range s.Nodes {
		if n := &s.Nodes[i]; n.Kind == graph.NodeEntity {
			n.Entity = kinds.Of(cmp.Or(spelled[n.Label], n.Label))
		}
	}
}

// mentioning are the memories of a graph that mention names.
func mentioning(ctx context.Context, w *workspace.Workspace, g *graph.Graph) []*memory.Memory {
	var out []*memory.Memory
	for i := range g.Nodes {
		if g.Nodes[i].Kind != graph.NodeMemory {
			break // they come first
		}
		if m, ok := w.Index.Catalog().Head(ctx, g.Nodes[i].Item.Blob); ok && len(m.Entities) > 0 {
			out = append(out, m)
		}
	}
	return out
}
