package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

func newRestoreCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "restore [ID]", Short: "Bring back a removed memory", Args: args(0, 1),
		Long: `Bring back a memory that was rejected, forgotten or deleted. A memory that was
a file becomes that file again, unstaged. One that was only pending is pending
again, for the current branch. Cortex looks in the journal, in the history of
all branches, and in git's reflogs, which cover deleted branches for 90 days,
and then in your own store. Without an ID, it lists what was rejected or
forgotten.`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			if len(ids) == 0 {
				return runDismissed(cmd.Context(), e)
			}
			return runRestore(cmd.Context(), e, ids[0])
		},
		ValidArgsFunction: completeDismissed(e),
	}
}

func runRestore(ctx context.Context, e *env, id string) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		out, err := review.Restore(ctx, w, id)
		return e.show(err, answer.NewRestored(out), func(p *console.Printer) { output.Restored(p, out, e.quiet) })
	})
}

// runDismissed lists what can be restored without its id being known.
func runDismissed(ctx context.Context, e *env) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		memories, err := review.Dismissed(ctx, w)
		return e.show(err, answer.NewDismissed(memories), func(p *console.Printer) {
			if len(memories) == 0 {
				p.Printf("Nothing was rejected or forgotten. %s\n",
					console.Dim("cortex restore ID searches the history too."))
			}
			p.Evidence(func() {
				for _, m := range memories {
					p.Printf("  %s  %s  %s  %s\n", console.Bold(m.ID.Short()),
						console.Dim(m.Created.Format("2006-01-02")), console.Pad(string(m.Type), 12),
						p.Cut(m.Title, p.Width-37))
				}
			})
		})
	})
}
