package curate

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// originOf is the weakest of what a claim has its words from: the passages that it cites, and the
// memories that it stands for. One from elsewhere whose words it does not take makes it no weaker,
// and no surer. Passages of the agent alone establish none: nobody has looked whether
// those words were its own, as was done for a candidate. That a call failed, and with which
// error, is what happened, and comes from nobody.
func (c *claim) originOf(stoodFor []*memory.Memory) string {
	var own, outside []string
	origin := memory.OriginPerson
	for _, m := range stoodFor {
		if m.Outside() {
			outside = append(outside, m.Title+"\n"+m.Text)
			continue
		}
		own = append(own, m.Title+"\n"+m.Text)
		origin = memory.WeakestOrigin(origin, m.Source.Claimed())
	}
	byAgent := func(p Passage) bool { return !isOutside(&p) && !isByPerson(&p) }
	switch {
	case c.isFromOutside(own, outside):
		return memory.OriginOutside
	case !slices.ContainsFunc(c.passages, byAgent):
		return origin
	case len(own) == 0:
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
// of a text that has them.
const fromOutside = 0.6

// isFromOutside reports whether a sentence of a claim has its words from texts of elsewhere, which
// it cites or stands for, rather than from others. What a passage of the session repeats of such a
// text is not its own.
func (c *claim) isFromOutside(own, outside []string) bool {
	repeated := signatures(outside)
	var said []string // in the session, of its own
	for i := range c.passages {
		p := &c.passages[i]
		if isOutside(p) {
			outside = append(outside, p.Text)
			continue
		}
		said = append(said, lists.Without(prose.Sentences(p.Text), func(s string) bool {
			return isMostlyOf(sameness.Signature("", s), repeated)
		})...)
	}
	if len(outside) == 0 || len(said) == 0 {
		return len(outside) > 0
	}
	here := sameness.Signature("", strings.Join(slices.Concat(own, said), "\n"))
	there := sameness.Signature("", strings.Join(outside, "\n"))
	return slices.ContainsFunc(prose.Sentences(c.said()), func(sentence string) bool {
		words := sameness.Signature("", quotations().ReplaceAllString(sentence, " "))
		return isMostlyOf(words, [][]uint32{there}) && sameness.Shared(words, there) > sameness.Shared(words, here)
	})
}

// isMostlyOf reports whether a text has most of its words from one of others.
func isMostlyOf(words []uint32, others [][]uint32) bool {
	return slices.ContainsFunc(others, func(o []uint32) bool { return sameness.Inside(words, o) >= fromOutside })
}

// signatures are the words of each text.
func signatures(texts []string) [][]uint32 {
	return lists.Map(texts, func(t string) []uint32 { return sameness.Signature("", t) })
}

// leaves reports whether a memory in a person's own words stays beside a claim that was to stand for
// it: the claim does not say most of it.
func (c *claim) leaves(m *memory.Memory) bool {
	byPerson := m.Type == memory.Preference && m.Source.Claimed() == memory.OriginPerson
	return byPerson && sameness.Inside(sameness.Signature(m.Title, m.Text), sameness.Signature(c.said())) < fromOutside
}

// quotations matches what a sentence quotes, such as an error.
var quotations = lazy.Pattern("`[^`]*`|\"[^\"]*\"|“[^”]*”")
