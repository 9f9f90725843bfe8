package output

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/imports"
	"github.com/git-cortex/cortex/workspace/reset"
	"github.com/git-cortex/cortex/workspace/tiers"
)

// Embedded says what became of a model.
func Embedded(p *console.Printer, out tiers.Embedded, quiet bool) {
	switch {
	case quiet:
	case out.Model == "":
		p.Printf("Search goes by words alone.\n")
	case out.DryRun:
		p.Printf("%s works: %d dimensions, %s.\nNothing was changed (--dry-run).\n", out.Model, out.Dims,
			console.Plural(out.Memories, "memory to compare", "memories to compare"))
	default:
		p.Printf("Embedded %s of %d with %s, %d dimensions.\n", console.Plural(out.Embedded, "memory", "memories"),
			out.Memories, out.Model, out.Dims)
		if out.Missing > 0 {
			p.Printf("%s without a vector yet, because another process is writing: run cortex embed again.\n",
				console.Plural(out.Missing, "memory is", "memories are"))
		}
	}
}

// Reset says what a reset took away, or undoing one brought back.
func Reset(p *console.Printer, out reset.Done, undo bool) {
	cleared(p, out, undo)
	if out.Kept > 0 {
		p.Printf("%s\n", p.Wrap(console.Plural(out.Kept, "pending memory of another clone stays",
			"pending memories of other clones stay")+
			". To take what other clones brought from all of them: cortex reset --received", ""))
	}
}

func cleared(p *console.Printer, out reset.Done, undo bool) {
	if out.Empty() {
		p.Printf("There is nothing to %s.\n", map[bool]string{true: "bring back", false: "clear"}[undo])
		return
	}
	verb := map[[2]bool]string{
		{false, false}: "Cleared", {false, true}: "Would clear", {true, false}: "Brought back",
		{true, true}: "Would bring back",
	}[[2]bool{undo, out.DryRun}]
	p.Printf("%s %s", verb, console.Plural(out.Pending, "pending memory", "pending memories"))
	for _, part := range []struct {
		n         int
		one, more string
	}{
		{out.Landed, "memory file", "memory files"},
		{out.Sessions, "session record", "session records"},
		{out.Other, "counter or refusal", "counters and refusals"},
	} {
		if part.n > 0 {
			p.Printf(", %s", console.Plural(part.n, part.one, part.more))
		}
	}
	p.Printf(".\n")
	if out.Snapshot != "" && !undo {
		p.Printf("%s\n", p.Wrap("Everything is kept in "+out.Snapshot+". To bring it back: cortex reset --undo", ""))
	}
	if out.Landed > 0 && !undo && !out.DryRun {
		p.Printf("%s\n", console.Dim("The files were removed from the working tree: commit that when you like. "+
			"Other branches keep theirs."))
	}
}

// Tier explains a tier before it is switched on.
func Tier(p *console.Printer, t tiers.Tier, missing []string) {
	p.Printf("%s %s (tier %d of %d)\n", console.Bold("To switch on:"), t.Name, t.Level, tiers.Highest)
	p.Hang(console.Plain("  gives  "), console.Plain(t.Gives))
	p.Hang(console.Plain("  costs  "), console.Plain(t.Costs))
	if len(missing) > 0 {
		p.Hang(console.Plain("  lacks  "), console.Plain(parts(missing)))
	}
}

// parts names parts of tiers in words.
func parts(names []string) string {
	return strings.NewReplacer("mcp", "MCP", "anticipation", "recall at prompts").Replace(strings.Join(names, ", "))
}

// Imported says what was imported, and how.
type Imported struct {
	Dry   bool
	Took  time.Duration
	Quiet bool
}

// Import says what became of the documents of an import, on two printers: problems on the
// second. Quiet leaves out all but those.
func Import(p, problems *console.Printer, out imports.Result, of Imported) {
	const shown = 10
	said := slices.Concat(out.Skipped, out.Notes)
	for i, s := range said {
		if i == shown {
			problems.Printf("%s and %d more lines\n", console.Warn("!"), len(said)-i)
			break
		}
		problems.Printf("%s %s\n", console.Warn("!"), s.Error())
	}
	if of.Quiet {
		return
	}
	verb := "Imported"
	if of.Dry {
		verb = "Would import"
	}
	p.Printf("%s %s in %s", verb, console.Plural(out.Added, "document", "documents"),
		of.Took.Round(10*time.Millisecond))
	for _, part := range []partOf{
		{out.Known, "already there"}, {out.Redacted, "with secrets removed"}, {len(out.Skipped), "skipped"},
	} {
		p.Printf("%s", part)
	}
	p.Printf(".\n")
	switch {
	case out.Added == 0 || of.Dry:
	case out.Waiting > 0:
		p.Printf("%s\n", console.Dim("An agent ran the import, so nothing of it is taken for what somebody here "+
			"said: it waits for a person, cortex review."))
	default:
		p.Printf("%s\n", console.Dim("They are files in .cortex/memories: review them, then git add and commit."))
	}
}

// Importable says what can be imported, and what each source would bring.
func Importable(p *console.Printer, found []imports.Found) {
	for _, f := range found {
		said := console.Plural(f.Added, "memory", "memories")
		for _, part := range []partOf{{f.Known, "already there"}, {f.Skipped, "skipped"}} {
			said += part.String()
		}
		p.Printf("%s %s  %s\n", console.Pad(f.Kind, 12), console.Pad(f.Source, 28), console.Dim(cmp.Or(f.Error, said)))
	}
	if len(found) == 0 {
		p.Printf("Nothing is found that can be imported; cortex import --help says from what else.\n")
		return
	}
	p.Printf("%s\n", console.Dim("To bring one: cortex import KIND SOURCE, such as "+
		"cortex import "+found[0].Kind+" "+found[0].Source))
}

// partOf is how many documents something became of; none is not said.
type partOf struct {
	n    int
	text string
}

func (part partOf) String() string {
	if part.n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d %s", part.n, part.text)
}

// Rendered says which pages were written, and which are not as they should be; quiet leaves
// out the others.
func Rendered(p *console.Printer, pages []workspace.Page, mode string, quiet bool) {
	if quiet {
		pages = lists.Without(pages, func(page workspace.Page) bool {
			return page.Current && !page.Written
		})
	} else if len(pages) == 0 {
		p.Printf("The pages are not kept on this branch (projections: %s).\n", mode)
	}
	for _, page := range pages {
		p.Printf("%s\n", pageLine(page))
	}
}

// pageLine says how a page stands.
func pageLine(page workspace.Page) console.Text {
	path := console.Plain("  " + page.Path)
	switch {
	case page.Written:
		return console.Join(console.Good("written "), path)
	case page.Current:
		return console.Join(console.Dim("current "), path)
	case page.Edited:
		return console.Join(console.Warn("edited  "), path, console.Plain("  "),
			console.Dim("by hand; cortex project --force replaces it"))
	}
	return console.Join(console.Bad("outdated"), path, console.Plain("  "), console.Dim("cortex project"))
}
