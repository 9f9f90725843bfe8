package main

import (
	"bufio"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/exchange"
)

func newSyncCommand(e *env) *cobra.Command {
	var opt exchange.Options
	c := &cobra.Command{
		Use: "sync [REMOTE]", Short: "Exchange pending memories with a remote", Args: args(0, 1),
		Long: `Exchange pending memories, session records and counters with a remote: fetch
its journal, combine it with yours, and push what it lacks, with your own git
credentials. The default is the remote that this branch follows, or origin.

What a teammate landed or forgot leaves your journal too; everything else is
only ever added, and nothing is forced. A memory in which a secret is found
stays in this clone. Memories from others are listed and found, but they land
only when you say so (cortex land ID), and until then no agent is told of them
unless it searches.

Before anything is sent to a remote for the first time, you see how much and to
where, and are asked; without a terminal --yes says so. An agent cannot.

Exit code 3: nobody has agreed to send to this remote, or many pending memories
would be removed, for no known reason.`,
		RunE: func(cmd *cobra.Command, remotes []string) error {
			if len(remotes) == 1 {
				if opt.Remote = remotes[0]; opt.Remote == "" {
					return usagef("the name of the remote is empty")
				}
			}
			return runSync(cmd.Context(), e, opt)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().BoolVar(&opt.DryRun, "dry-run", false, "show what would be exchanged, and change nothing")
	c.Flags().BoolVarP(&opt.Agreed, "yes", "y", false, "send to this remote for the first time without being asked")
	c.Flags().BoolVar(&opt.AcceptRemovals, "accept-removals", false, "accept the removal of many pending memories")
	return c
}

// runSync exchanges the journal with a remote. At a terminal it asks before
// many memories are removed, and git may ask for a password.
func runSync(ctx context.Context, e *env, opt exchange.Options) error {
	opt.Prompt = e.keyboard && !e.json && !e.quiet
	if opt.Prompt && !opt.DryRun {
		opt.Confirm = func(m *exchange.MassRemoval) bool {
			output.Removal(e.errPrinter(), m)
			return e.yes(ctx)
		}
		opt.Publish = func(m *exchange.Publication) bool {
			output.Publication(e.errPrinter(), m)
			return e.yes(ctx)
		}
	}
	opt.Progress = syncProgress(e)
	return e.with(ctx, opening{sweeps: !opt.DryRun}, func(w *workspace.Workspace) error {
		out, err := exchange.Sync(ctx, w, opt)
		if opt.Progress != nil {
			e.errPrinter().Raw(console.LineBegin)
		}
		if err != nil {
			if out != nil && !e.json && !e.quiet {
				output.Received(e.errPrinter(), out)
			}
			return err
		}
		return e.show(nil, answer.NewSynced(out, opt.DryRun), func(p *console.Printer) {
			output.Synced(p, out, opt.DryRun, e.quiet)
		})
	})
}

// syncProgress shows on a terminal what is being done, and how far git is; nil elsewhere.
func syncProgress(e *env) func(string) {
	if !e.watched() {
		return nil
	}
	return e.errPrinter().Step
}

// yes reads a line of the person at the terminal. Anything but yes is no.
func (e *env) yes(ctx context.Context) bool {
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(e.in).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return false
	case word := <-answer:
		return slices.Contains([]string{"y", "yes"}, word)
	}
}
