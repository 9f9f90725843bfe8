package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

func (a *env) restoreCommand() *cobra.Command {
	return &cobra.Command{
		Use: "restore [ID]", Short: "Bring back a memory that was removed", Args: args(0, 1),
		Long: `Bring back a memory that was rejected, forgotten or deleted. What was a file
becomes that file again, unstaged; what was only pending is pending again, for
the current branch. It is looked for in the journal, in the history of all
branches, and in git's logs, which remember deleted branches for 90 days.
Without an id it lists what was rejected or forgotten.`,
		Example: "  cortex restore\n  cortex restore k7q2m9x",
		RunE: func(cmd *cobra.Command, ids []string) error {
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				if len(ids) == 0 {
					return a.listDismissed(cmd.Context(), w)
				}
				out, err := review.Restore(cmd.Context(), w, ids[0])
				if err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, map[string]any{"restored": out.Entry, "from": out.From})
				}
				a.printRestored(out)
				return nil
			})
		},
		ValidArgsFunction: a.completeDismissed,
	}
}

func (a *env) printRestored(out review.Restored) {
	p := a.printer()
	m := out.Entry.Memory
	p.printf("Restored %s  %s  %s\n", bold(m.ID.Short()), m.Type, p.cut(m.Title, p.width-32))
	p.printf("  %s\n", dim(out.Entry.Path))
	if a.quiet {
		return
	}
	if out.Entry.Stage == index.Landed {
		p.printf("  %s\n", dim("not staged: commit it when you like"))
	} else {
		p.printf("  %s\n", dim("pending again: cortex review, or it lands with a commit"))
	}
}

func (a *env) listDismissed(ctx context.Context, w *workspace.Workspace) error {
	memories, err := review.Dismissed(ctx, w)
	if err != nil {
		return err
	}
	if a.json {
		type row struct {
			ID    memory.ID   `json:"id"`
			Type  memory.Type `json:"type"`
			Title string      `json:"title"`
		}
		rows := []row{}
		for _, m := range memories {
			rows = append(rows, row{m.ID, m.Type, m.Title})
		}
		return writeJSON(a.out, map[string]any{"dismissed": rows})
	}
	p := a.printer()
	if len(memories) == 0 {
		p.printf("Nothing was rejected or forgotten. %s\n", dim("cortex restore ID looks in the history too."))
	}
	for _, m := range memories {
		p.printf("  %s  %s  %s  %s\n", bold(m.ID.Short()), dim(m.Created.Format("2006-01-02")), pad(string(m.Type), 12), p.cut(m.Title, p.width-37))
	}
	return nil
}

// completeDismissed offers the ids of what was rejected or forgotten.
func (a *env) completeDismissed(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	var out []string
	_ = a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
		memories, err := review.Dismissed(cmd.Context(), w)
		for _, m := range memories {
			out = append(out, m.ID.Short()+"\t"+m.Title)
		}
		return err
	})
	return starting(out, prefix), cobra.ShellCompDirectiveNoFileComp
}
