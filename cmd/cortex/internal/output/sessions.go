package output

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
)

// SessionRecords lists session records, the latest first.
func SessionRecords(p *console.Printer, sessions []*session.Session) {
	if len(sessions) == 0 {
		p.Printf("No sessions yet. %s\n", console.Dim("Work with your agent, or run cortex backfill."))
	}
	p.Evidence(func() {
		for i, s := range sessions {
			if i > 0 {
				p.Printf("\n")
			}
			p.Printf("%s\n", console.Bold(p.Cut(cmp.Or(s.Headline(), "(no title)"), p.Width)))
			parts := []string{s.Agent + " " + p.Cut(s.ID, 12), s.Start.Format("2006-01-02 15:04"), length(s)}
			if s.Branch != "" {
				parts = append(parts, "on "+s.Branch)
			}
			p.Printf("%s", p.List(parts, "  "))
			p.Printf("%s", p.List([]string{
				console.Plural(s.Turns, "turn", "turns"), console.Plural(len(s.Topics), "topic", "topics"),
				console.Plural(len(s.Found), "memory", "memories") + " kept",
				console.Plural(len(s.Notes), "note", "notes"), fmt.Sprint(len(s.Weak)) + " too weak",
				console.Plural(len(s.Modified), "file", "files") + " changed",
				console.Plural(s.Errors, "error", "errors"),
			}, "  "))
		}
	})
}

// length says how long a session took.
func length(s *session.Session) string {
	d := s.End.Sub(s.Start)
	if d <= 0 {
		return "at once"
	}
	return strings.TrimSuffix(Ago(d), " ago")
}
