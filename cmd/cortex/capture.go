package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
)

// captureOptions are the argument and the flags of capture.
type captureOptions struct {
	file   string
	agent  string // "" to find out
	dryRun bool
}

func newCaptureCommand(e *env) *cobra.Command {
	var opt captureOptions
	c := &cobra.Command{
		Use: "capture FILE", Short: "Read one session transcript now", Args: args(1, 1),
		Long: `Read the transcript of an agent's session and keep what a teammate would want to
know in the journal, as the agent's hooks do after every answer. Reading a
transcript again adds nothing. --dry-run reads all of it and shows every
candidate, the evidence for it, and what would become of it. The transcripts of
subagents that the session started are read with it, where the agent keeps them
beside it.`,
		RunE: func(cmd *cobra.Command, files []string) error {
			opt.file = files[0]
			return runCapture(cmd.Context(), e, opt)
		},
	}
	c.Flags().StringVar(&opt.agent, "agent", "", "`AGENT` that wrote the transcript; detected by default")
	_ = c.RegisterFlagCompletionFunc("agent", fixed(agents.Names()...))
	c.Flags().BoolVar(&opt.dryRun, "dry-run", false, "show the candidates, and write nothing")
	return c
}

func runCapture(ctx context.Context, e *env, opt captureOptions) error {
	if opt.agent != "" && !slices.Contains(agents.Names(), opt.agent) {
		return usagef("unknown agent %q: one of %s", opt.agent, strings.Join(agents.Names(), ", "))
	}
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		out, err := agents.Capture(ctx, w,
			agents.CaptureInput{Path: e.file(opt.file), Agent: opt.agent, Past: true, DryRun: opt.dryRun})
		if err != nil {
			return err
		}
		return e.show(nil, answer.NewCaptured(out, &w.Config), func(p *console.Printer) {
			if opt.dryRun || !e.quiet {
				output.Captured(p, out, opt.dryRun)
				for _, sub := range out.Subagents {
					p.Printf("\n")
					output.Captured(p, sub, opt.dryRun)
				}
			}
		})
	})
}
