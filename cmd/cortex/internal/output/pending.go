package output

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/review"
)

// Pending prints items under their headings, each with what is to be said of it in a line of its own.
func Pending(p *console.Printer, items []review.Item, limit int) {
	if len(items) == 0 {
		p.Printf("Nothing to review.\n")
		return
	}
	sizes := map[string]int{}
	for _, r := range items {
		sizes[r.Group]++
	}
	shown, many := lists.First(items, limit), len(sizes) > 1
	p.Evidence(func() {
		for _, r := range shown {
			if n := sizes[r.Group]; many && n > 0 {
				sizes[r.Group] = 0 // its heading is said
				head := "── " + console.Plural(n, "memory", "memories") + " · " + r.Group
				p.Printf("%s\n", console.Dim(console.Cut(head, p.Width)))
			}
			mark := console.Warn("? ")
			if r.Lands {
				mark = console.Good("+ ")
			}
			p.Printf("%s%s  %.2f  %s  %s\n", mark, console.Bold(r.Memory.ID.Short()), r.Memory.Confidence,
				console.Pad(string(r.Memory.Type), 12),
				strings.Join(console.FoldLines(titleOf(&r), p.Width-31), "\n"+strings.Repeat(" ", 31)))
			said := console.Wrap(strings.Join(notesOf(r), "; "), p.Width, strings.Repeat(" ", 17))
			p.Printf("%s\n", console.Dim(strings.TrimRight(said, "\n")))
		}
	})
	p.Printf("%s\n", console.Dim("+ lands with your next commit  ? lands if you say so: cortex review --accept ID"))
	if more := len(items) - len(shown); more > 0 {
		p.Printf("%s\n", console.Dim(strings.Join(console.FoldLines(fmt.Sprintf("and %d more: %s", more,
			breakdown(items[len(shown):])), p.Width), "\n")))
	}
}

// breakdown counts items by type and layer, for choosing a filter.
func breakdown(items []review.Item) string {
	counts := map[string]int{}
	for _, r := range items {
		counts["type:"+string(r.Memory.Type)]++
		if r.Memory.Source.Layer != "" {
			counts["layer:"+r.Memory.Source.Layer]++
		}
	}
	names := slices.Collect(maps.Keys(counts))
	lists.Sort(names, func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	var out []string
	for _, n := range names[:min(len(names), 8)] {
		out = append(out, fmt.Sprintf("%d %s", counts[n], n))
	}
	return strings.Join(out, ", ")
}

// notesOf are the short forms of what a card says in rows.
func notesOf(r review.Item) []string {
	notes := append([]string{r.Why}, learnedElsewhere(&r)...)
	if record := Record(r.Shown, r.Used); record != "" {
		notes = append(notes, record)
	}
	for _, d := range r.Duplicates[:min(1, len(r.Duplicates))] {
		notes = append(notes, fmt.Sprintf("%.0f %% like %s", 100*d.Alike, d.ID.Short()))
	}
	naming := func(says string, all []review.Counterpart) {
		notes = append(notes, lists.Map(all, func(o review.Counterpart) string { return says + o.ID.Short() })...)
	}
	naming("supersedes ", r.Replaces)
	naming("contradicts ", r.Contradict)
	if r.Memory.Outside() && strings.Contains(r.Why, r.Memory.ReadIn()) {
		return notes // which say so
	}
	return append(notes, r.Origin)
}

// learnedElsewhere says on which branch a memory was learned that waits for another; nil where its reason for waiting
// says so.
func learnedElsewhere(r *review.Item) []string {
	from := r.Memory.Source.Branch
	said := "learned on " + from
	if from == "" || from == r.Branch || strings.Contains(r.Why, said) {
		return nil
	}
	return []string{said}
}

// titleOf is the title of a memory, in quotation marks if nobody here said it: what it is
// quoted from stands in its notes.
func titleOf(r *review.Item) string {
	if r.Memory.Outside() {
		return `"` + r.Memory.Title + `"`
	}
	return r.Memory.Title
}
