package output

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// Topics shows what sessions were about, under a line for each session.
func Topics(p *console.Printer, topics []explore.SessionTopic) {
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
			if t.BackTo != "" {
				p.Printf("%s  %s%s\n", indent, console.Dim("back to "), p.Cut(t.BackTo, p.Width-len(indent)-10))
			}
			for i, line := range t.Summary {
				if i > 0 || !strings.HasPrefix(line, strings.TrimRight(t.Name, "… ")) {
					lead := "asked  "
					if i > 0 {
						lead = "result "
					}
					p.Printf("%s  %s%s\n", indent, console.Dim(lead), p.Cut(line, p.Width-len(indent)-9))
				}
			}
			for _, question := range t.Open {
				p.Printf("%s  %s%s\n", indent, console.Warn("open   "), p.Cut(question, p.Width-len(indent)-9))
			}
		}
	})
}

// Sessions is the section below the hits of a search: notes, and with --sessions what else
// the records of sessions say.
func Sessions(p *console.Printer, hits []workspace.SessionHit) {
	p.Printf("\n%s", console.Dim(p.Wrap("In session records (a note is what nobody stands behind yet):", "")))
	if len(hits) == 0 {
		p.Printf("  nothing\n")
	}
	p.Evidence(func() {
		for _, h := range hits {
			text := h.Text
			if h.ID != "" {
				text = h.ID.Short() + "  " + string(h.Type) + ": " + text
			}
			p.Printf("%s  %s\n", console.Pad(h.Kind, 8), p.Cut(text, p.Width-10))
			where := []string{h.Agent + " " + p.Cut(h.Session, 12), h.Start.Format("2006-01-02")}
			if h.Line > 0 {
				where = append(where, fmt.Sprintf("line %d", h.Line))
			}
			p.Printf("          %s\n", console.Dim(p.Cut(strings.Join(where, " · "), p.Width-10)))
		}
	})
}
