package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/pulls"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/certify"
)

// verifyMergeOptions are the arguments and the flag of verify-merge.
type verifyMergeOptions struct {
	merge string   // "" for the one under way, or HEAD
	sides []string // none, or at least two
}

func newVerifyMergeCommand(e *env) *cobra.Command {
	var opt verifyMergeOptions
	c := &cobra.Command{
		Use: "verify-merge [A B...]", Short: "Check that a merge lost no memory", Args: args(0, -1),
		Long: `Check that a merge holds the memories of all its sides, except those that a
side removed. Without arguments, this looks at the merge under way, or else at
HEAD. Name the sides of a squash merge or a rebase, which the commit does not
name. For each memory it says what is wrong: lost, resurrected, only one side's
text, conflict markers, duplicate id. It also says which pages are out of date.

It needs no set-up, no working tree and no network: use it in CI. Exit code 3
means that the merge is not certified.`,
		RunE: func(cmd *cobra.Command, sides []string) error {
			opt.sides = sides
			return runVerifyMerge(cmd.Context(), e, opt)
		},
		ValidArgsFunction: completeBranches(e),
	}
	c.Flags().StringVar(&opt.merge, "merge", "", "`REV` that is the result of the merge (default HEAD)")
	_ = c.RegisterFlagCompletionFunc("merge", completeBranches(e))
	return c
}

func runVerifyMerge(ctx context.Context, e *env, opt verifyMergeOptions) error {
	if len(opt.sides) == 1 {
		return &usageError{Err: errors.New("one side is not enough"), Hint: "cortex verify-merge A B"}
	}
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		cert, err := certify.Merge(ctx, w, opt.merge, opt.sides)
		err = e.show(err, cert, func(p *console.Printer) { pulls.Certificate(p, cert, e.quiet) })
		if err == nil && !cert.Certified {
			return errProblems
		}
		return err
	})
}
