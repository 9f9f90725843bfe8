package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
)

// statsOptions are the flags of stats.
type statsOptions struct {
	recall bool // nothing but what hooks showed
	drift  bool // read past sessions again
	limit  int
}

func newStatsCommand(e *env) *cobra.Command {
	var opt statsOptions
	c := &cobra.Command{
		Use: "stats", Short: "Show what sessions left, and whether it was used", Args: args(0, 0),
		Long: `Show what sessions left in the memory of this project: how many were read, what
was captured by kind of evidence, what a briefing costs, how far plans came, how
many decisions contradict each other, and how long a session took to its first
call of a tool.

Then show what hooks said to agents in this clone, and what came of it: for each
moment how often a hook ran, how often it said something, the share of times at
which it kept quiet, how many memories and tokens it showed, and how many of
those memories were used then. Below are the memories that were shown most.

A memory counts as used if, after it was shown, the agent opened or changed a
file that it is about, ran a command that it advises, named it by its id, or
did not repeat the call that had failed. The record stays in this clone.

With --drift, read the sessions again that were captured in this clone, as far
as their transcripts are there, with the present rules, and show what these keep
and what they do not keep any more, by layer and by type, and the change since
the last such run. Memories stay as they are. Run it once a month, and after an
upgrade: rules that drift are seen here first.`,
		Example: "  cortex stats\n  cortex stats --json\n  cortex stats --recall -n 20\n  cortex stats --drift\n  cortex stats --drift --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runStats(cmd.Context(), e, opt) },
	}
	c.Flags().BoolVar(&opt.recall, "recall", false, "show only what hooks said, and what came of it")
	c.Flags().BoolVar(&opt.drift, "drift", false, "read captured sessions again, and show what the present rules keep")
	c.Flags().IntVarP(&opt.limit, "limit", "n", 10, "name at most `N` memories; 0 means all")
	return c
}

func runStats(ctx context.Context, e *env, opt statsOptions) error {
	if opt.drift && opt.recall {
		return usagef("--recall and --drift are two things: name one")
	}
	if opt.drift {
		return runDrift(ctx, e, opt)
	}
	return e.with(ctx, opening{reads: true}, func(w *workspace.Workspace) error {
		s, err := agents.Stats(ctx, w, opt.limit)
		if err != nil {
			return err
		}
		if !opt.recall {
			if s.Project, err = agents.Project(ctx, w); err != nil {
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

func runDrift(ctx context.Context, e *env, opt statsOptions) error {
	return e.with(ctx, opening{reads: true}, func(w *workspace.Workspace) error {
		in := agents.DriftInput{Home: e.home()}
		if p := e.errPrinter(); e.watched() {
			in.Progress = func(done, all int) {
				p.Raw(console.LineBegin)
				if done < all {
					p.Printf("%s%d/%d", console.Bar(int64(done), int64(all)), done, all)
				}
			}
		}
		out, err := agents.Drift(ctx, w, in)
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, out)
		}
		output.Drift(e.printer(), out, opt.limit)
		return nil
	})
}
