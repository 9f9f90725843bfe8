package output

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/purge"
)

// Places lists where a text stands.
func Places(p *console.Printer, found *purge.Places) {
	if len(found.Places) == 0 {
		p.Printf("%s", p.Wrap(nothing(found)+" "+unseen(found), ""))
		return
	}
	p.Printf("It stands in %s of this clone:\n", console.Plural(len(found.Places), "place", "places"))
	for _, at := range found.Places {
		p.Printf("  %s\n", console.Cut(console.Pad(string(at.Kind), 10)+" "+strings.TrimSpace(at.Ref+" "+at.Path),
			p.Width-2))
	}
	if len(found.Refs) > 0 {
		p.Printf("%s", p.Wrap("In the history of "+strings.Join(found.Refs, ", "), "  "))
	}
}

// Purged says what was done about it, and what is left to a person.
func Purged(p *console.Printer, found *purge.Places) {
	if len(found.Places) == 0 {
		return
	}
	if len(found.Done) > 0 {
		p.Printf("Removed here: %s.\n", console.Plural(len(found.Done), "place", "places"))
	}
	p.Printf("\n%s\n", console.Bold("What is left to you, in this order:"))
	for _, s := range found.Commands() {
		item(p, s.What)
		for _, c := range s.Commands {
			p.Printf("      %s\n", c)
		}
	}
	p.Printf("\n%s\n", console.Bold("What cannot be undone:"))
	for _, s := range purge.Beyond() {
		item(p, s)
	}
	p.Printf("\n%s", p.Wrap(unseen(found), ""))
}

// Personal lists what a clone holds of people.
func Personal(p *console.Printer, found []purge.Personal) {
	if len(found) == 0 {
		p.Printf("%s", p.Wrap("No memory, note, session record or log of this clone holds personal data "+
			"that is known by its looks.", ""))
	}
	for _, at := range found {
		kinds := lists.Map(slices.Sorted(maps.Keys(at.Found)), func(kind string) string {
			return fmt.Sprintf("%d %s", at.Found[kind], kind)
		})
		p.Printf("%s\n", console.Cut(console.Pad(string(at.Kind), 10)+at.Path, p.Width))
		p.Printf("%s\n", console.Dim("          "+strings.Join(kinds, ", ")+": "+at.Purge))
	}
	p.Printf("\n%s",
		p.Wrap("Names are those of the newest commits' authors and those that begin with a usual given name. "+
			"Not looked at: histories (cortex purge TEXT looks there for one text) and the transcripts of your "+
			"agents, of which cortex keeps no copy. Besides purge: cortex edit and cortex forget change and remove a "+
			"memory, and cortex gc removes what is older than retain in .cortex/config.yaml says.", ""))
}

// nothing says where the text was looked for and is not.
func nothing(found *purge.Places) string {
	words := "Nothing in this clone holds it: no object of git, no name of a file or a ref, no log, and no file of " +
		"cortex."
	for _, name := range found.Proved {
		words += " Nor does a new copy of " + name + "."
	}
	return words
}

func unseen(found *purge.Places) string {
	words := "Not looked at: " + strings.Join(found.Unseen, "; ")
	if len(found.Proved) == 0 {
		words += "; what remotes have now (--remote looks)"
	}
	return words + "."
}

// item prints one of a list, its later lines below the first.
func item(p *console.Printer, words string) {
	const margin = "    "
	p.Printf("  - %s", strings.TrimPrefix(p.Wrap(words, margin), margin))
}
