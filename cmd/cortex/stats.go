package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/health"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
)

// statsOptions are the flags of stats.
type statsOptions struct {
	recall bool // there is nothing else yet
	limit  int
}

func newStatsCommand(e *env) *cobra.Command {
	var opt statsOptions
	c := &cobra.Command{
		Use: "stats", Short: "Show what hooks said, and whether it was used", Args: args(0, 0),
		Long: `Show what hooks said to agents in this clone, and what came of it: for each
moment how often a hook ran, how often it said something, the share of times at
which it kept quiet, how many memories and tokens it showed, and how many of
those memories were used then. Below are the memories that were shown most.

A memory counts as used if, after it was shown, the agent opened or changed a
file that it is about, ran a command that it advises, named it by its id, or
did not repeat the call that had failed. The record stays in this clone.`,
		Example: "  cortex stats --recall\n  cortex stats --recall -n 20\n  cortex stats --recall --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runStats(cmd.Context(), e, opt) },
	}
	c.Flags().BoolVar(&opt.recall, "recall", true, "what hooks showed, and what came of it: so far the only figures")
	c.Flags().IntVarP(&opt.limit, "limit", "n", 10, "name at most `N` memories; 0 means all")
	return c
}

func runStats(ctx context.Context, e *env, opt statsOptions) error {
	return e.with(ctx, opening{reads: true}, func(w *workspace.Workspace) error {
		s, err := agents.Stats(ctx, w, opt.limit)
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, s)
		}
		health.Recall(e.printer(), s, e.quiet)
		return nil
	})
}
