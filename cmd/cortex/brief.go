package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

// briefOptions are the flags of brief.
type briefOptions struct {
	view   viewOptions
	tokens int // 0 means as the team's settings say
}

func newBriefCommand(e *env) *cobra.Command {
	var opt briefOptions
	c := &cobra.Command{
		Use: "brief", Short: "Print the briefing that an agent starts with", Args: args(0, 0),
		Long: `Print the briefing that an agent gets at session start: traps that sessions
met, rules of the user, decisions and rejected approaches, what was learned,
recent work and open questions, within a budget of tokens.`,
		Example: "  cortex brief\n  cortex brief --tokens 1000\n  cortex brief --branch feature/search",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runBrief(cmd.Context(), e, opt) },
	}
	viewFlags(c, e, &opt.view)
	c.Flags().IntVar(&opt.tokens, "tokens", 0, "budget of `N` tokens; 0 means the team's setting")
	return c
}

func runBrief(ctx context.Context, e *env, opt briefOptions) error {
	return e.with(ctx, opt.view.reading(), func(w *workspace.Workspace) error {
		b, v, err := w.Brief(ctx, workspace.BriefOptions{View: opt.view.ViewOptions, Tokens: opt.tokens})
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, answer.NewBrief(b, v))
		}
		p := e.printer()
		words := b.Text
		if !p.Whole { // an agent gets it as it is
			words = p.Wrap(words, "")
		}
		p.Framed(words)
		return nil
	})
}
