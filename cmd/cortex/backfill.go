package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
)

// backfillOptions are the arguments and the flag of backfill.
type backfillOptions struct {
	paths []string
	all   bool
}

func newBackfillCommand(e *env) *cobra.Command {
	var opt backfillOptions
	c := &cobra.Command{
		Use: "backfill [PATH...]", Short: "Read past sessions", Args: args(0, -1),
		Long: `Read the sessions that took place before Cortex was set up: by default those of
Claude Code in this repository, with --all those of every supported agent, or
the files and folders given. You can stop it at any time; the next run goes on
from there.`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			opt.paths = paths
			return runBackfill(cmd.Context(), e, opt)
		},
	}
	c.Flags().BoolVar(&opt.all, "all", false, "read the sessions of every supported agent")
	return c
}

func runBackfill(ctx context.Context, e *env, opt backfillOptions) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		start := e.now()
		out, err := agents.Backfill(ctx, w, e.past(opt.paths, opt.all))
		if err != nil {
			return err
		}
		took := e.now().Sub(start)
		return e.show(nil, answer.NewBackfilled(out, took),
			func(p *console.Printer) { output.Backfilled(p, out, took) })
	})
}

// past are the past sessions to read: those in files and folders, or else those of this repository.
func (e *env) past(paths []string, all bool) agents.BackfillInput {
	return agents.BackfillInput{
		Paths: lists.Map(paths, e.file), All: all, Home: e.home(), Progress: backfillProgress(e, e.now()),
	}
}

// backfillProgress draws a bar on a terminal; nil elsewhere.
func backfillProgress(e *env, start time.Time) func(agents.Backfilled) {
	if !e.watched() {
		return nil
	}
	p := e.errPrinter()
	return func(b agents.Backfilled) {
		p.Raw(console.LineBegin)
		if b.Done < b.Files {
			p.Printf("%s%d/%d, %s, %s", console.Bar(b.Read, b.Bytes), b.Done, b.Files,
				console.Throughput(b.Read, e.now().Sub(start)), console.Plural(b.Added, "memory", "memories"))
		}
	}
}
