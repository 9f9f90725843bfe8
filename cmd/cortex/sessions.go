package main

import (
	"context"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
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

func newTopicsCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "topics [SESSION]", Short: "List what agent sessions were about", Args: args(0, 1),
		Long: `List the topics of every session that was read, or of the sessions whose id
starts with SESSION: what was asked, what came of it, and which questions it
left open. A topic begins where the user turned to something else or went back
to an earlier topic, after a long pause, or where the words and files change. To
search them: cortex search --sessions`,
		Example: "  cortex topics\n  cortex topics 0b2c --json",
		RunE: func(cmd *cobra.Command, ids []string) error {
			return runTopics(cmd.Context(), e, strings.Join(ids, ""))
		},
	}
}

// runTopics lists the topics of the sessions whose id begins with session.
func runTopics(ctx context.Context, e *env, session string) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		topics, err := explore.Topics(ctx, w, session)
		if err != nil {
			return err
		}
		return e.show(answer.NewTopics(topics), func(p *console.Printer) { output.Topics(p, topics) })
	})
}
