package main

import (
	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

func (a *env) briefCommand() *cobra.Command {
	var opt workspace.BriefOptions
	c := &cobra.Command{
		Use: "brief", Short: "Print the briefing that an agent gets", Args: args(0, 0),
		Long: `Print the briefing that an agent gets at session start: the active plan,
decisions and rejected approaches, traps, recent work and open questions, within
a budget of tokens.`,
		Example: "  cortex brief\n  cortex brief --tokens 1000\n  cortex brief --branch feature/search",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), opening{reads: true, global: a.global}, func(w *workspace.Workspace) error {
				b, v, err := w.Brief(cmd.Context(), opt)
				if err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, map[string]any{
						"text": b.Text, "tokens": b.Tokens, "shown": b.Shown, "left": b.Left, "view": v.Shape(),
					})
				}
				p := a.printer()
				text := b.Text
				if !p.whole { // an agent gets it as it is
					text = p.wrap(text, "")
				}
				p.printf("%s", text)
				return nil
			})
		},
	}
	a.viewFlags(c, &opt.View)
	c.Flags().IntVar(&opt.Tokens, "tokens", 0, "budget in tokens; 0 is the team's setting")
	return c
}
