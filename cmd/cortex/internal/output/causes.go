package output

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/explore"
)

// shownCommits is how many commits are named one by one.
const shownCommits = 5

// Causes prints the memories behind a place, as of now, each with the reasons for it.
func Causes(p *console.Printer, out *explore.Causes, now time.Time) {
	p.Evidence(func() {
		p.Printf("%s\n", console.Bold(p.Path(placeText(out.Place), p.Width)))
		for i, c := range out.Commits {
			if i == shownCommits {
				p.Printf("  %s\n", console.Dim("and "+
					console.Plural(len(out.Commits)-i, "more commit", "more commits")))
				break
			}
			if c.Commit == "" {
				p.Printf("  %s\n", p.Cut("not committed yet"+linesText(c.Lines), p.Width-2))
				continue
			}
			p.Printf("  %s  %s  %s\n", console.Dim(c.Commit[:7]), console.Dim(c.Time[:10]),
				p.Cut(c.Title+linesText(c.Lines), p.Width-23))
		}
		printAround(p, out)
		untied := slices.IndexFunc(out.Causes, func(c explore.Cause) bool { return !c.Tied() })
		for i, c := range out.Causes {
			if i == untied {
				p.Printf("\n%s", console.Dim(p.Wrap(
					"tied to it by a commit or a session alone, perhaps about something else:", "")))
			}
			m := c.Entry.Memory
			p.Printf("\n%s  %s\n", console.Bold(m.ID.Short()), console.Bold(p.Cut(m.Quote(m.Title), p.Width-9)))
			p.Printf("%s", p.List(Facts(c.Entry, now), "         "))
			p.Printf("%s", p.Wrap(reasonsText(c.Reasons, out.Place.Path), "         "))
			if len(c.Removed) > 0 {
				p.Printf("%s", p.Wrap("removed: "+Removals(c.Removed), "         "))
			}
		}
	})
	if len(out.Causes) == 0 {
		text := "No memory of this view is behind it"
		if out.Unknown != "" {
			text += ", and " + out.Unknown
		}
		p.Printf("\n%s", p.Wrap(text+".", ""))
		p.Printf("%s\n", console.Dim(p.Cut("To look further: cortex search "+out.Place.Path, p.Width)))
	}
}

// Removals says what is gone that a memory relies on, and with which commits.
func Removals(removed []explore.Removal) string {
	return strings.Join(lists.Map(removed, explore.Removal.String), "; ")
}

// printAround prints what changed together with a place, and what sessions read in its folder.
func printAround(p *console.Printer, out *explore.Causes) {
	together := lists.Map(out.Together, func(c *explore.Coupled) string {
		return fmt.Sprintf("%s in %d of %d commits", c.Path, c.Commits, c.Of)
	})
	if len(together) > 0 {
		p.Printf("%s", p.Wrap("changed together with "+strings.Join(together, ", "), "  "))
	}
	if out.Map == nil {
		return
	}
	read := lists.Map(out.Map.Files, func(f *explore.MapFile) string {
		return fmt.Sprintf("%s (%d)", f.Path, f.Sessions)
	})
	p.Printf("%s", p.Wrap(fmt.Sprintf("%s that read in %s read, in this order: %s",
		console.Plural(out.Map.Sessions, "session", "sessions"), out.Map.Folder, strings.Join(read, ", ")), "  "))
}

func placeText(at explore.Place) string {
	switch {
	case at.First == 0:
		return at.Path
	case at.First == at.Last:
		return fmt.Sprintf("%s:%d", at.Path, at.First)
	}
	return fmt.Sprintf("%s:%d-%d", at.Path, at.First, at.Last)
}

// linesText words the lines that a commit wrote: the first few runs of them.
func linesText(lines [][2]int) string {
	var parts []string
	for i, l := range lines {
		if i == 3 {
			parts = append(parts, "…")
			break
		}
		text := fmt.Sprint(l[0])
		if l[1] > l[0] {
			text += fmt.Sprintf("-%d", l[1])
		}
		parts = append(parts, text)
	}
	switch {
	case len(parts) == 0:
		return ""
	case len(lines) == 1 && lines[0][0] == lines[0][1]:
		return " (line " + parts[0] + ")"
	}
	return " (lines " + strings.Join(parts, ", ") + ")"
}

// reasonsText words why a memory is behind path.
func reasonsText(reasons []explore.Reason, path string) string {
	return strings.Join(lists.Map(reasons, func(r explore.Reason) string {
		at := r.Commit[:min(len(r.Commit), 7)]
		if r.Kind == explore.Learned && at == "" {
			return "learned since the last commit"
		}
		return map[explore.ReasonKind]string{
			explore.CameWith: "came with " + at,
			explore.About:    "about " + map[bool]string{true: "this file", false: r.Path}[r.Path == path],
			explore.Learned:  "learned just before " + at + " was made",
			explore.After:    "learned after " + at,
			explore.Names:    "names " + r.Name,
			explore.Session:  "of the same session",
		}[r.Kind]
	}), "; ")
}
