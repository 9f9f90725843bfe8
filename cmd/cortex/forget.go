package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

// forgetOptions are the argument and the flags of forget.
type forgetOptions struct {
	id     string
	global bool
}

func newForgetCommand(e *env) *cobra.Command {
	var opt forgetOptions
	c := &cobra.Command{
		Use: "forget ID", Short: "Remove a memory", Args: args(1, 1),
		Long: `Remove a memory: a pending one from the journal, a landed one from the working
tree (commit the removal like any other edit). A copy is kept in the journal,
and the memory will not be captured again.`,
		Example: "  cortex forget k7q2m9x",
		RunE: func(cmd *cobra.Command, ids []string) error {
			opt.id = ids[0]
			return runForget(cmd.Context(), e, opt)
		},
		ValidArgsFunction: completeIDs(e, &opt.global),
	}
	globalFlag(c, &opt.global, "forget one of your own memories, from any folder")
	return c
}

func runForget(ctx context.Context, e *env, opt forgetOptions) error {
	return e.with(ctx, opening{global: opt.global}, func(w *workspace.Workspace) error {
		out, err := w.Forget(ctx, opt.id)
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, answer.NewForgotten(out))
		}
		p := e.printer()
		m := out.Entry.Memory
		p.Printf("Forgot %s  %s  %s\n", console.Bold(m.ID.Short()), m.Type, p.Cut(m.Title, p.Width-30))
		if e.quiet {
			return nil
		}
		if out.Entry.Stage == index.Landed {
			p.Printf("  %s\n", console.Dim("the file was removed from the working tree: commit that when you like"))
		}
		p.Printf("  %s\n", console.Dim("to bring it back: cortex restore "+m.ID.Short()))
		return nil
	})
}
