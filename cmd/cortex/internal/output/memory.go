package output

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// Memory prints a memory with all that is known of it. Title says what stands for the other end of a
// link; nil leaves that out.
func Memory(p *console.Printer, shown explore.Shown, title func(memory.ID) string, now time.Time) {
	p.Evidence(func() { printFields(p, shown, title, now) })
}

func printFields(p *console.Printer, shown explore.Shown, title func(memory.ID) string, now time.Time) {
	entry := shown.Entry
	m := entry.Memory
	p.Printf("%s\n", console.Bold(strings.TrimRight(p.Wrap(m.Quote(m.Title), ""), "\n")))
	p.Printf("%s", p.List(Facts(entry, now), ""))
	if m.Text != "" {
		p.Printf("\n%s", p.Wrap(m.Text, quoteMargin(m)))
	}
	p.Printf("\n")
	p.Row("id", string(m.ID))
	p.Row("tags", strings.Join(m.Tags, ", "))
	p.Row("files", strings.Join(m.Files, ", "))
	p.Row("removed", Removals(shown.Removed))
	p.Row("entities", strings.Join(shown.Names(), ", "))
	for _, l := range m.Links {
		text := string(l.Rel) + " " + l.To.Short()
		if title != nil {
			text += ": " + title(l.To)
		}
		p.Row("link", text)
	}
	for _, t := range m.Triggers {
		p.Row("trigger", t)
	}
	p.Row("scope", map[string]string{
		memory.ScopeGlobal: "proposed for all your repositories: cortex promote " + m.ID.Short(),
	}[m.Scope])
	p.Row("held", m.Hold)
	p.Row("origin", m.OriginText())
	p.Row("source", Source(entry))
	in := map[index.Stage]string{index.Pending: "refs/cortex/journal:"} // as git show takes it
	p.Row("path", in[entry.Stage]+entry.Path)
}

// quoteMargin returns the margin of a memory's text: that of a quotation, or none.
func quoteMargin(m *memory.Memory) string {
	if m.Outside() {
		return "> "
	}
	return ""
}

// Note prints a note of a session and how it becomes a memory.
func Note(p *console.Printer, shown explore.Shown, now time.Time, quiet bool) {
	Memory(p, shown, nil, now)
	if !quiet {
		short := shown.Entry.Memory.ID.Short()
		p.Printf("%s", console.Dim(p.Wrap("A note: nobody stands behind it yet. To make a memory of it: "+
			"cortex restore "+short, "")))
	}
}

// Conflict prints both sides of a file with conflict markers.
func Conflict(p *console.Printer, c *workspace.Conflicted, now time.Time) {
	p.Printf("%s\n", p.Wrap(fmt.Sprintf("%s:%d: git left conflict markers in this file. Both sides:", c.Path, c.Line),
		""))
	for _, side := range []struct {
		name, label string
		entry       workspace.Entry
	}{{"ours", c.OursName, c.Ours}, {"theirs", c.TheirsName, c.Theirs}} {
		p.Printf("%s\n", console.Warn(strings.TrimSpace("== "+side.name+" "+side.label)))
		Memory(p, explore.Shown{Entry: side.entry}, nil, now)
		p.Printf("\n")
	}
	p.Printf("To combine them: %s\n", console.Bold("cortex doctor --fix"))
}
