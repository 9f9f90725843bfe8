package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

func (a *env) graphCommand() *cobra.Command {
	var opt workspace.GraphOptions
	format := "dot"
	var kinds []string
	c := &cobra.Command{
		Use: "graph", Short: "Draw what connects the memories", Args: args(0, 0),
		Long: `Draw memories, sessions, their topics, files and names, and what connects them: the links
that memories carry, and their similarity, which is derived. For Graphviz,
as a Mermaid chart for Markdown, or as JSON.`,
		Example: `  cortex graph | dot -Tsvg > memories.svg
  cortex graph --of k7q2m9x --depth 2 --format mermaid
  cortex graph --nodes memory --format json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains([]string{"dot", "mermaid", "json"}, format) {
				return usagef("unknown format %q: dot, mermaid or json", format)
			}
			for _, k := range kinds {
				if !slices.Contains(workspace.NodeKinds(), k) {
					return usagef("unknown kind of node %q: %s", k, strings.Join(workspace.NodeKinds(), ", "))
				}
			}
			opt.Nodes = kinds
			return a.with(cmd.Context(), opening{reads: true, global: a.global}, func(w *workspace.Workspace) error {
				g, err := w.Graph(cmd.Context(), opt)
				switch {
				case err != nil:
					return err
				case a.json || format == "json":
					return writeJSON(a.out, g)
				case format == "mermaid":
					a.printer().printf("%s", g.Mermaid())
				default:
					a.printer().printf("%s", g.DOT())
				}
				return nil
			})
		},
	}
	a.viewFlags(c, &opt.View)
	f := c.Flags()
	f.StringVar(&format, "format", "dot", "dot, mermaid or json")
	f.StringVar(&opt.Of, "of", "", "only what is around the memory `ID`")
	f.IntVar(&opt.Depth, "depth", 1, "how many memories around it")
	f.BoolVar(&opt.Links, "links", false, "only what is written, no similarity")
	f.StringSliceVar(&kinds, "nodes", nil, "only these kinds: memory, session, topic, file, entity")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"dot", "mermaid", "json"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("nodes", cobra.FixedCompletions(workspace.NodeKinds(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("of", a.completeIDs)
	return c
}
