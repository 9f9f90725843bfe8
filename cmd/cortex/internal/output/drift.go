package output

import (
	"fmt"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/agents"
)

// Drift shows what the present rules make of sessions that were captured before; of each
// list of memories at most limit, 0 for all.
func Drift(p *console.Printer, d *agents.DriftRun, limit int) {
	if d.Sessions == 0 {
		p.Printf("%s", p.Wrap("No recorded session has its transcript in this clone as it was captured, so there is "+
			"nothing to compare.", ""))
		return
	}
	p.Printf("%s", p.Wrap(fmt.Sprintf("Read %s again. Kept then: %d, now: %d; %d the same, %d in other words, %d "+
		"only now, %d only then.",
		console.Plural(d.Sessions, "session",
			"sessions"), d.Then, d.Now, d.Same, d.Reworded, len(d.Gained), len(d.Lost)), ""))
	if d.Missing > 0 {
		p.Printf("%s", console.Dim(p.Wrap(fmt.Sprintf("Not compared: %s, whose transcript is not here as it was "+
			"captured.", console.Plural(d.Missing, "session", "sessions")), "")))
	}
	switch last := d.Last; {
	case last == nil:
		p.Printf("This is the first run in this clone.\n")
	default:
		p.Printf("%s", p.Wrap(fmt.Sprintf("Since the run of %.10s, over %s: %d more, %d not any more.", last.At,
			console.Plural(last.Sessions, "session", "sessions"), last.Gained, last.Lost), ""))
	}
	driftTable(p, "layer", d.Layers)
	driftTable(p, "type", d.Types)
	driftList(p, "Kept now, and not then", d.Gained, limit)
	driftList(p, "Kept then, and not now", d.Lost, limit)
}

func driftTable(p *console.Printer, name string, rows []agents.DriftCount) {
	if len(rows) == 0 {
		return
	}
	line := func(name string, values ...any) string {
		out := console.Pad(name, 13)
		for _, v := range values {
			out += fmt.Sprintf("%8v", v)
		}
		return out
	}
	p.Printf("\n%s\n", console.Dim(line(name, "then", "now", "change", "gained", "lost")))
	for _, c := range rows {
		p.Printf("%s\n", line(c.Name, c.Then, c.Now, c.Signed(), c.Gained, c.Lost))
	}
}

func driftList(p *console.Printer, title string, list []agents.DriftMemory, limit int) {
	if len(list) == 0 {
		return
	}
	shown := list
	if limit > 0 {
		shown = list[:min(limit, len(list))]
	}
	p.Printf("\n%s\n", console.Bold(title))
	p.Evidence(func() {
		for _, m := range shown {
			p.Printf("%s\n", p.Cut(m.Title, p.Width))
			p.Printf("%s", p.List([]string{
				string(m.Type), string(m.Layer),
				fmt.Sprintf("confidence %.2f", m.Confidence), fmt.Sprintf("session %.8s line %d", m.Session,
					m.Line),
			}, "    "))
		}
	})
	if n := len(list) - len(shown); n > 0 {
		p.Printf("%s\n", console.Dim(fmt.Sprintf("and %d more; for all: -n 0", n)))
	}
}
