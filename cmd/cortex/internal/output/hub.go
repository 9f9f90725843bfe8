package output

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace"
)

// FromHub shows what a hub told, and, unless quiet, what was looked through.
func FromHub(p *console.Printer, told client.Told, now time.Time, quiet bool) {
	switch a := told.(type) {
	case *client.Answer:
		foundByHub(p, a, now, quiet)
	case *client.Met:
		metByOthers(p, a, now, quiet)
	case *client.Result:
		printResults(p, []*client.Result{a}, now)
	}
}

// printResults shows memories, one below the other.
func printResults(p *console.Printer, results []*client.Result, now time.Time) {
	p.Evidence(func() {
		for i := range results {
			if i > 0 {
				p.Printf("\n")
			}
			printFromHub(p, results[i], now)
		}
	})
}

// foundByHub shows what a search found: each memory with the repositories that hold it.
func foundByHub(p *console.Printer, a *client.Answer, now time.Time, quiet bool) {
	printUnderstood(p, understood{a.Filters, a.Notes, a.Hints})
	if len(a.Filters)+len(a.Hints) > 0 && len(a.Results) > 0 {
		p.Printf("\n")
	}
	in := console.Plural(a.Memories, "memory", "memories") + " of " +
		console.Plural(a.Repositories, "repository", "repositories")
	printResults(p, a.Results, now)
	if len(a.Results) == 0 {
		p.Printf("%s", p.Wrap(fmt.Sprintf("Nothing found for %q in %s.", a.Query, in), ""))
		p.Printf("%s", p.Wrap("Try fewer or other words. A repository counts whose memories you may read there.", ""))
		return
	}
	if quiet {
		return
	}
	text := fmt.Sprintf("%d of %s in %s", len(a.Results), console.Plural(a.Total, "match", "matches"), in)
	p.Printf("\n%s", console.Dim(p.Wrap(text+", "+Milliseconds(a.TookMS), "")))
	if len(a.Stale) > 0 {
		p.Printf("%s", console.Dim(p.Wrap("may have moved since: "+strings.Join(a.Stale, ", "), "")))
	}
}

// metByOthers shows what others know of an error, and how many met it.
func metByOthers(p *console.Printer, m *client.Met, now time.Time, quiet bool) {
	printUnderstood(p, understood{hints: m.Hints})
	printResults(p, m.Results, now)
	in := "of " + console.Plural(m.Repositories, "repository", "repositories") + " that you may read met this error"
	switch {
	case len(m.Results) == 0:
		p.Printf("%s", p.Wrap(fmt.Sprintf("%d %s: %s.", m.MetIn, in, strings.Join(m.Signatures, "; ")), ""))
		if len(m.Similar) == 0 {
			p.Printf("%s", p.Wrap("To look for its words: cortex search --hub WORDS", ""))
			return
		}
	case !quiet:
		p.Printf("\n%s", console.Dim(p.Wrap(fmt.Sprintf("%d %s, %s", m.MetIn, in, Milliseconds(m.TookMS)), "")))
	}
	if len(m.Similar) > 0 {
		p.Printf("\nNot the same error, but most of its words:\n\n")
		printResults(p, m.Similar, now)
	}
}

// printFromHub shows one memory, and where it stands; with its text if the hub sent that.
func printFromHub(p *console.Printer, r *client.Result, now time.Time) {
	places := make([]string, len(r.Places))
	for i, place := range r.Places {
		places[i] = place.Repository + ": " + place.Path
	}
	snippet := index.Snippet{Text: r.Snippet}
	for _, m := range r.Marks {
		snippet.Marks = append(snippet.Marks, index.Span{Start: m.Start, End: m.End})
	}
	entry := workspace.Entry{
		Item: index.Item{
			Stage: index.Landed, Status: r.Status, Effective: r.Effective,
			Path: strings.Join(places[:min(1, len(places))], ""),
		},
		Memory: r.Memory(),
	}
	printFound(p, workspace.Found{Entry: entry, Snippet: snippet}, now)
	const margin = "         "
	if r.Text != "" {
		p.Printf("\n%s\n", p.Wrap(r.Text, margin+quoteMargin(entry.Memory)))
	}
	for _, place := range places[min(1, len(places)):] {
		p.Printf("%s%s\n", margin, console.Dim(p.Path(place, p.Width-len(margin))))
	}
	if len(r.Flags) > 0 {
		p.Printf("%s", p.WrapText(console.Warn("read with care: "+strings.Join(r.Flags, ", ")), console.Plain(margin)))
	}
}

// HubIsDown reports whether an error is that of a hub that cannot answer now, and says so in a line. Any other error is
// one of the question, or of who asks it.
func HubIsDown(p *console.Printer, err error) bool {
	if !errors.Is(err, client.ErrUnreachable) && !errors.Is(err, client.ErrUnavailable) {
		return false
	}
	p.Printf("cortex: %s; this is from this clone alone\n", err)
	return true
}
