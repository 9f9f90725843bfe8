package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// statsOptions are the flags of stats.
type statsOptions struct {
	recall  bool // nothing but what hooks showed
	compare string
	limit   int
}

func newStatsCommand(e *env) *cobra.Command {
	var opt statsOptions
	c := &cobra.Command{
		Use: "stats", Short: "Show what sessions left, and whether it was used", Args: args(0, 0),
		Long: `Show what sessions left in the memory of this project: how many were read, what
was captured by kind of evidence, what a briefing costs, how far plans came, and
how many decisions contradict each other.

Then compare the sessions before hooks first told an agent something here with
those since, and the weeks: files read that one of the 20 sessions before had
read, how many of them a map names (cortex why), decisions made again,
corrections by the user (the agent was stopped, a call turned down), commands
that failed again, the median time and calls to the first edit, and what was
told and used. With --compare, compare those of a span of time that were told
something with those that were not.

Then show what hooks said to agents in this clone, by moment, and the memories
that were shown most. One counts as used if the agent then opened or changed a
file that it is about, ran a command that it advises, named it by its id, or did
not repeat the call that had failed.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runStats(cmd.Context(), e, opt) },
	}
	c.Flags().BoolVar(&opt.recall, "recall", false, "show only what hooks said, and what came of it")
	c.Flags().StringVar(&opt.compare, "compare", "",
		"compare the sessions of `FROM..TO` (days, words for a time, revisions) by whether they were told something")
	c.Flags().IntVarP(&opt.limit, "limit", "n", 10, "name at most `N` memories; 0 means all")
	return c
}

func runStats(ctx context.Context, e *env, opt statsOptions) error {
	return e.with(ctx, opening{reads: true}, func(w *workspace.Workspace) error {
		s, err := explore.Stats(ctx, w, opt.limit)
		if err != nil {
			return err
		}
		if !opt.recall {
			if s.Project, err = explore.ProjectOf(ctx, w, opt.compare); err != nil {
				return err
			}
		}
		if e.json {
			return answer.Write(e.out, s)
		}
		if s.Project != nil {
			output.ProjectStats(e.printer(), s.Project)
		}
		output.RecallStats(e.printer(), s, e.quiet)
		return nil
	})
}
