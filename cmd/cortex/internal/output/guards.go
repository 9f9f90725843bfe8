package output

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/guards"
)

// Guards shows guards, and how often they would have spoken, where that was tried.
func Guards(p *console.Printer, kept []guards.Kept, trial *guards.Trial) {
	p.Evidence(func() {
		for _, g := range kept {
			printGuard(p, g)
		}
		if trial != nil {
			printTrial(p, trial)
		}
	})
	if len(kept) == 0 {
		p.Printf("No guard speaks. To make one of a memory: cortex guard add ID\n")
	}
}

func printGuard(p *console.Printer, g guards.Kept) {
	p.Printf("%s\n", console.Bold(g.Name))
	if g.Broken != "" {
		p.Printf("%s", p.Wrap("It cannot be read, and lets every call pass: "+g.Broken, "  "))
		return
	}
	p.Row("rule", g.Rule)
	p.Row("action", g.Action)
	for _, list := range g.Lists() {
		p.Row(list.Key, strings.Join(list.Words, ", "))
	}
	p.Row("instead", g.Remedy)
	p.Row("memory", string(g.Memory))
	p.Row("in force", g.Standing())
}

func printTrial(p *console.Printer, t *guards.Trial) {
	p.Printf("\nTried on %s of %s.\n", console.Plural(t.Calls, "call", "calls"),
		console.Plural(t.Sessions, "past session", "past sessions"))
	for _, g := range t.Guards {
		text := fmt.Sprintf("%s: it would have spoken about %s of %s", g.Name,
			console.Plural(g.Spoke, "call", "calls"), console.Plural(g.Sessions, "session", "sessions"))
		p.Printf("%s", p.Wrap(text, ""))
		for _, said := range g.Examples {
			p.Printf("  %s\n", said)
		}
	}
}
