package output

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Entries lists memories, with marks for those that are pending, received, your own, stale or
// superseded, and unless quiet a legend of the marks. Where there are none, all says
// whether that is so of the whole view.
func Entries(p *console.Printer, entries []workspace.Entry, received workspace.Marks, quiet, all bool) error {
	out := bufio.NewWriterSize(p.Out, 64<<10)
	p.Out = out
	switch {
	case len(entries) == 0 && !all:
		p.Printf("No memory of this view matches. %s\n", console.Dim("To list all: cortex list"))
	case len(entries) == 0:
		p.Printf("%s", p.WrapText(console.Join(console.Plain("No memories in this view. "),
			console.Dim("Write one with cortex remember TEXT; your agent's sessions will add more.")), nil))
	}
	stale := slices.ContainsFunc(entries, func(e workspace.Entry) bool { return e.Stale || e.Unused })
	others := slices.ContainsFunc(entries, func(e workspace.Entry) bool { return fromOthers(&e, received) })
	p.Evidence(func() {
		for _, entry := range entries {
			mark := markOf(&entry, received)
			if stale {
				mark = console.Join(mark, staleMark(&entry))
			}
			m, from := entry.Memory, goneFrom(&entry)
			p.Printf("%s%s  %s  %s  %s%s\n", mark, console.Bold(m.ID.Short()),
				console.Dim(m.Created.Format("2006-01-02")),
				console.Pad(string(m.Type), 12), p.Cut(m.Quote(m.Title),
					p.Width-35-mark.Columns()-len([]rune(from))), console.Dim(from))
		}
	})
	if !quiet {
		printLegend(p, entries, others)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the list: %w", err)
	}
	return nil
}

// fromOthers reports whether an entry is pending and came from a remote.
func fromOthers(e *workspace.Entry, received workspace.Marks) bool {
	return e.Stage == index.Pending && received.Memory(e.Memory.ID)
}

// markOf is the mark of an entry in a list; [printLegend] says what it means.
func markOf(e *workspace.Entry, received workspace.Marks) console.Text {
	switch {
	case e.Apart:
		return console.Warn("? ")
	case e.Status != memory.StatusActive:
		return console.Dim("- ")
	case e.Stage == index.Global:
		return console.Dim("* ")
	case e.Memory.Outside():
		return console.Warn("> ")
	case fromOthers(e, received):
		return console.Warn("< ")
	case proposedForAll(*e):
		return console.Warn("^ ")
	}
	if e.Stage == index.Pending {
		return console.Warn("+ ")
	}
	return console.Plain("  ")
}

// staleMark is the second mark of an entry, in lists that have stale or unused ones.
func staleMark(e *workspace.Entry) console.Text {
	switch {
	case e.Stale:
		return console.Warn("~ ")
	case e.Unused:
		return console.Warn("? ")
	}
	return console.Plain("  ")
}

// goneFrom says for which branch an entry is pending that is gone; "" for none.
func goneFrom(e *workspace.Entry) string {
	switch {
	case !e.Gone():
		return ""
	case e.Branch == "":
		return "  (from a detached HEAD)"
	}
	return "  (from " + console.Cut(e.Branch, 20) + ", gone)"
}

// quotations are those of entries that hold what was read somewhere.
func quotations(entries []workspace.Entry) []workspace.Entry {
	return lists.Without(entries, func(e workspace.Entry) bool { return !e.Memory.Outside() })
}

// proposedForAll reports whether an entry waits for a person to keep it for all of their repositories.
func proposedForAll(e workspace.Entry) bool {
	return e.Stage == index.Pending && e.Memory.Scope == memory.ScopeGlobal
}

func printLegend(p *console.Printer, entries []workspace.Entry, others bool) {
	for _, note := range []struct {
		text string
		of   func(workspace.Entry) bool
	}{
		{"+ pending: cortex review --list says which land with your next commit", func(e workspace.Entry) bool {
			return e.Stage == index.Pending && !proposedForAll(e)
		}},
		{"< pending, from others: lands only with cortex land ID", func(workspace.Entry) bool { return others }},
		{
			fmt.Sprintf("> %d quoted from what was read: lands only with cortex land ID", len(quotations(entries))),
			func(e workspace.Entry) bool { return e.Memory.Outside() },
		},
		{"^ proposed for all your repositories: cortex promote ID keeps it there", proposedForAll},
		{"* global: yours, in every repository on this machine", func(e workspace.Entry) bool {
			return e.Stage == index.Global
		}},
		{"~ the code that it is about has changed", func(e workspace.Entry) bool { return e.Stale }},
		{"? possibly outdated: the latest sessions did not use it", func(e workspace.Entry) bool { return e.Unused }},
		{"- faded, superseded or contested", func(e workspace.Entry) bool { return e.Status != memory.StatusActive }},
	} {
		if slices.ContainsFunc(entries, note.of) {
			p.Printf("%s", console.Dim(p.Wrap(note.text, "")))
		}
	}
}

// Done says on one line what was done with a memory.
func Done(p *console.Printer, verb string, m *memory.Memory) {
	p.Printf("%s %s  %s  %s\n", verb, console.Bold(m.ID.Short()), m.Type, p.Cut(m.Title, p.Width-20-len(verb)))
}
