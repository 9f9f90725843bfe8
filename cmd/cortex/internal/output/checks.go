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
		switch {
		case c.OK:
			well++
			if tells := c.Note+c.Hint != "" || all; tells && !quiet {
				printWell(p, &c)
			}
		case c.Fixed:
			printWrong(p, &c, console.Good("fixed"), c.Did)
		default:
			wrong++
			did := ""
			if c.Did != "" {
				did = "done: " + c.Did
			}
			printWrong(p, &c, console.Bad("wrong"), did+"\n"+c.Hint)
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

func printWell(p *console.Printer, c *workspace.Check) {
	if c.Hint != "" {
		p.Hang(console.Warn("to do "), console.Plain(c.Name+": "+c.Hint))
		return
	}
	p.Printf("%s %s", console.Good("ok   "), c.Name)
	if c.Note != "" {
		p.Printf("  %s", console.Dim(c.Note))
	}
	p.Printf("\n")
}

// printWrong prints what was wrong, and lines about what was done or is to be done.
func printWrong(p *console.Printer, c *workspace.Check, mark console.Text, lines string) {
	p.Printf("%s %s: %s\n", mark, c.Name, c.Wrong)
	for line := range strings.Lines(lines) {
		if line = strings.TrimRight(line, "\n"); line != "" {
			p.Printf("      %s\n", console.Dim(line))
		}
	}
}
