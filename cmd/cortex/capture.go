package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
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
		Long: `Read the transcript of an agent's session and keep what a teammate would want
to know in the journal, as the agent's hooks do after every answer. Reading a
transcript again adds nothing. --dry-run shows every candidate, the evidence
for it, and what would become of it. The transcripts of subagents that the
session started are read with it, where the agent keeps them beside it.`,
		Example: "  cortex capture ~/.claude/projects/app/0b2c.jsonl --dry-run",
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
		out, err := agents.Capture(ctx, w, agents.CaptureInput{Path: e.file(opt.file), Agent: opt.agent, Past: true, DryRun: opt.dryRun})
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, answer.NewCaptured(out, &w.Config))
		}
		if opt.dryRun || !e.quiet {
			printCapture(e.printer(), out, opt.dryRun)
			for _, sub := range out.Subagents {
				e.printer().Printf("\n")
				printCapture(e.printer(), sub, opt.dryRun)
			}
		}
		return nil
	})
}

func printCapture(p *console.Printer, out *agents.Captured, dry bool) {
	p.Printf("%s session %s, %s\n", out.Session.Agent, console.Bold(out.Session.ID), console.Plural(out.Turns, "turn", "turns"))
	if k := out.Session.Skipped; k.Any() {
		said := fmt.Sprintf("skipped: %s, %s", console.Plural(k.Broken+k.TooLong, "line that cannot be read", "lines that cannot be read"),
			console.Plural(k.Records(), "record of a type that cortex does not know", "records of types that cortex does not know"))
		if types := k.Types(6); types != "" {
			said += " (" + types + ")"
		}
		p.Printf("%s", p.WrapText(console.Plain(said), console.Join(console.Warn("!"), console.Plain(" "))))
	}
	if dry {
		printCandidates(p, out)
		return
	}
	p.Evidence(func() {
		for _, m := range out.Added {
			p.Printf("%s %s  %s  %s\n", console.Good("+"), console.Bold(m.ID.Short()), console.Pad(string(m.Type), 12), console.Cut(m.Title, p.Width-26))
		}
	})
	if out.Gone > 0 {
		p.Printf("%s %s withdrawn by the session\n", console.Warn("-"), console.Plural(out.Gone, "pending memory", "pending memories"))
	}
	if len(out.Added) == 0 {
		p.Printf("Nothing new to keep.\n")
		return
	}
	p.Printf("%s", p.Wrap(console.Plural(len(out.Added), "memory is", "memories are")+" pending; those that are sure enough land with your next commit.", ""))
}

func printCandidates(p *console.Printer, out *agents.Captured) {
	counts := map[capture.Disposition]int{}
	p.Evidence(func() {
		for _, c := range out.Candidates {
			counts[c.Disposition]++
			as := console.Good
			if c.Disposition != capture.Kept {
				as = console.Dim
			}
			p.Printf("%s %s  %s\n", as(console.Pad(string(c.Disposition), 10)), console.Pad(string(c.Memory.Type), 12), console.Cut(c.Memory.Title, p.Width-25))
			why := fmt.Sprintf("%s %.2f, record %d, %s", c.Layer, c.Confidence, c.Record, c.Cue)
			if c.Reason != "" {
				why += ": " + c.Reason
			}
			for _, l := range c.Memory.Links {
				why += fmt.Sprintf("; %s %s", l.Rel, l.To.Short())
			}
			p.Printf("%s", console.Dim(console.Wrap(why, p.Width, "           ")))
		}
	})
	p.Printf("\n%s", console.Wrap(fmt.Sprintf("%s would be kept, %d stay in the session record, %d are duplicates, %d were withdrawn.",
		console.Plural(counts[capture.Kept], "memory", "memories"), counts[capture.InSession], counts[capture.Duplicate], counts[capture.Withdrawn]), p.Width, ""))
}
