package output

import (
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
)

// triedShown is how many memories of a trial are listed.
const triedShown = 12

// Tried says what past sessions would have left, and what the next session would be told.
func Tried(p *console.Printer, out answer.Tried) {
	if out.Files == 0 {
		p.Printf("No past sessions of this repository were found in ~/.claude, ~/.codex, ~/.copilot,\n"+
			"~/.gemini or ~/.cursor.\n%s\n", console.Dim("To read transcripts that are elsewhere: cortex try FOLDER"))
		return
	}
	printRead(p, out.Files, out.Bytes, time.Duration(out.TookMS*float64(time.Millisecond)))
	printSkipped(p, out.Skipped)
	p.Printf("%s\n", console.Dim("In a throwaway clone, which is gone: nothing in this repository has changed."))
	p.Printf("\n%s", console.Bold("It would have kept "+console.Plural(len(out.Memories), "memory", "memories")))
	if out.Notes > 0 {
		p.Printf(", and %s that only a search finds", console.Plural(out.Notes, "note", "notes"))
	}
	p.Printf("\n")
	p.Evidence(func() {
		for _, entry := range out.Memories[:min(triedShown, len(out.Memories))] {
			m := entry.Memory
			p.Printf("  %s  %s %s\n", console.Dim(m.Created.Format("2006-01-02")), console.Pad(string(m.Type), 12),
				p.Cut(m.Quote(m.Title), p.Width-27))
		}
		for _, title := range out.Examples {
			p.Printf("  %s %s\n", console.Dim(console.Pad("a note", 24)), p.Cut(title, p.Width-27))
		}
	})
	if more := len(out.Memories) - triedShown; more > 0 {
		p.Printf("  %s\n", console.Dim("and "+console.Plural(more, "more", "more")+"; all of them: cortex try --json"))
	}
	p.Printf("\n%s\n",
		console.Bold("The next session would be told, in "+console.Plural(out.Brief.Tokens, "token", "tokens")))
	words := strings.TrimSuffix(strings.TrimSpace(out.Brief.Text), memory.BriefingClose)
	p.Framed(p.Wrap(strings.TrimSpace(strings.TrimPrefix(words, memory.BriefingOpen)), "  "))
	p.Printf("\n%s%s\n",
		p.Wrap("A later prompt or call is told of a memory where one is about it; cortex brief prints more. "+
			"Capture reads what is new after each answer of the agent; no model and no network is used.", ""),
		console.Dim("To keep them: cortex init, if it is not set up yet, then cortex backfill"))
}
