package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/hub/client"
)

func newStats(p *program) *cobra.Command {
	return &cobra.Command{
		Use: "stats", Short: "Count what you may read at a hub", GroupID: "ask", Args: exactly(0, 0),
		Long: `Count the memories that you may read at the hub of your git configuration, see
"login": of each repository how many, how many of them are suspicious, and how
fresh they are; how many several repositories hold; and which errors several
repositories met.`,
		Example: "  cortex-hub stats\n  cortex-hub stats --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.asking(cmd.Context(), func(ctx context.Context, hub *client.Client) error {
				s, err := hub.Stats(ctx)
				if err != nil {
					return err
				}
				return p.say(s, func() { p.showStats(s) })
			})
		},
	}
}

func newContradictions(p *program) *cobra.Command {
	return &cobra.Command{
		Use: "contradictions", Short: "Show decisions that repositories take otherwise", GroupID: "ask",
		Args: exactly(0, 0),
		Long: `Show pairs of decisions of which only one can hold: one repository chose what
another turned down, or both answered one question in two ways. You are shown
pairs of which you may read both. What one repository says of itself is in its
own briefing.`,
		Example: "  cortex-hub contradictions\n  cortex-hub contradictions --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.asking(cmd.Context(), func(ctx context.Context, hub *client.Client) error {
				o, err := hub.Contradictions(ctx)
				if err == nil {
					err = o.Unflagged()
				}
				if err != nil {
					return err
				}
				return p.say(o, func() { p.showOpposed(o) })
			})
		},
	}
}

// asking asks the hub of the user's git configuration.
func (p *program) asking(ctx context.Context, do func(context.Context, *client.Client) error) error {
	hub, err := client.Open(ctx, p.environ)
	if err != nil {
		return err
	}
	return do(ctx, hub)
}

func (p *program) showStats(s *client.Stats) {
	for _, r := range s.Repositories {
		note := ""
		if r.Stale {
			note = "may have moved since"
		}
		p.printf("%6d memories %4d flagged %4d problems  %s  %-30s %s",
			r.Memories, r.Flagged, r.Problems, r.Moved.UTC().Format("2006-01-02"), r.Repository, note)
	}
	for _, t := range s.Traps {
		p.printf("met in %d repositories: %s (cortex show --hub %s)", t.Repositories, t.Signature,
			t.Memories[0].Short())
	}
	p.printf("%s in %s that you may read; several hold %d of them", plural(s.Memories, "memory", "memories"),
		repositories(len(s.Repositories)), s.Shared)
}

func (p *program) showOpposed(o *client.Opposed) {
	for _, c := range o.Contradictions {
		p.printf("%s%s", c.Kind, because(c.About))
		p.showSide("newer", &c.Newer)
		p.showSide("older", &c.Older)
	}
	for _, hint := range o.Hints {
		p.printf("%s", hint)
	}
	p.printf("%s between %s that you may read, of %s", plural(o.Total, "contradiction", "contradictions"),
		repositories(o.Repositories), plural(o.Compared, "decision", "decisions"))
}

// showSide shows one of two decisions.
func (p *program) showSide(which string, r *client.Result) {
	var names []string
	for _, place := range r.Places {
		names = append(names, place.Repository)
	}
	p.printf("  %s  %s  %s %s (%s)", which, r.Created.UTC().Format("2006-01-02"), r.ID.Short(), r.Title,
		strings.Join(names, ", "))
}
