package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// relatedOptions are the argument and the flags of related.
type relatedOptions struct {
	id           string
	view         viewOptions
	depth, limit int
}

func newRelatedCommand(e *env) *cobra.Command {
	var opt relatedOptions
	c := &cobra.Command{
		Use: "related ID", Short: "Show memories related to one", Args: args(1, 1),
		Long: `Show the memories related to one: linked to it, from the same session, about
the same files and names, or similar in wording; the closest come first. Above
them stands the memory's evolution: what it replaced or refined, and what
replaced it.`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			opt.id = ids[0]
			return runRelated(cmd.Context(), e, opt)
		},
		ValidArgsFunction: completeIDs(e, &opt.view.global),
	}
	viewFlags(c, e, &opt.view)
	c.Flags().IntVar(&opt.depth, "depth", 1, "look up to `N` links away, 1 to 4")
	c.Flags().IntVarP(&opt.limit, "limit", "n", 20, "show at most `N` memories; 0 means all")
	return c
}

func runRelated(ctx context.Context, e *env, opt relatedOptions) error {
	if opt.depth < 1 || opt.depth > 4 {
		return usagef("--depth must be from 1 to 4")
	}
	return e.with(ctx, opt.view.reading(), func(w *workspace.Workspace) error {
		out, err := explore.Related(ctx, w, opt.id, opt.depth, opt.limit, opt.view.ViewOptions)
		return e.show(err, out, func(p *console.Printer) { output.Related(p, out, e.now()) })
	})
}
