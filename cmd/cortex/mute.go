package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

func newMuteCommand(e *env) *cobra.Command {
	var off bool
	c := &cobra.Command{
		Use: "mute [ID...]", Short: "Hide memories from agents in this clone",
		Long: `Mute memories in this clone, or notes such as the plan of a briefing: no
briefing holds them, and no session is told of them at a prompt or a call. A
search still finds them, and teammates are told of them as before. Without an id
it lists what is muted. --off has them told again.

What is wrong for everybody is to be removed with cortex forget, or mended with
cortex edit. Two memories that seem to contradict each other, and do not, are
linked: cortex link ID agrees ID.`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			if off && len(ids) == 0 {
				return usagef("say which memory is to be told again")
			}
			return e.with(cmd.Context(), opening{},
				func(w *workspace.Workspace) error { return runMute(cmd.Context(), e, w, ids, off) })
		},
		ValidArgsFunction: completeIDs(e, nil),
	}
	c.Flags().BoolVar(&off, "off", false, "have sessions told of them again")
	return c
}

func runMute(ctx context.Context, e *env, w *workspace.Workspace, ids []string, off bool) error {
	verb, list, err := "Muted", []workspace.Entry(nil), error(nil)
	if off {
		verb = "Told again:"
	}
	if len(ids) == 0 {
		list = review.Muted(ctx, w)
	} else {
		list, err = review.Mute(ctx, w, ids, off)
	}
	return e.show(err, answer.Muted{Muted: list}, func(p *console.Printer) {
		for _, x := range list {
			output.Done(p, verb, x.Memory)
		}
		if len(list) == 0 {
			p.Printf("Nothing is muted in this clone.\n")
		}
	})
}
