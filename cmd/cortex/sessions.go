package main

import (
	"context"
	"math"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"

	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

// sessionsOptions are the flags of sessions.
type sessionsOptions struct {
	limit int // 0 means all
}

func newSessionsCommand(e *env) *cobra.Command {
	var opt sessionsOptions
	c := &cobra.Command{
		Use: "sessions", Short: "List the agent sessions that were read", Args: args(0, 0),
		Long: `List the agent sessions that were read, newest first, and how much was kept
from each.`,
		Example: "  cortex sessions\n  cortex sessions -n 3 --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runSessions(cmd.Context(), e, opt)
		},
	}
	c.Flags().IntVarP(&opt.limit, "limit", "n", 0, "list at most `N`; 0 means all")
	return c
}

func runSessions(ctx context.Context, e *env, opt sessionsOptions) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		n := opt.limit
		if n <= 0 {
			n = math.MaxInt
		}
		sessions, err := w.Journal.Sessions(ctx, n)
		if err != nil {
			return err
		}
		return e.show(answer.NewSessions(sessions), func(p *console.Printer) { output.SessionRecords(p, sessions) })
	})
}
