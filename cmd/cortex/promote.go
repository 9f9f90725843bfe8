package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

func newPromoteCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "promote ID", Short: "Keep a memory for all your repositories", Args: args(1, 1),
		Long: `Copy a memory of this repository to your own store, where every repository of
yours sees it: a preference, or what holds of a tool wherever you use it. The
files that it names are left out. The memory here stays as it is, unless it is
pending and was captured as one about you: then it is no longer pending.`,
		RunE: e.within(opening{}, func(ctx context.Context, w *workspace.Workspace, ids []string) error {
			return runPromote(ctx, e, w, ids[0])
		}),
		ValidArgsFunction: completeIDs(e, nil),
	}
}

func runPromote(ctx context.Context, e *env, w *workspace.Workspace, id string) error {
	v, err := w.View(ctx, workspace.ViewOptions{AllBranches: true, Local: true, Unreviewed: !w.ByAgent()})
	if err != nil {
		return err
	}
	found, err := v.Find(ctx, id)
	if err != nil {
		return err
	}
	out, _, err := review.Keep(ctx, w, found)
	if err != nil {
		return err
	}
	return printRemembered(e, out)
}
