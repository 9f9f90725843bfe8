package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/wording"
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
		printStats(e, s)
		return nil
	})
}

func printStats(e *env, s *agents.RecallStats) {
	p := e.printer()
	if s.Known == 0 {
		p.Printf("%s", p.Wrap("Hooks have shown nothing in this clone yet.", ""))
	}
	column := func(name string) string { return fmt.Sprintf("%9s", name) }
	cut := func(line string) string { // spaces make the columns
		if p.Whole {
			return line
		}
		return console.Shorten(line, p.Width)
	}
	p.Printf("%s\n", console.Dim(cut(console.Pad("moment", 9)+column("asked")+column("spoke")+column("quiet")+column("memories")+column("tokens")+column("used"))))
	for _, m := range s.Moments {
		quiet := "-"
		if m.Asked > 0 {
			quiet = fmt.Sprintf("%.0f %%", 100*m.Quiet)
		}
		line := console.Pad(m.Moment, 9)
		for _, value := range []any{m.Asked, m.Spoke, quiet, m.Memories, m.Tokens, m.Used} {
			line += column(fmt.Sprint(value))
		}
		p.Printf("%s\n", cut(line))
	}
	if s.Sessions > 0 && !e.quiet {
		p.Printf("\n%s", console.Dim(p.Wrap(fmt.Sprintf("Beyond its briefing the middle one of %s was shown %s.",
			console.Plural(s.Sessions, "session", "sessions"), console.Plural(s.MedianTokens, "token", "tokens")), "")))
	}
	if len(s.Memories) == 0 {
		return
	}
	p.Printf("\n")
	p.Evidence(func() {
		for _, m := range s.Memories {
			title := m.Title
			if title == "" {
				title = "(not in this view)"
			}
			p.Printf("%s  %s\n", console.Bold(m.ID.Short()), p.Cut(title, p.Width-9))
			facts := []string{}
			if record := wording.Record(m.Shown, m.Used); record != "" {
				facts = append(facts, record)
			}
			if m.Brief > 0 {
				facts = append(facts, "in "+console.Plural(m.Brief, "briefing", "briefings"))
			}
			p.Printf("%s", console.Dim(p.Wrap(strings.Join(facts, ", "), "         ")))
		}
	})
	if more := s.Known - len(s.Memories); more > 0 && !e.quiet {
		p.Printf("\n%s\n", console.Dim(fmt.Sprintf("and %s more: cortex stats -n 0", console.Plural(more, "memory", "memories"))))
	}
}
