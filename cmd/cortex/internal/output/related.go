package output

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index/graph"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// Related shows what is related to a memory, and why, below how the memory evolved.
func Related(p *console.Printer, out *explore.Relatives, now time.Time) {
	p.Evidence(func() {
		p.Printf("%s  %s\n", console.Bold(out.Of.Memory.ID.Short()),
			console.Bold(p.Cut(out.Of.Memory.Quote(out.Of.Memory.Title), p.Width-9)))
		if len(out.Chain) > 0 {
			p.Printf("\n%s\n", console.Dim("how it evolved, oldest first"))
		}
		for _, entry := range out.Chain {
			mark := console.Plain("  ")
			if entry.Memory.ID == out.Of.Memory.ID {
				mark = console.Good("> ")
			}
			p.Printf("%s%s  %s  %s\n", mark, entry.Memory.ID.Short(),
				console.Dim(entry.Memory.Created.Format("2006-01-02")), p.Cut(entry.Memory.Quote(entry.Memory.Title),
					p.Width-23))
		}
		for _, r := range out.Related {
			m := r.Entry.Memory
			p.Printf("\n%s  %s\n", console.Bold(m.ID.Short()), console.Bold(p.Cut(m.Quote(m.Title), p.Width-9)))
			p.Printf("%s", p.List(Facts(r.Entry, now), "         "))
			p.Printf("%s", p.Wrap(tiesText(r.Ties, out.Of.Memory.ID), "         "))
		}
	})
	if len(out.Related) == 0 {
		p.Printf("\nNo related memories in this view. %s\n", console.Dim("To look further: --depth 2"))
	}
}

// tiesText words why a memory is related; of many reasons the first.
func tiesText(ties []explore.Tie, of memory.ID) string {
	var parts []string
	for i, t := range ties {
		if i == 4 {
			parts = append(parts, fmt.Sprintf("and %d more", len(ties)-i))
			break
		}
		shared := map[string]string{
			graph.RelSimilar: fmt.Sprintf("similar (%.0f %%)", 100*t.Weight),
			graph.RelSession: "of the same session",
			graph.RelTopic:   fmt.Sprintf("of the same topic, %q", t.Name),
			graph.RelFile:    "about " + t.Name + " too",
			graph.RelEntity:  "mentions " + explore.Worded(t.Name, t.Entity) + " too",
		}
		linked := map[bool]string{
			true: strings.ReplaceAll(t.Rel, "_", " ") + " it", false: workspace.Passive(memory.Rel(t.Rel)) + " it",
		}
		text := cmp.Or(shared[t.Rel], linked[t.Back])
		if t.From != of {
			text += " (through " + t.From.Short() + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
