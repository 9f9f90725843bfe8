package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// briefOptions are the flags of brief.
type briefOptions struct {
	view   viewOptions
	tokens int    // 0 means as the team's settings say
	since  string // a revision to compare with; "" for none
}

func newBriefCommand(e *env) *cobra.Command {
	var opt briefOptions
	c := &cobra.Command{
		Use: "brief", Short: "Print the digest of what is known", Args: args(0, 0),
		Long: `Print the digest of what is known: traps, rules of the user, decisions, what was
learned, recent work and open questions, within a budget of tokens. An agent
gets a shorter one at session start, which names what can be asked for.

With --at, print that of an earlier state: a revision, or a time such as
2026-03-01, yesterday or "2 weeks ago". A time stands for the last commit of
HEAD by its end. Confidence is as it was then. With --since, show instead what
has changed since a revision, or since a time began: what the briefing says now
that it did not say then, and what it no longer says and why.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBrief(cmd.Context(), e, opt) },
	}
	viewFlags(c, e, &opt.view)
	c.Flags().IntVar(&opt.tokens, "tokens", 0, "budget of `N` tokens; 0 means the team's setting")
	c.Flags().StringVar(&opt.since, "since", "",
		"show what has changed since `REV`, a revision or a time (yesterday, 2026-03-01)")
	_ = c.RegisterFlagCompletionFunc("since", completeBranches(e))
	return c
}

func runBrief(ctx context.Context, e *env, opt briefOptions) error {
	if opt.since != "" {
		return runBriefSince(ctx, e, opt)
	}
	return e.with(ctx, opt.view.reading(), func(w *workspace.Workspace) error {
		b, v, err := w.Brief(ctx, workspace.BriefOptions{View: opt.view.ViewOptions, Tokens: opt.tokens})
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, answer.NewBrief(b, v))
		}
		p := e.printer()
		words, shorter := b.Text, ""
		if !p.Whole { // an agent gets it as it is
			words = strings.TrimSuffix(strings.TrimSpace(words), memory.BriefingClose) // the marks are for machines
			words = p.Wrap(strings.TrimSpace(strings.TrimPrefix(words, memory.BriefingOpen)), "")
			shorter = "\n" + p.Wrap("A session starts with a shorter form: the page Briefing of cortex ui.", "")
		}
		p.Framed(words)
		p.Printf("%s", shorter)
		return nil
	})
}

// runBriefSince compares the briefing with that of an earlier state.
func runBriefSince(ctx context.Context, e *env, opt briefOptions) error {
	as := opt.view.reading()
	as.named = true
	return e.with(ctx, as, func(w *workspace.Workspace) error {
		then := workspace.BriefOptions{View: workspace.ViewOptions{At: opt.since}, Tokens: opt.tokens}
		changed, err := explore.BriefingSince(ctx, w, then,
			workspace.BriefOptions{View: opt.view.ViewOptions, Tokens: opt.tokens})
		return e.show(err, changed, func(p *console.Printer) { output.BriefingChanges(p, changed) })
	})
}

func newPlanCommand(e *env) *cobra.Command {
	var view viewOptions
	c := &cobra.Command{
		Use: "plan", Short: "Show the active plan", Args: args(0, 0),
		Long: "Show the active plan with its steps, and how far the other plans came.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.with(cmd.Context(), view.reading(), func(w *workspace.Workspace) error {
				list, err := explore.Plans(cmd.Context(), w, view.ViewOptions)
				return e.show(err, list, func(p *console.Printer) { output.Plans(p, list) })
			})
		},
	}
	viewFlags(c, e, &view)
	return c
}
