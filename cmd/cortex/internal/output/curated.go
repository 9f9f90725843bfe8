package output

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/curate"
)

// Curated says what was made of a reader's answer.
func Curated(p *console.Printer, out *curate.Outcome, quiet bool) {
	for _, m := range out.Added {
		p.Printf("%s %s  %s  %s\n", console.Good("+"), console.Bold(m.ID.Short()), console.Pad(string(m.Type), 12),
			console.Cut(m.Title, p.Width-26))
	}
	warn := func(label string, all []curate.Refused) {
		for _, r := range all {
			p.Printf("%s", p.WrapText(console.Plain(r.Title+": "+r.Reason),
				console.Join(console.Warn(label), console.Plain(" "))))
		}
	}
	warn("contradicts", lists.Map(out.Pairs, func(x curate.Pair) curate.Refused {
		return curate.Refused{Title: memory.ID(x.ID).Short() + ", " + memory.ID(x.Other).Short(), Reason: x.Reason}
	}))
	warn("refused", out.Refused)
	warn("waits", out.Waits)
	warn("left out", out.Unkeyed)
	if !quiet {
		p.Printf("%s", p.Wrap(CuratedText(out)+".", ""))
		if len(out.Refused) > 0 {
			p.Printf("%s", p.Wrap("What was refused can be mended and applied again, with the same sheet.", ""))
		}
	}
}

// CuratedText says in a line what became of an answer.
func CuratedText(out *curate.Outcome) string {
	parts := []string{
		console.Plural(len(out.Added), "memory", "memories") + " added for " +
			console.Plural(out.Became, "candidate", "candidates"),
		fmt.Sprintf("%d dropped", len(out.Dropped)), fmt.Sprintf("%d left", out.Left),
	}
	if len(out.Pairs) > 0 {
		parts = append(parts, console.Plural(len(out.Pairs), "contradiction", "contradictions")+" noted for review")
	}
	if len(out.Refused) > 0 {
		parts = append(parts, fmt.Sprintf("%d refused", len(out.Refused)))
	}
	if out.Sheet != nil && out.Sheet.Tokens > 0 {
		parts = append(parts, fmt.Sprintf("of a worksheet of about %d tokens", out.Sheet.Tokens))
	}
	return strings.Join(parts, ", ")
}
