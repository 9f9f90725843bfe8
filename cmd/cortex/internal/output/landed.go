package output

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
)

// titlesNamed is how many memories that landed are named in a line, and titleNamed how
// long each may be.
const (
	titlesNamed = 3
	titleNamed  = 60
)

// Landed says in a line each what landed with a commit and how many wait, what to look at before it is
// pushed, and what did not fit. It is nothing where nothing happened.
func Landed(out *workspace.Landing) (lines []string) {
	if out.NoRoom > 0 {
		lines = append(lines, console.Plural(out.NoRoom, "memory", "memories")+
			" of this branch did not fit into it: cortex review")
	}
	if len(out.Landed) > 0 {
		lines = append(lines, landedLine(out))
	}
	if named := Named(out); named != "" {
		lines = append(lines, named)
	}
	return lines
}

// landedLine says what landed with a commit, and how many wait.
func landedLine(out *workspace.Landing) string {
	titles := lists.Map(lists.First(out.Landed, titlesNamed), func(e workspace.Entry) string {
		return console.Cut(e.Memory.Title, titleNamed)
	})
	said := console.Plural(len(out.Landed), "memory", "memories") + " landed with this commit: " +
		strings.Join(titles, "; ")
	if more := len(out.Landed) - len(titles); more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	if out.Waiting > 0 {
		said += fmt.Sprintf("; %d wait: cortex review", out.Waiting)
	}
	return said
}

// Named says which memories that landed have a title that looks as if it named a person, or
// had an address of one; "" for none.
func Named(out *workspace.Landing) string {
	var ids []string
	for _, e := range out.Landed {
		if what := e.Memory.Telling(); slices.Contains([]string{"name", "address"}, what) {
			ids = append(ids, e.Memory.ID.Short())
		}
	}
	if len(ids) == 0 {
		return ""
	}
	said := strings.Join(ids[:min(len(ids), titlesNamed)], ", ")
	if more := len(ids) - titlesNamed; more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	return "a person seems to be named in the title of " + said + ": cortex edit ID, before it is pushed"
}

// Remembered says what was written, and where it is.
func Remembered(p *console.Printer, out workspace.Remembered, quiet bool) error {
	m := out.Entry.Memory
	if m == nil {
		return errors.New("the memory was written but cannot be read back: run cortex doctor")
	}
	verb := "Remembered"
	if out.Known {
		verb = "Already known:"
	}
	p.Printf("%s %s  %s  %s\n", verb, console.Bold(m.ID.Short()), m.Type, p.Cut(m.Title, p.Width-30))
	p.Printf("  %s\n", console.Dim(p.Path(out.Entry.Path, p.Width-2)))
	if why := waitsFor(&out); why != "" {
		p.Printf("  %s %s\n", console.Warn("!"), why)
	}
	for _, s := range out.Redacted {
		p.Printf("  %s removed: %s\n", console.Warn("!"), s.Kind)
	}
	if quiet || out.Known {
		return nil
	}
	switch out.Entry.Stage {
	case "global":
		p.Printf("  %s\n", console.Dim("yours, in every repository on this machine"))
	case "landed":
		p.Printf("  %s\n", console.Dim("not staged: commit it when you like"))
	}
	return nil
}

// waitsFor says for whom a memory waits that an agent had remembered; "" for nobody.
func waitsFor(out *workspace.Remembered) string {
	unsaid := out.Entry.Memory.Source.Claimed() == "" && out.Entry.Stage == "pending"
	switch {
	case out.Presumes:
		return "it would replace what a person wrote, so it waits for one: cortex review"
	case unsaid:
		return "an agent had it remembered, so it waits until it is known who said it: cortex review"
	}
	return ""
}

// LandingDone says what landed, what is staged, and what waits.
func LandingDone(p *console.Printer, out *workspace.Landing, quiet bool) {
	if out.Blocked != "" {
		p.Printf("Nothing can land now: %s.\n", out.Blocked)
		return
	}
	for _, e := range out.Landed {
		p.Printf("%s %s  %s  %s\n", console.Good("landed"), console.Bold(e.Memory.ID.Short()),
			console.Pad(string(e.Memory.Type), 12), p.Cut(e.Memory.Title, p.Width-31))
	}
	for _, page := range out.Pages {
		p.Printf("%s %s\n", console.Good("staged"), page)
	}
	for _, r := range out.Refused {
		p.Printf("%s %s: %s\n", console.Warn("left  "), r.Path, r.Reason)
	}
	if quiet {
		return
	}
	if named := Named(out); named != "" {
		p.Printf("%s %s\n", console.Warn("!"), named)
	}
	switch {
	case len(out.Landed) == 0 && out.Waiting == 0:
		p.Printf("Nothing is pending on this branch.\n")
	case out.Waiting > 0:
		waits := console.Plural(out.Waiting, "memory waits", "memories wait")
		p.Printf("%s\n", console.Dim(waits+" for review: cortex review"))
	}
}
