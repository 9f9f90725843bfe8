package output

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/explore"
)

// RecallStats shows what hooks said, and what came of it.
func RecallStats(p *console.Printer, s *explore.RecallStats, quiet bool) {
	for _, g := range s.Guards {
		p.Printf("%s", p.Wrap("Guard "+g.Name+": spoke "+console.Plural(g.Spoke, "time", "times")+".", ""))
	}
	if s.Known == 0 {
		p.Printf("%s", p.Wrap("Hooks have shown nothing in this clone yet.", ""))
		if !slices.ContainsFunc(s.Moments, func(m explore.MomentStats) bool { return m.Asked > 0 }) {
			return
		}
	}
	printMoments(p, s.Moments)
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
			p.Printf("%s  %s\n", console.Bold(m.ID.Short()), p.Cut(cmp.Or(m.Title, "(not in this view)"), p.Width-9))
			p.Printf("%s", console.Dim(p.Wrap(useText(&m), "         ")))
		}
	})
	if more := s.Known - len(s.Memories); more > 0 && !quiet {
		p.Printf("\n%s\n", console.Dim(fmt.Sprintf("and %s more: cortex stats -n 0",
			console.Plural(more, "memory", "memories"))))
	}
}

// printMoments prints the table of moments.
func printMoments(p *console.Printer, moments []explore.MomentStats) {
	column := func(name string) string { return fmt.Sprintf("%9s", name) }
	head := console.Pad("moment", 9)
	for _, name := range []string{"asked", "spoke", "quiet", "memories", "tokens", "used"} {
		head += column(name)
	}
	p.Printf("%s\n", console.Dim(cutRow(p, head)))
	for _, m := range moments {
		kept := "-"
		if m.Asked > 0 {
			kept = fmt.Sprintf("%.0f %%", 100*m.Quiet)
		}
		line := console.Pad(m.Moment, 9)
		for _, value := range []any{m.Asked, m.Spoke, kept, m.Memories, m.Tokens, m.Used} {
			line += column(fmt.Sprint(value))
		}
		p.Printf("%s\n", cutRow(p, line))
	}
}

// cutRow cuts a row of a table, whose columns spaces make.
func cutRow(p *console.Printer, line string) string {
	if p.Whole {
		return line
	}
	return console.Shorten(line, p.Width)
}

// useText says how often a memory was shown and used.
func useText(m *explore.MemoryStats) string {
	var facts []string
	if record := Record(m.Shown, m.Used); record != "" {
		facts = append(facts, record)
	}
	if m.Brief > 0 {
		facts = append(facts, "in "+console.Plural(m.Brief, "briefing", "briefings"))
	}
	return strings.Join(facts, ", ")
}
