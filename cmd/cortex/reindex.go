package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

func newReindexCommand(e *env) *cobra.Command {
	verify := false
	c := &cobra.Command{
		Use: "reindex", Short: "Rebuild the search index", Args: args(0, 0),
		Long: `Rebuild the search index from the memories. You never need to: the index is a
cache that repairs itself. --verify only reads all its files and reports
damage.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runReindex(cmd.Context(), e, verify) },
	}
	c.Flags().BoolVar(&verify, "verify", false, "only read the index, and report damage")
	return c
}

func runReindex(ctx context.Context, e *env, verify bool) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		if verify {
			return verifyIndex(ctx, e, w)
		}
		v, err := w.Reindex(ctx, e.progress("indexing"))
		if err != nil {
			return err
		}
		return e.show(nil, answer.NewIndexed(v), func(p *console.Printer) { output.Indexed(p, len(v.Items), e.quiet) })
	})
}

// verifyIndex reads every file of the index.
func verifyIndex(ctx context.Context, e *env, w *workspace.Workspace) error {
	problems := w.VerifyIndex(ctx)
	err := e.show(nil, answer.NewIndexState(problems),
		func(p *console.Printer) { output.IndexState(p, problems, e.quiet) })
	if err == nil && len(problems) > 0 {
		return errProblems
	}
	return err
}
