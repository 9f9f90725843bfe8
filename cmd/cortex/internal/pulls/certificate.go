package pulls

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/certify"
	"github.com/git-cortex/cortex/workspace/doctor"
)

// OfHistory are the findings about pages and merges as those of a check.
func OfHistory(problems []certify.Finding) []doctor.Finding {
	var out []doctor.Finding
	for _, f := range problems {
		rule, text := "page", f.Text
		if f.Merge != "" {
			rule, text = "merge", "in the merge "+shortCommit(f.Merge)+": "+strings.TrimRight(f.Title+": "+f.Text, ": ")
		}
		out = append(out, doctor.Finding{Path: f.Path, Rule: rule, Text: text})
	}
	return out
}

// Certificate prints what a merge did to memories; quiet leaves out what is not wrong.
func Certificate(p *console.Printer, c *certify.Certificate, quiet bool) {
	for _, f := range c.Problems {
		printCertified(p, console.Bad(f.Kind), f)
	}
	if !quiet {
		for _, f := range c.Notes {
			printCertified(p, console.Warn(f.Kind), f)
		}
		for _, f := range c.Removed {
			printCertified(p, console.Dim(f.Kind), f)
		}
		p.Printf("%s", console.Wrap(fmt.Sprintf("%s: %s from %s, %d removed on one side.", shortCommit(c.Merge),
			console.Plural(c.Memories, "memory", "memories"), console.Plural(len(c.Sides), "side",
				"sides"), len(c.Removed)), p.Width, ""))
	}
	if c.Certified {
		p.Printf("%s: nothing was lost in this merge.\n", console.Good("certified"))
	} else {
		p.Printf("%s: %s.\n", console.Bad("not certified"), console.Plural(len(c.Problems), "problem", "problems"))
	}
}

func printCertified(p *console.Printer, kind console.Text, f certify.Finding) {
	path := memory.OneLine(f.Path) // no line of a log is a command of a runner
	title := path
	if f.Title != "" {
		title = console.Cut(f.Title, max(20, p.Width-12-kind.Columns()))
	}
	if f.ID != "" {
		title = f.ID.Short() + " " + title
	}
	p.Printf("%s %s\n%s", kind, title, console.Wrap(f.Text, p.Width-2, "  "))
	if f.Title != "" {
		p.Printf("  %s\n", console.Dim(path))
	}
	if f.Commit != "" {
		p.Printf("  %s\n", console.Dim("last touched by "+shortCommit(f.Commit)))
	}
	if f.Hint != "" {
		p.Printf("  %s\n", f.Hint)
	}
}

// shortCommit cuts the id of a commit to what git shows.
func shortCommit(id string) string {
	if len(id) >= 40 {
		return id[:10]
	}
	return memory.OneLine(id)
}
