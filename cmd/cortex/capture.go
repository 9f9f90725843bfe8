package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
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
		Long: `Read the transcript of an agent's session and keep what a teammate would want
to know in the journal, as the agent's hooks do after every answer. Reading a
transcript again adds nothing. --dry-run shows every candidate, the evidence
for it, and what would become of it.`,
		Example: "  cortex capture ~/.claude/projects/app/0b2c.jsonl --dry-run",
		RunE: func(cmd *cobra.Command, files []string) error {
			opt.file = files[0]
			return runCapture(cmd.Context(), e, opt)
		},
	}
	c.Flags().StringVar(&opt.agent, "agent", "", "`AGENT` that wrote the transcript; detected by default")
	_ = c.RegisterFlagCompletionFunc("agent", fixed(workspace.Agents()...))
	c.Flags().BoolVar(&opt.dryRun, "dry-run", false, "show the candidates, and write nothing")
	return c
}

func runCapture(ctx context.Context, e *env, opt captureOptions) error {
	if opt.agent != "" && !slices.Contains(workspace.Agents(), opt.agent) {
		return usagef("unknown agent %q: one of %s", opt.agent, strings.Join(workspace.Agents(), ", "))
	}
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		out, err := w.Capture(ctx, workspace.CaptureInput{Path: e.file(opt.file), Agent: opt.agent, DryRun: opt.dryRun})
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, answer.NewCaptured(out))
		}
		if opt.dryRun || !e.quiet {
			printCapture(e.printer(), out, opt.dryRun)
		}
		return nil
	})
}

func printCapture(p *printer, out *workspace.Captured, dry bool) {
	p.printf("%s session %s, %s\n", out.Session.Agent, bold(out.Session.ID), plural(out.Turns, "turn", "turns"))
	if dry {
		printCandidates(p, out)
		return
	}
	for _, m := range out.Added {
		p.printf("%s %s  %s  %s\n", good("+"), bold(m.ID.Short()), pad(string(m.Type), 12), cut(m.Title, p.width-26))
	}
	if out.Gone > 0 {
		p.printf("%s %s withdrawn by the session\n", warn("-"), plural(out.Gone, "pending memory", "pending memories"))
	}
	if len(out.Added) == 0 {
		p.printf("Nothing new to keep.\n")
		return
	}
	p.printf("%s", p.wrap(plural(len(out.Added), "memory is", "memories are")+" pending; those that are sure enough land with your next commit.", ""))
}

func printCandidates(p *printer, out *workspace.Captured) {
	counts := map[capture.Disposition]int{}
	for _, c := range out.Candidates {
		counts[c.Disposition]++
		as := good
		if c.Disposition != capture.Kept {
			as = dim
		}
		p.printf("%s %s  %s\n", as(pad(string(c.Disposition), 10)), pad(string(c.Memory.Type), 12), cut(c.Memory.Title, p.width-25))
		why := fmt.Sprintf("%s %.2f, record %d, %s", c.Layer, c.Confidence, c.Record, c.Cue)
		if c.Reason != "" {
			why += ": " + c.Reason
		}
		for _, l := range c.Memory.Links {
			why += fmt.Sprintf("; %s %s", l.Rel, l.To.Short())
		}
		p.printf("%s", dim(wrap(why, p.width, "           ")))
	}
	p.printf("\n%s", wrap(fmt.Sprintf("%s would be kept, %d stay in the session record, %d are duplicates, %d were withdrawn.",
		plural(counts[capture.Kept], "memory", "memories"), counts[capture.InSession], counts[capture.Duplicate], counts[capture.Withdrawn]), p.width, ""))
}
