package output

import (
	"fmt"
	"strconv"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/lifecycle"
	"github.com/git-cortex/cortex/workspace/review"
)

// Numbered lists memories with numbers to choose them by.
func Numbered(p *console.Printer, found []workspace.Entry) {
	if len(found) == 0 {
		p.Printf("Nothing found.\n")
	}
	p.Evidence(func() {
		for i := range found {
			m := found[i].Memory
			p.Printf("%3d  %s  %s  %s\n", i+1, console.Bold(m.ID.Short()), console.Pad(string(m.Type), 12),
				p.Cut(m.Title, p.Width-28))
		}
	})
}

// Expired lists what faded long ago, and what stays though it did.
func Expired(out *console.Printer, p *lifecycle.Proposal) {
	if p.Empty() {
		out.Printf("%s", out.Wrap(fmt.Sprintf("Nothing to remove: %s. Those archived for less than %.0f days stay, "+
			"and those that another memory relies on.",
			console.Plural(p.Archived, "memory is archived", "memories are archived"), p.After.Hours()/24), ""))
	}
	out.Evidence(func() {
		for _, a := range p.Old {
			printAged(out, a, "archived for "+console.Plural(int(a.For.Hours()/24), "day", "days"))
		}
		for _, a := range p.Held {
			printAged(out, a, "stays: "+a.Held)
		}
	})
	for _, o := range p.Overdue {
		out.Printf("%s; nothing brings back what is removed\n", overdueText(o))
	}
}

// Collected says what of a proposal was removed, and unless quiet how to bring a memory back.
func Collected(out *console.Printer, p *lifecycle.Proposal, quiet bool) {
	if len(p.Overdue) > 0 {
		out.Printf("Removed what was too old.\n")
	}
	if len(p.Old) > 0 {
		Removed(out, p.Entries(), quiet)
	}
}

// overdueText says what is kept for longer than it is wanted.
func overdueText(o workspace.Overdue) string {
	return fmt.Sprintf("%s: %s older than %s days", o.What, console.Plural(o.Count, "is", "are"),
		strconv.FormatFloat(o.Days, 'f', -1, 64))
}

func printAged(p *console.Printer, a lifecycle.Aged, why string) {
	m := a.Entry.Memory
	p.Printf("%s  %s  %s\n", console.Bold(m.ID.Short()), console.Pad(string(m.Type), 12), p.Cut(m.Title, p.Width-23))
	p.Printf("%s", console.Dim(p.Wrap(why, "         ")))
}

// Removed says what was removed, and unless quiet how to bring it back.
func Removed(p *console.Printer, entries []workspace.Entry, quiet bool) {
	landed := 0
	for i := range entries {
		if entries[i].Stage == index.Landed {
			landed++
		}
	}
	p.Printf("Removed %s.\n", console.Plural(len(entries), "memory", "memories"))
	if quiet {
		return
	}
	if landed > 0 {
		p.Printf("  %s\n", console.Dim(fmt.Sprintf("%s removed from the working tree: commit that when you like",
			console.Plural(landed, "file was", "files were"))))
	}
	p.Printf("  %s\n", console.Dim("to bring one back: cortex restore ID"))
}

// Restored says what was brought back, and what becomes of it.
func Restored(p *console.Printer, out review.Restored, quiet bool) {
	m := out.Entry.Memory
	p.Printf("Restored %s  %s  %s\n", console.Bold(m.ID.Short()), m.Type, p.Cut(m.Title, p.Width-32))
	p.Printf("  %s\n", console.Dim(p.Path(out.Entry.Path, p.Width-2)))
	if quiet {
		return
	}
	said := map[index.Stage]string{
		index.Landed:  "not staged: commit it when you like",
		index.Pending: "pending again: review it, or let it land with a commit",
		index.Global:  "yours again, in every repository on this machine",
	}[out.Entry.Stage]
	p.Printf("  %s\n", console.Dim(said))
}
