package pulls

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/changes"
	"github.com/git-cortex/cortex/workspace/doctor"
)

// Formats are the ways in which [Findings] prints: for people, and as annotations of a
// GitHub workflow.
func Formats() []string { return []string{"text", "github"} }

// Checked holds the outcome of a check.
type Checked struct {
	Findings   []doctor.Finding
	Unproven   []doctor.Unproven
	Unreviewed []changes.Unreviewed
	Idle       []string // guards that are not in force
	Memories   int
	Quiet      bool // of text: without how many there are

	Quarantined int // of the memories, those that came with a branch that is not trusted here
}

// Findings prints what a check found, in one of [Formats].
func Findings(p *console.Printer, format string, c Checked) error {
	if format == "github" {
		_, err := fmt.Fprint(p.Out, annotations(c.Findings)+notice(c.Unproven))
		return err
	}
	for _, f := range c.Findings {
		where := memory.OneLine(f.Path) // no line of a log is a command of a runner
		if f.Line > 0 {
			where = fmt.Sprintf("%s:%d", where, f.Line)
		}
		if f.Quarantined {
			where += " (in quarantine)"
		}
		p.Printf("%s\n", where)
		p.Hang(console.Join(console.Plain("  "), console.Bad(f.Rule), console.Plain(" ")),
			console.Plain(memory.OneLine(f.Text)))
	}
	if !c.Quiet {
		remedies(p, c.Findings)
		if note := unproven(c.Unproven); note != "" {
			p.Hang(console.Plain(""), console.Plain(note))
		}
		if by := lists.Map(c.Unreviewed, unreviewedText); len(by) > 0 {
			p.Hang(console.Plain(""), console.Plain("Note: none of the reviewers committed "+firstOf(by)+"."))
		}
		for _, guard := range c.Idle {
			p.Hang(console.Plain(""),
				console.Plain("Note: "+guard+" does nothing here until a person reads it: cortex guard accept NAME"))
		}
		apart := ""
		if c.Quarantined > 0 {
			apart = fmt.Sprintf(", %d of them in quarantine", c.Quarantined)
		}
		p.Printf("%s in %s%s.\n", console.Plural(len(c.Findings), "finding", "findings"),
			console.Plural(c.Memories, "memory", "memories"), apart)
	}
	return nil
}

// remedies says once for each rule that found something what to do about it.
func remedies(p *console.Printer, found []doctor.Finding) {
	if len(found) > 0 {
		p.Printf("\n%s\n", console.Bold("What to do:"))
	}
	for _, r := range doctor.Rules() {
		if slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.Rule == r.Name }) {
			p.Hang(console.Plain("  "+console.Pad(r.Name, 14)), console.Plain(r.Remedy))
		}
	}
	if len(found) > 0 {
		p.Printf("\n")
	}
}

// annotations are the findings as commands of a workflow's log, one in a line.
func annotations(found []doctor.Finding) string {
	var b strings.Builder
	for _, f := range found {
		line := ""
		if f.Line > 0 {
			line = fmt.Sprintf(",line=%d", f.Line)
		}
		fmt.Fprintf(&b, "::error file=%s%s,title=%s::%s\n", property(f.Path), line, property("cortex: "+f.Rule),
			message(f.Text))
	}
	return b.String()
}

// message escapes the text of a workflow command, as GitHub's own toolkit does.
func message(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(memory.Defang(s))
}

// property escapes a value that stands before the text.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(s))
}
