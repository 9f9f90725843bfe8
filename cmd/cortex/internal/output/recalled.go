package output

import (
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/workspace/agents"
)

// Recalled shows what would be said, and with explain what would not.
func Recalled(p *console.Printer, said *agents.Recalled, explain, quiet bool) {
	if !quiet {
		printSilence(p, said)
	}
	if explain {
		p.Printf("%s\n\n", console.Dim(fmt.Sprintf("%s: said from %.2f on, at most %d", said.Moment, said.Threshold,
			said.Limit)))
	}
	p.Evidence(func() {
		for i, h := range said.Memories {
			if i > 0 {
				p.Printf("\n")
			}
			printHit(p, &h, explain)
		}
	})
	spoke := slices.ContainsFunc(said.Memories, func(h recall.Hit) bool { return h.Speaks })
	if !spoke && !quiet {
		text := "A hook would say nothing."
		if !explain {
			text += " To see what came close: --explain"
		}
		p.Printf("%s\n", text)
	}
	if explain && said.Left.Superseded+said.Left.Received > 0 {
		p.Printf("\n%s", console.Dim(p.Wrap(fmt.Sprintf("Not considered: %d superseded, %d from others that nobody "+
			"here accepted.", said.Left.Superseded, said.Left.Received), "")))
	}
}

// printSilence says why hooks keep quiet at a moment, if they do.
func printSilence(p *console.Printer, said *agents.Recalled) {
	if said.Off {
		p.Printf("%s", p.Wrap("Hooks keep quiet at such moments here: recall in .cortex/config.yaml leaves them out.",
			""))
	}
	if said.Spent {
		p.Printf("%s", p.Wrap("This session is told no more but of calls that failed: it had as many tokens as a "+
			"session gets.", ""))
	}
}

// mostReasons is how many parts of a score are listed; the rest is one line.
const mostReasons = 8

func printHit(p *console.Printer, h *recall.Hit, explain bool) {
	const margin = "         "
	p.Printf("%s  %s\n", console.Bold(h.ID.Short()), p.Cut(string(h.Type)+", "+scoreText(h), p.Width-len(margin)))
	p.Printf("%s", p.Wrap(h.Line, margin))
	if !explain {
		return
	}
	rest := 0.0
	for i, r := range h.Why {
		if i >= mostReasons {
			rest += r.Weight
			continue
		}
		part := fmt.Sprintf("%s%6.2f  %s ", margin, r.Weight, console.Pad(r.Kind, 7))
		p.Printf("%s%s\n", console.Dim(part), console.Dim(p.Cut(r.Text, p.Width-len(part))))
	}
	if more := len(h.Why) - mostReasons; more > 0 {
		p.Printf("%s\n", console.Dim(fmt.Sprintf("%s%6.2f  %s", margin, rest,
			console.Plural(more, "smaller part", "smaller parts"))))
	}
}

func scoreText(h *recall.Hit) string {
	switch {
	case h.Speaks:
		return fmt.Sprintf("said, %.2f", h.Score)
	case h.Left == recall.LeftWeak:
		return fmt.Sprintf("not said, %.2f: %s of %.2f", h.Score, h.Left, h.Threshold)
	}
	return fmt.Sprintf("not said, %.2f: %s", h.Score, h.Left)
}
