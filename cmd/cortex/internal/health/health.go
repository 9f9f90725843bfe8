// Package health says how a clone does: [Status] how it stands, [Checks] what is wrong
// with it, and [Recall] what its hooks said and what came of it. It promises that
// each problem stands with what to do about it.
package health

import (
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace"
)

// Checks shows what was checked, of which so many are wrong.
func Checks(p *console.Printer, checks []workspace.Check, wrong int, quiet bool) {
	for _, c := range checks {
		switch {
		case c.OK && quiet:
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
	if wrong == 0 && !quiet {
		p.Printf("No problems found.\n")
	}
}
