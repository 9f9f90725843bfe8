package output

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Bounds of what a search tells an agent: at most 400 tokens.
const (
	FewHits    = 5
	fewTitle   = 120 // bytes of a title
	fewSnippet = 130 // bytes of the sentence that matches
)

// Answered shows what a search found: memories, and below them what session records hold. Few says
// to show the best alone.
func Answered(p *console.Printer, found *workspace.Answer, opt workspace.SearchOptions, few bool, now time.Time,
	quiet bool,
) {
	if few && len(found.Results) > 0 {
		Few(p, found)
		return
	}
	if !opt.Notes {
		Hits(p, found, now, quiet, opt.Sessions)
	}
	if showsSessions(found, opt) {
		Sessions(p, found.Sessions)
	}
}

// showsSessions reports whether session records were searched too.
func showsSessions(found *workspace.Answer, opt workspace.SearchOptions) bool {
	return opt.Notes || opt.Sessions || found.Sessions != nil
}

// Few shows the best matches of an answer in the few tokens that an agent has for them: the id, what
// makes it doubtful, the title and the sentence that matches. There must be one.
func Few(p *console.Printer, answer *workspace.Answer) {
	for _, key := range slices.Sorted(maps.Keys(answer.Filters)) {
		p.Printf("filter %s: %s\n", key, memory.Cut(strings.Join(answer.Filters[key], " or "), fewTitle))
	}
	for _, h := range answer.Hints {
		p.Printf("? %s\n", memory.Cut(h, fewTitle))
	}
	shown := answer.Results[:min(len(answer.Results), FewHits)]
	matches := 0
	p.Evidence(func() {
		for _, f := range shown {
			if !f.Linked {
				matches++
			}
			m := f.Entry.Memory
			p.Printf("%s %s%s: %s\n", m.ID.Short(), doubt(&f.Entry), m.Type, m.Quote(memory.Cut(m.Title, fewTitle)))
			said := strings.Join(strings.Fields(f.Snippet.Text), " ")
			if said != "" && !strings.HasPrefix(m.Title, said) {
				p.Printf("  %s\n", m.Quote(memory.Cut(said, fewSnippet)))
			}
		}
	})
	if len(answer.Sessions) > 0 {
		p.Printf("Of what sessions said and nobody stands behind, %s: --notes\n",
			console.Plural(len(answer.Sessions), "passage matches", "passages match"))
	}
	p.Printf("%d of %s. In full: cortex show ID ...\n", matches, console.Plural(answer.Total, "match", "matches"))
}

// doubt says first what speaks against a memory; "" for nothing.
func doubt(e *workspace.Entry) string {
	switch {
	case e.Status != memory.StatusActive:
		return "[" + strings.ToUpper(string(e.Status)) + "] "
	case e.Stale:
		return "[CODE CHANGED] "
	}
	return ""
}
