package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
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
		if e.json {
			return answer.Write(e.out, answer.NewSessions(sessions))
		}
		printSessions(e, sessions)
		return nil
	})
}

func printSessions(e *env, sessions []*session.Session) {
	p := e.printer()
	if len(sessions) == 0 {
		p.Printf("No sessions yet. %s\n", console.Dim("Work with your agent, or run cortex backfill."))
	}
	p.Evidence(func() {
		for i, s := range sessions {
			if i > 0 {
				p.Printf("\n")
			}
			title := s.Title
			if title == "" {
				title = "(no title)"
			}
			p.Printf("%s\n", console.Bold(p.Cut(title, p.Width)))
			parts := []string{s.Agent + " " + p.Cut(s.ID, 12), s.Start.Format("2006-01-02 15:04"), length(s)}
			if s.Branch != "" {
				parts = append(parts, "on "+s.Branch)
			}
			p.Printf("%s", p.List(parts, "  "))
			p.Printf("  %s\n", p.Cut(fmt.Sprintf("%s, %s, %s kept, %d too weak, %s changed, %s",
				console.Plural(s.Turns, "turn", "turns"), console.Plural(len(s.Topics), "topic", "topics"), console.Plural(len(s.Found), "memory", "memories"), len(s.Weak),
				console.Plural(len(s.Modified), "file", "files"), console.Plural(s.Errors, "error", "errors")), p.Width-2))
		}
	})
}

func length(s *session.Session) string {
	d := s.End.Sub(s.Start)
	if d <= 0 {
		return "at once"
	}
	return strings.TrimSuffix(output.Ago(d), " ago")
}
