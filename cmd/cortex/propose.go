package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/proposal"
)

func newProposeCommand(e *env) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use: "propose", Short: "Offer memories of earlier work for review, as a branch", Args: noWords,
		Long: `Make a branch cortex/memories-DATE on the default branch with the best memories
that no pull request brings: those of earlier work, and those that did not fit
into their branch. At most twenty, each with a reason in the commit. Your
checkout, index and branches stay as they are. Push it and open a pull request;
to refuse a memory there, delete its file. They come in the order of a review,
those about files that are there first.

Only memories that are sure enough are taken. After a merge, call it again for
the next ones: none is offered twice, whether it landed or was refused, unless
its words have changed. What was refused stays pending here: cortex land ID.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPropose(cmd.Context(), e, dry) },
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "only list them")
	return c
}

func runPropose(ctx context.Context, e *env, dry bool) error {
	return e.with(ctx, opening{sweeps: true}, func(w *workspace.Workspace) error {
		comeHome(ctx, w)
		out, err := proposal.Make(ctx, w, dry)
		if err != nil {
			return err
		}
		return e.show(nil, answer.NewProposed(out, dry), func(p *console.Printer) { output.Proposed(p, out) })
	})
}
