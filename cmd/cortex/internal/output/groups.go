package output

import (
	"fmt"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/consolidate"
)

// Groups prints memories that say the same, each group with its draft.
func Groups(p *console.Printer, out *consolidate.Proposal) {
	if len(out.Groups) == 0 {
		p.Printf("%s", p.Wrap(fmt.Sprintf("No memories say the same in much the same words, of %d in force.",
			out.Since.All), ""))
		return
	}
	p.Evidence(func() {
		for _, g := range out.Groups {
			p.Printf("%s  %s  %s\n", console.Bold(g.ID), console.Pad(string(g.Type()), 12),
				console.Dim(console.Plural(len(g.Members), "memory", "memories")))
			for _, m := range g.Members {
				p.Printf("  %s  %3.0f%%  %s\n", m.Entry.Memory.ID.Short(), m.Alike*100,
					p.Cut(m.Entry.Memory.Quote(m.Entry.Memory.Title), p.Width-18))
			}
			p.Printf("%s", p.Wrap(g.Draft.Title, "  = "))
			if g.Draft.Text != "" {
				p.Printf("%s", p.Wrap(g.Draft.Text, "    "))
			}
			p.Printf("\n")
		}
	})
	if out.More > 0 {
		p.Printf("%s\n", console.Dim(fmt.Sprintf("and %s: --limit 0",
			console.Plural(out.More, "group more", "groups more"))))
	}
	p.Printf("%s\n", console.Dim("to write a draft: cortex consolidate --apply "+out.Groups[0].ID))
}

// Consolidated prints the memories that stand for others now.
func Consolidated(p *console.Printer, out *consolidate.Outcome, quiet bool) {
	for _, w := range out.Written {
		m := w.Entry.Memory
		p.Printf("%s %s  %s  %s\n", console.Good("+"), console.Bold(m.ID.Short()), console.Pad(string(m.Type), 12),
			console.Cut(m.Title, p.Width-26))
		said := "for"
		for _, id := range w.For {
			said += " " + id.Short()
		}
		if w.Waits {
			said += ", once a person accepts it: one of them is a person's"
		}
		p.Printf("%s", console.Dim(p.Wrap(said, "  ")))
	}
	for _, r := range out.Refused {
		p.Printf("%s", p.WrapText(console.Plain(r.Group+": "+r.Reason),
			console.Join(console.Warn("refused"), console.Plain(" "))))
	}
	if quiet || out.Snapshot == "" {
		return
	}
	p.Printf("%s", console.Dim(p.Wrap("The old ones stay, superseded. What was there before is in "+
		out.Snapshot+"; to take one back: cortex forget ID", "")))
}
