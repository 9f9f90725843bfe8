package output

import (
	"fmt"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/agents"
)

// Captured says what was made of a transcript, and in a dry run of each candidate.
func Captured(p *console.Printer, out *agents.Captured, dry bool) {
	p.Printf("%s session %s, %s\n", out.Session.Agent, console.Bold(out.Session.ID),
		console.Plural(out.Turns, "turn", "turns"))
	if k := out.Session.Skipped; k.Any() {
		said := fmt.Sprintf("skipped: %s, %s",
			console.Plural(k.Broken+k.TooLong, "line that cannot be read", "lines that cannot be read"),
			console.Plural(k.Records(), "record of a type that cortex does not know",
				"records of types that cortex does not know"))
		if types := k.Types(6); types != "" {
			said += " (" + types + ")"
		}
		p.Printf("%s", p.WrapText(console.Plain(said), console.Join(console.Warn("!"), console.Plain(" "))))
	}
	if dry {
		printCandidates(p, out)
		return
	}
	p.Evidence(func() {
		for _, m := range out.Added {
			p.Printf("%s %s  %s  %s\n", console.Good("+"), console.Bold(m.ID.Short()), console.Pad(string(m.Type), 12),
				console.Cut(m.Title, p.Width-26))
		}
	})
	if out.Gone > 0 {
		p.Printf("%s %s withdrawn by the session\n", console.Warn("-"),
			console.Plural(out.Gone, "pending memory", "pending memories"))
	}
	said := "Nothing new to keep."
	if n := len(out.Added); n > 0 {
		said = console.Plural(n, "memory is", "memories are") +
			" pending; those that are sure enough land with your next commit."
	}
	if n := len(out.Session.Notes); n > 0 {
		said += " The session has " + console.Plural(n, "note", "notes") + "."
	}
	p.Printf("%s", p.Wrap(said, ""))
}

func printCandidates(p *console.Printer, out *agents.Captured) {
	counts := map[capture.Disposition]int{}
	p.Evidence(func() {
		for _, c := range out.Candidates {
			counts[c.Disposition]++
			as := console.Good
			if c.Disposition != capture.Kept {
				as = console.Dim
			}
			p.Printf("%s %s  %s\n", as(console.Pad(string(c.Disposition), 10)), console.Pad(string(c.Memory.Type), 12),
				console.Cut(c.Memory.Title, p.Width-25))
			why := fmt.Sprintf("%s %.2f, record %d", c.Layer, c.Confidence, c.Record)
			if c.Cue != "" {
				why += ", " + c.Cue
			}
			if c.Reason != "" {
				why += ": " + c.Reason
			}
			for _, l := range c.Memory.Links {
				why += fmt.Sprintf("; %s %s", l.Rel, l.To.Short())
			}
			p.Printf("%s", console.Dim(console.Wrap(why, p.Width, "           ")))
		}
	})
	p.Printf("\n%s", console.Wrap(fmt.Sprintf("%s would be kept, %s in the session record, %d are too weak, %d are "+
		"duplicates, %d were withdrawn.",
		console.Plural(counts[capture.Kept], "memory", "memories"), console.Plural(counts[capture.Noted], "note stays",
			"notes stay"),
		counts[capture.InSession], counts[capture.Duplicate], counts[capture.Withdrawn]), p.Width, ""))
}

// Backfilled says what was read of past sessions.
func Backfilled(p *console.Printer, out agents.Backfilled, took time.Duration) {
	if out.Files == 0 {
		p.Printf("No past sessions of this repository were found.\n%s\n",
			console.Dim("Of other agents: cortex backfill --all; of other places: cortex backfill FOLDER"))
		return
	}
	printRead(p, out.Files, out.Bytes, took)
	said := "Nothing new to keep."
	if out.Added+out.Notes > 0 {
		said = console.Plural(out.Added, "new memory", "new memories") + " from " +
			console.Plural(out.Sessions, "session", "sessions") + ", and " +
			console.Plural(out.Notes, "new note", "new notes") +
			" that only a search finds (cortex search --notes WORDS). What lands with your next commit, and what " +
			"waits for you: cortex review --list"
	}
	p.Printf("%s", p.Wrap(said, ""))
	printSkipped(p, out.Skipped)
}

// printRead says how many transcripts were read, and how long that took.
func printRead(p *console.Printer, files int, bytes int64, took time.Duration) {
	p.Printf("Read %s (%.1f MB) in %s.\n", console.Plural(files, "session", "sessions"), float64(bytes)/1e6,
		took.Round(10*time.Millisecond))
}

// printSkipped names some of the transcripts that could not be read, each with the reason.
func printSkipped(p *console.Printer, skipped []string) {
	for i, s := range skipped {
		if i == 5 {
			p.Printf("%s and %d more\n", console.Warn("!"), len(skipped)-i)
			break
		}
		p.Printf("%s %s\n", console.Warn("!"), s)
	}
}
