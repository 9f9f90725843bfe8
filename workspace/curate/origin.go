package curate

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// originOf is the weakest of the passages that a claim has its words from, and of the memories that
// it stands for, whatever it has of their words: one from elsewhere could be said in others.
// Passages of the agent alone establish none: nobody has looked whether those words were its own,
// as was done for a candidate. That a call failed, and with which error, is what happened, and
// comes from nobody.
func (c *claim) originOf(stoodFor []*memory.Memory) string {
	origin := memory.OriginPerson
	var said []string
	for _, m := range stoodFor {
		origin = memory.WeakestOrigin(origin, m.Source.Claimed())
		said = append(said, m.Title+"\n"+m.Text)
	}
	byAgent := func(p Passage) bool { return !isOutside(&p) && !isByPerson(&p) }
	switch {
	case c.isFromOutside(said):
		return memory.OriginOutside
	case !slices.ContainsFunc(c.passages, byAgent):
		return origin
	case len(stoodFor) == 0:
		return ""
	}
	return memory.WeakestOrigin(origin, memory.OriginAgent)
}

// isOutside reports whether the words of a passage came from elsewhere: out of a tool, a
// subagent that may have read anything, or a summary of both.
func isOutside(p *Passage) bool {
	return slices.Contains([]string{capture.SaidReport, capture.SaidSummary, capture.SaidFailure}, p.Kind)
}

// isByPerson reports whether a person said a passage.
func isByPerson(p *Passage) bool {
	return slices.Contains([]string{capture.SaidByUser, capture.SaidAnswer, capture.SaidRefusal}, p.Kind)
}

// fromOutside is the share of a sentence's words from which on they are taken to be those
// of a passage that has them.
const fromOutside = 0.6

// isFromOutside reports whether a sentence of a claim has its words from passages of
// elsewhere that it cites, rather than from others or from what it stands for.
func (c *claim) isFromOutside(stoodFor []string) bool {
	var own, outside []string
	for i := range c.passages {
		if p := &c.passages[i]; isOutside(p) {
			outside = append(outside, p.Text)
		} else {
			own = append(own, p.Text)
		}
	}
	if len(outside) == 0 || len(own) == 0 {
		return len(outside) > 0
	}
	here := sameness.Signature("", strings.Join(slices.Concat(own, stoodFor), "\n"))
	there := sameness.Signature("", strings.Join(outside, "\n"))
	return slices.ContainsFunc(prose.Sentences(c.said()), func(sentence string) bool {
		words := sameness.Signature("", quotations().ReplaceAllString(sentence, " "))
		return sameness.Inside(words, there) >= fromOutside && sameness.Shared(words, there) > sameness.Shared(words, here)
	})
}

// leaves reports whether a memory in a person's own words stays beside a claim that was to stand for
// it: the claim does not say most of it.
func (c *claim) leaves(m *memory.Memory) bool {
	byPerson := m.Type == memory.Preference && m.Source.Claimed() == memory.OriginPerson
	return byPerson && sameness.Inside(sameness.Signature(m.Title, m.Text), sameness.Signature(c.said())) < fromOutside
}

// quotations matches what a sentence quotes, such as an error.
var quotations = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`[^`]*`|\"[^\"]*\"|“[^”]*”") })
