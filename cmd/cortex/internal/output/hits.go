package output

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Hits shows an answer: what was understood, the matches with why they are there, what
// they are linked to, and, unless quiet, the state it is all from. Sessions says that session records
// were searched as well.
func Hits(p *console.Printer, answer *workspace.Answer, now time.Time, quiet, sessions bool) {
	printUnderstood(p, understood{answer.Filters, answer.Notes, answer.Hints})
	if len(answer.Filters)+len(answer.Hints) > 0 && len(answer.Results) > 0 {
		p.Printf("\n")
	}
	matches := len(lists.Without(answer.Results, func(f workspace.Found) bool { return f.Linked }))
	p.Evidence(func() {
		for i, f := range answer.Results {
			if i > 0 {
				p.Printf("\n")
			}
			printFound(p, f, now)
		}
	})
	if len(answer.Results) == 0 {
		printNothing(p, answer, sessions)
		return
	}
	if !quiet {
		text := fmt.Sprintf("%d of %s", matches, console.Plural(answer.Total, "match", "matches"))
		if more := len(answer.Results) - matches; more > 0 {
			text += fmt.Sprintf(" and %d linked to them", more)
		}
		text += " in " + countText(answer.View)
		if answer.View.Branch != "" {
			text += " on " + answer.View.Branch
		}
		p.Printf("\n%s", console.Dim(p.Wrap(text+", "+Milliseconds(answer.TookMS), "")))
	}
}

// understood holds how a query was read.
type understood struct {
	filters      map[string][]string
	notes, hints []string
}

// printUnderstood shows how a query was read.
func printUnderstood(p *console.Printer, u understood) {
	for _, key := range slices.Sorted(maps.Keys(u.filters)) {
		p.Printf("%s", console.Dim(p.Wrap("filter "+key+": "+strings.Join(u.filters[key], " or "), "")))
	}
	for _, n := range u.notes {
		p.Printf("%s", p.WrapText(console.Plain(n), console.Dim("~ ")))
	}
	for _, h := range u.hints {
		p.Printf("%s", p.WrapText(console.Plain(h), console.Warn("? ")))
	}
}

// printFound shows one memory; what was not matched itself stands further in,
// behind what led to it.
func printFound(p *console.Printer, f workspace.Found, now time.Time) {
	m := f.Entry.Memory
	indent := ""
	if f.Linked {
		indent = "    "
	}
	if f.Via != "" {
		p.Printf("%s%s\n", indent, console.Warn(p.Cut(f.Via, p.Width-len(indent))))
	}
	margin := indent + "         "
	p.Printf("%s%s  %s\n", indent, console.Bold(m.ID.Short()),
		console.Bold(p.Cut(m.Quote(m.Title), p.Width-len(margin))))
	p.Printf("%s", p.List(Facts(f.Entry, now), margin))
	shown := Highlighted(f.Snippet)
	if m.Outside() {
		shown = console.Plain(m.Quote(f.Snippet.Text))
	}
	if strings.TrimSpace(f.Snippet.Text) != "" && f.Snippet.Text != m.Title {
		p.Printf("%s", p.WrapText(shown, console.Plain(margin)))
	}
	p.Printf("%s%s\n", margin, console.Dim(p.Path(f.Entry.Path, p.Width-len(margin))))
	if len(f.Twins) > 0 {
		ids := lists.Map(f.Twins, memory.ID.Short)
		p.Printf("%s", console.Dim(p.Wrap("the same is in "+strings.Join(ids, ", "), margin)))
	}
	if f.Why != nil {
		printWhy(p, f.Why, f.Score, margin)
	}
}

// printWhy shows what a score is made of, the largest parts first.
func printWhy(p *console.Printer, why *index.Explanation, score float64, margin string) {
	type part struct {
		score float64
		text  string
	}
	var parts []part
	for _, t := range why.Terms {
		parts = append(parts,
			part{t.Score, fmt.Sprintf("%s %s, %d× here, in %s", console.Pad(t.Field, 5), t.Term, t.Freq,
				console.Plural(t.Docs, "memory", "memories"))})
	}
	for _, t := range why.Pairs {
		parts = append(parts,
			part{t.Score, fmt.Sprintf("%s %s %s, %d× side by side", console.Pad("pair", 5), t.Words[0], t.Words[1],
				t.Freq)})
	}
	lists.Sort(parts, func(x, y part) int { return cmp.Compare(y.score, x.score) })
	label, words := "score", score
	if f := why.Fusion; f != nil {
		label, words = "words", f.Words.Value
		p.Printf("%s", p.Wrap(fmt.Sprintf("score %.3f = %.2f × words %.3f + %.2f × meaning %.3f", score, 1-f.Alpha,
			f.Words.Share, f.Alpha, f.Meaning.Share), margin))
		p.Printf("%s", console.Dim(p.Wrap(shareText("words", f.Words)+"; "+shareText("meaning", f.Meaning), margin)))
	}
	p.Printf("%s", p.Wrap(fmt.Sprintf("%s %.2f = terms %.2f × rank %.3f × asked for %.2f × named %.2f %s",
		label, words, why.Words, why.Prior, why.Lean, why.Name, strings.Join(why.Named, ", ")), margin))
	for _, part := range parts {
		p.Printf("%s%s\n", margin,
			console.Dim(p.Cut(fmt.Sprintf("%6.2f  %s", part.score, part.text), p.Width-len(margin))))
	}
}

// shareText says how the score of one list became a share of it.
func shareText(name string, l index.ListScore) string {
	return fmt.Sprintf("%s %.2f, between %.2f and %.2f in the list", name, l.Value, l.Least, l.Greatest)
}

// printNothing says that no memory was found, and what to try if nothing else was found either.
func printNothing(p *console.Printer, answer *workspace.Answer, sessions bool) {
	what := map[bool]string{true: "No memory", false: "Nothing"}[len(answer.Sessions) > 0]
	p.Printf("%s", p.Wrap(fmt.Sprintf("%s found for %q in %s.", what, answer.Query, countText(answer.View)), ""))
	var tips []string
	if in := answer.Instead; in != nil {
		if len(in.Words) > 0 {
			tips = append(tips, "Did you mean "+oneOf(in.Words)+"?")
		}
		if in.Unfiltered > 0 {
			tips = append(tips, fmt.Sprintf("Without the filters there %s.", matchText(in.Unfiltered)))
		}
		if in.OtherBranches > 0 {
			tips = append(tips, fmt.Sprintf("On other branches there %s: add --all-branches.",
				matchText(in.OtherBranches)))
		}
	}
	if len(tips)+len(answer.Sessions) == 0 {
		further := ", --all-branches, or --sessions to search what sessions were about."
		if sessions {
			further = " or --all-branches."
		}
		tips = append(tips, "Try fewer or other words"+further+" To list everything: cortex list")
	}
	for _, t := range tips {
		p.Printf("%s", p.Wrap(t, ""))
	}
}

// oneOf joins alternatives: "a, b or c".
func oneOf(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

func matchText(n int) string {
	if n == 1 {
		return "is 1 match"
	}
	return fmt.Sprintf("are %d matches", n)
}

// countText counts the memories of a view, and of which stages they are if
// they are not all landed.
func countText(v workspace.ViewShape) string {
	text := console.Plural(v.Landed+v.Pending+v.Global, "memory", "memories")
	if v.Pending+v.Global == 0 {
		return text
	}
	var parts []string
	for _, part := range []struct {
		n     int
		stage string
	}{{v.Landed, "landed"}, {v.Pending, "pending"}, {v.Global, "global"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.stage))
		}
	}
	return text + " (" + strings.Join(parts, ", ") + ")"
}
