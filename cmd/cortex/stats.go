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
	recall bool // nothing but what hooks showed
	limit  int
}

func newStatsCommand(e *env) *cobra.Command {
	var opt statsOptions
	c := &cobra.Command{
		Use: "stats", Short: "Show what sessions left, and whether it was used", Args: args(0, 0),
		Long: `Show what sessions left in the memory of this project: how many were read, what
was captured by kind of evidence, what a briefing costs, how far plans came, how
many decisions contradict each other, and when a session first called a tool.

Then compare the sessions before hooks first told an agent something here with
those since: files read that one of the 20 sessions before had read, how many
of them a map names (cortex why), decisions made again, corrections by the user
(the agent was stopped, a call turned down), and commands that failed again.

Then show what hooks said to agents in this clone, and what came of it: for each
moment how often a hook ran and spoke, what it showed and how much of that was
used; then the memories that were shown most. A memory counts as used if the
agent then opened or changed a file that it is about, ran a command that it
advises, named it by its id, or did not repeat the call that had failed.`,
		Example: "  cortex stats\n  cortex stats --json\n  cortex stats --recall -n 20",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runStats(cmd.Context(), e, opt) },
	}
	c.Flags().BoolVar(&opt.recall, "recall", false, "show only what hooks said, and what came of it")
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
			if s.Project, err = explore.ProjectOf(ctx, w); err != nil {
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
