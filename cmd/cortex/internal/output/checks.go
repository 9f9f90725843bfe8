package output

import (
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace"
)

// Checks shows what is wrong, what was mended and what is worth a word; with all set, what
// is well too. With quiet set, what is well is left out.
func Checks(p *console.Printer, checks []workspace.Check, all, quiet bool) {
	well, wrong := 0, 0
	for _, c := range checks {
		if c.OK {
			well++
		} else if !c.Fixed {
			wrong++
		}
		switch {
		case c.OK && (quiet || c.Note == "" && !all):
		case c.OK && c.Note != "":
			p.Printf("%s %s  %s\n", console.Good("ok   "), c.Name, console.Dim(c.Note))
		case c.OK:
			p.Printf("%s %s\n", console.Good("ok   "), c.Name)
		case c.Fixed:
			p.Printf("%s %s: %s\n", console.Good("fixed"), c.Name, c.Wrong)
			if c.Did != "" {
				p.Printf("      %s\n", console.Dim(c.Did))
			}
		default:
			p.Printf("%s %s: %s\n", console.Bad("wrong"), c.Name, c.Wrong)
			if c.Did != "" {
				p.Printf("      %s\n", console.Dim("done: "+c.Did))
			}
			for line := range strings.Lines(c.Hint) {
				p.Printf("      %s\n", console.Dim(strings.TrimRight(line, "\n")))
			}
		}
	}
	switch {
	case quiet:
	case wrong == 0:
		p.Printf("No problems found by %s.\n", console.Plural(len(checks), "check", "checks"))
	default:
		p.Printf("%s\n", console.Dim(console.Plural(well, "check", "checks")+" found nothing."))
	}
}
