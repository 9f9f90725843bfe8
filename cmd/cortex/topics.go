package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

func newTopicsCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "topics [SESSION]", Short: "List what agent sessions were about", Args: args(0, 1),
		Long: `List the topics of every session that was read, or of the sessions whose id
starts with SESSION: what was asked, and what came of it. A topic begins where
the user turned to something else, after a long pause, or where the words and
files change. To search them: cortex search --sessions`,
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
		if e.json {
			return answer.Write(e.out, answer.NewTopics(topics))
		}
		printTopics(e, topics)
		return nil
	})
}

func printTopics(e *env, topics []explore.SessionTopic) {
	p := e.printer()
	if len(topics) == 0 {
		p.Printf("No topics yet. %s\n", console.Dim("Work with your agent, or run cortex backfill."))
	}
	session := ""
	p.Evidence(func() {
		for _, t := range topics {
			if t.Session != session {
				if session != "" {
					p.Printf("\n")
				}
				session = t.Session
				parts := []string{t.Agent + " " + p.Cut(t.Session, 12), t.Start.Format("2006-01-02 15:04")}
				if t.Branch != "" {
					parts = append(parts, "on "+t.Branch)
				}
				p.Printf("%s", p.List(parts, ""))
			}
			indent := strings.Repeat("  ", t.Depth)
			p.Printf("%s%s\n", indent, console.Bold(p.Cut(t.Name, p.Width-len(indent))))
			for i, line := range t.Summary {
				if i > 0 || !strings.HasPrefix(line, strings.TrimRight(t.Name, "… ")) {
					lead := "asked  "
					if i > 0 {
						lead = "result "
					}
					p.Printf("%s  %s%s\n", indent, console.Dim(lead), p.Cut(line, p.Width-len(indent)-9))
				}
			}
		}
	})
}

// printSessionHits is the section below the hits of "search --sessions".
func printSessionHits(e *env, hits []workspace.SessionHit) {
	p := e.printer()
	p.Printf("\n%s\n", console.Dim("In session records:"))
	if len(hits) == 0 {
		p.Printf("  nothing\n")
	}
	p.Evidence(func() {
		for _, h := range hits {
			p.Printf("%s  %s\n", console.Pad(h.Kind, 8), p.Cut(h.Text, p.Width-10))
			where := []string{h.Agent + " " + p.Cut(h.Session, 12), h.Start.Format("2006-01-02")}
			if h.Line > 0 {
				where = append(where, fmt.Sprintf("line %d", h.Line))
			}
			p.Printf("          %s\n", console.Dim(p.Cut(strings.Join(where, " · "), p.Width-10)))
		}
	})
}
