package main

import (
	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace"
)

func (a *env) forgetCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "forget ID", Short: "Remove a memory from the view", Args: args(1, 1),
		Long: `Remove a memory: a pending one from the journal, a landed one from the working
tree (commit the removal like any other edit). A copy stays in the journal, and
it is not captured again.`,
		Example: "  cortex forget k7q2m9x",
		RunE: func(cmd *cobra.Command, ids []string) error {
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				out, err := w.Forget(cmd.Context(), ids[0])
				if err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, map[string]any{"forgotten": out.Entry, "kept": out.Kept})
				}
				p := a.printer()
				m := out.Entry.Memory
				p.printf("Forgot %s  %s  %s\n", bold(m.ID.Short()), m.Type, p.cut(m.Title, p.width-30))
				if out.Entry.Stage == index.Landed && !a.quiet {
					p.printf("  %s\n", dim("the file is gone from the working tree: commit that when you like"))
				}
				if !a.quiet {
					p.printf("  %s\n", dim("a copy is kept: cortex restore "+m.ID.Short()+" brings it back"))
				}
				return nil
			})
		},
		ValidArgsFunction: a.completeIDs,
	}
	a.globalFlag(c, "a memory of yours, wherever you are")
	return c
}
