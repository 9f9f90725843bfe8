package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// graphOptions are the flags of graph.
type graphOptions struct {
	view  viewOptions
	of    string
	depth int
	links bool
	nodes []string
	limit int // nodes of a picture; 0 means all
}

func newGraphCommand(e *env) *cobra.Command {
	var opt graphOptions
	c := &cobra.Command{
		Use: "graph", Short: "Draw how memories are connected", Args: args(0, 0),
		Long: `Draw memories, sessions, topics, files and names, and how they are connected:
by the links that memories carry, and by similarities, which are computed. The
output is for Graphviz, or with --json an object. A picture frames the memories
of a topic, and shows the most central ones; the object has all.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runGraph(cmd.Context(), e, opt) },
	}
	viewFlags(c, e, &opt.view)
	f := c.Flags()
	f.StringVar(&opt.of, "of", "", "only what surrounds memory `ID`")
	f.IntVarP(&opt.limit, "limit", "n", 60, "draw at most `N` nodes; 0 means all")
	f.IntVar(&opt.depth, "depth", 1, "with --of, look up to `N` links away")
	f.BoolVar(&opt.links, "links", false, "only links that memories carry, no similarities")
	f.StringSliceVar(&opt.nodes, "nodes", nil, "only these `KINDS`: memory, session, topic, file, entity")
	_ = c.RegisterFlagCompletionFunc("nodes", fixed(explore.NodeKinds()...))
	_ = c.RegisterFlagCompletionFunc("of", completeIDs(e, &opt.view.global))
	return c
}

func runGraph(ctx context.Context, e *env, opt graphOptions) error {
	for _, k := range opt.nodes {
		if !slices.Contains(explore.NodeKinds(), k) {
			return usagef("unknown kind of node %q: %s", k, strings.Join(explore.NodeKinds(), ", "))
		}
	}
	return e.with(ctx, opt.view.reading(), func(w *workspace.Workspace) error {
		g, err := explore.Graph(ctx, w, explore.GraphOptions{
			View: opt.view.ViewOptions, Of: opt.of, Depth: opt.depth, Links: opt.links, Nodes: opt.nodes,
		})
		switch {
		case err != nil:
			return err
		case e.json:
			return answer.Write(e.out, g)
		}
		g, left := explore.Readable(g, opt.limit)
		e.printer().Printf("%s", explore.Dot(g))
		if left > 0 && !e.quiet {
			e.errPrinter().Printf("cortex: %d of %d nodes are drawn; for all: --limit 0\n", len(g.Nodes),
				len(g.Nodes)+left)
		}
		return nil
	})
}
