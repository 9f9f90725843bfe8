package explore

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// Dot writes a graph for Graphviz.
func Dot(g *GraphShape) string {
	var b strings.Builder
	b.WriteString("digraph cortex {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n")
	for _, n := range g.Nodes {
		style := ""
		switch {
		case n.Kind != index.NodeMemory:
			style = ", shape=ellipse, style=dashed"
		case n.Status == memory.StatusSuperseded:
			style = ", color=gray, fontcolor=gray"
		case n.Status == memory.StatusContested:
			style = ", color=red"
		}
		fmt.Fprintf(&b, "  %s [label=%s%s];\n", dotText(n.ID), dotText(pictureLine(&n)), style)
	}
	for _, e := range g.Edges {
		style := ""
		if e.Rel == index.RelSimilar {
			style = ", dir=none, style=dotted"
		}
		fmt.Fprintf(&b, "  %s -> %s [label=%s%s];\n", dotText(e.From), dotText(e.To), dotText(e.Rel), style)
	}
	b.WriteString("}\n")
	return b.String()
}

// pictureLine is the label of a node in a picture: its kind, or its type if it is
// a memory, and at most 60 characters of its name.
func pictureLine(n *GraphNode) string {
	label := []rune(memory.OneLine(memory.Clean(n.Label)))
	if len(label) > 60 {
		label = append(label[:59], '…')
	}
	if n.Kind != index.NodeMemory {
		return string(n.Kind) + " " + string(label)
	}
	return string(n.Type) + ": " + string(label)
}

// dotText quotes a string for Graphviz; JSON's escapes but \" and \\ are not
// known to it.
func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(memory.Clean(s)) + `"`
}

// Mermaid writes a graph as a Mermaid flowchart, as hosts show it in Markdown.
func Mermaid(g *GraphShape) string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	names := map[string]string{}
	for i, n := range g.Nodes {
		names[n.ID] = fmt.Sprintf("n%d", i)
		open, end := `["`, `"]`
		if n.Kind != index.NodeMemory {
			open, end = `(["`, `"])`
		}
		fmt.Fprintf(&b, "  n%d%s%s%s\n", i, open, mermaidText(pictureLine(&n)), end)
	}
	for _, e := range g.Edges {
		arrow := "-->"
		if e.Rel == index.RelSimilar {
			arrow = "-.-"
		}
		fmt.Fprintf(&b, "  %s %s|%s| %s\n", names[e.From], arrow, e.Rel, names[e.To])
	}
	return b.String()
}

// mermaidText writes what Mermaid gives a meaning as entities.
func mermaidText(s string) string {
	return strings.NewReplacer(
		"#", "#35;", `"`, "#quot;", "&", "#amp;", "<", "#lt;", ">", "#gt;", "`", "#96;", "[", "#91;", "]", "#93;", "|", "#124;", `\`, "#92;",
	).Replace(s)
}
