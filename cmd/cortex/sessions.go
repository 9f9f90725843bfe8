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

func newSessionsCommand(e *env) *cobra.Command {
	limit := 0
	c := &cobra.Command{
		Use: "sessions", Short: "List the agent sessions that were read", Args: args(0, 0),
		Long: `List the agent sessions that were read, newest first, and how much was kept
from each. Its agent takes a session up again by the id that is shown: Claude
Code by "claude --resume ID", Codex by "codex resume ID".`,
		RunE: e.within(opening{}, func(ctx context.Context, w *workspace.Workspace, _ []string) error {
			if limit <= 0 {
				limit = math.MaxInt
			}
			sessions, err := w.Journal.Sessions(ctx, limit)
			return e.show(err, answer.NewSessions(sessions),
				func(p *console.Printer) { output.SessionRecords(p, sessions) })
		}),
	}
	c.Flags().IntVarP(&limit, "limit", "n", 0, "list at most `N`; 0 means all")
	return c
}

func newTopicsCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "topics [SESSION]", Short: "List what agent sessions were about", Args: args(0, 1),
		Long: `List the topics of every session that was read, or of the sessions whose id
starts with SESSION: what was asked, what came of it, and which questions it
left open. A topic begins where the user turned to something else or went back
to an earlier topic, after a long pause, or where the words and files change. To
search them: cortex search --sessions`,
		RunE: e.within(opening{}, func(ctx context.Context, w *workspace.Workspace, ids []string) error {
			topics, err := explore.Topics(ctx, w, strings.Join(ids, ""))
			return e.show(err, answer.NewTopics(topics), func(p *console.Printer) { output.Topics(p, topics) })
		}),
	}
}
