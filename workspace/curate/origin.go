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

// origin is the weakest of the passages that a claim has its words from; what it inherits
// makes it no surer. Passages of the agent alone establish none: nobody has looked whether
// those words were its own, as was done for a candidate. That a call failed, and with which
// error, is what happened, and comes from nobody.
func (c *claim) origin() string {
	if c.isFromOutside() {
		return memory.OriginOutside
	}
	byAgent := func(p Passage) bool { return !isOutside(&p) && !isByPerson(&p) }
	switch {
	case !slices.ContainsFunc(c.passages, byAgent):
		return memory.OriginPerson
	case len(c.ids()) == 0:
		return ""
	}
	return memory.OriginAgent
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
// elsewhere that it cites, rather than from others.
func (c *claim) isFromOutside() bool {
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
	for _, x := range c.from {
		own = append(own, x.Title+"\n"+x.Text)
	}
	here, there := sameness.Signature("", strings.Join(own, "\n")), sameness.Signature("", strings.Join(outside, "\n"))
	return slices.ContainsFunc(prose.Sentences(c.said()), func(sentence string) bool {
		words := sameness.Signature("", quotations().ReplaceAllString(sentence, " "))
		elsewhere := sameness.Shared(words, there)
		return len(words) > 0 && float64(elsewhere) >= fromOutside*float64(len(words)) &&
			elsewhere > sameness.Shared(words, here)
	})
}

// quotations matches what a sentence quotes, such as an error.
var quotations = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`[^`]*`|\"[^\"]*\"|“[^”]*”") })
