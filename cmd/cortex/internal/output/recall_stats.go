package output

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/agents"
)

// RecallStats shows what hooks said, and what came of it.
func RecallStats(p *console.Printer, s *agents.RecallStats, quiet bool) {
	if s.Known == 0 {
		p.Printf("%s", p.Wrap("Hooks have shown nothing in this clone yet.", ""))
		if !slices.ContainsFunc(s.Moments, func(m agents.MomentStats) bool { return m.Asked > 0 }) {
			return
		}
	}
	column := func(name string) string { return fmt.Sprintf("%9s", name) }
	cut := func(line string) string { // spaces make the columns
		if p.Whole {
			return line
		}
		return console.Shorten(line, p.Width)
	}
	p.Printf("%s\n", console.Dim(cut(console.Pad("moment", 9)+column("asked")+column("spoke")+column("quiet")+column("memories")+column("tokens")+column("used"))))
	for _, m := range s.Moments {
		kept := "-"
		if m.Asked > 0 {
			kept = fmt.Sprintf("%.0f %%", 100*m.Quiet)
		}
		line := console.Pad(m.Moment, 9)
		for _, value := range []any{m.Asked, m.Spoke, kept, m.Memories, m.Tokens, m.Used} {
			line += column(fmt.Sprint(value))
		}
		p.Printf("%s\n", cut(line))
	}
	if s.Sessions > 0 && !quiet {
		p.Printf("\n%s", console.Dim(p.Wrap(fmt.Sprintf("Shown beyond the briefing: %s a session (median of %s).",
			console.Plural(s.MedianTokens, "token", "tokens"), console.Plural(s.Sessions, "session", "sessions")), "")))
	}
	if len(s.Memories) == 0 {
		return
	}
	p.Printf("\n")
	p.Evidence(func() {
		for _, m := range s.Memories {
			title := m.Title
			if title == "" {
				title = "(not in this view)"
			}
			p.Printf("%s  %s\n", console.Bold(m.ID.Short()), p.Cut(title, p.Width-9))
			facts := []string{}
			if record := Record(m.Shown, m.Used); record != "" {
				facts = append(facts, record)
			}
			if m.Brief > 0 {
				facts = append(facts, "in "+console.Plural(m.Brief, "briefing", "briefings"))
			}
			p.Printf("%s", console.Dim(p.Wrap(strings.Join(facts, ", "), "         ")))
		}
	})
	if more := s.Known - len(s.Memories); more > 0 && !quiet {
		p.Printf("\n%s\n", console.Dim(fmt.Sprintf("and %s more: cortex stats -n 0", console.Plural(more, "memory", "memories"))))
	}
}
