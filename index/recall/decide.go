package recall

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// weights are how much what a part of a moment shares with a memory counts.
type weights struct {
	prompt, call, error, words float64
}

func weightsOf(k Kind) weights {
	switch k {
	case Prompt:
		return weights{prompt: 1}
	case Error:
		return weights{call: 1, error: 1, words: 0.3}
	}
	return weights{call: 1, words: 0.5, prompt: 0.2}
}

const (
	leastKnown  = 100 // memories that a table counts as having at least: among few, no word is rare
	lengthBase  = 20  // terms that are added to the length of a memory
	lengthScale = 8.0
)

// triggerWeight is how much a trigger counts that a moment and a memory have.
func triggerWeight(kind string) float64 {
	switch kind {
	case "error":
		return 8
	case "command":
		return 3
	}
	return 1
}

// Threshold is the score from which a memory is worth saying at a moment. Those of
// prompts and calls were measured on two chains of sessions, and are the higher of the
// two values (docs/design/0011-one-scorer-for-all-moments.md).
func Threshold(k Kind) float64 {
	switch k {
	case Prompt:
		return 2
	case Error:
		return 5
	}
	return 5.6
}

// Limit is how many memories are said at a moment.
func Limit(k Kind) int {
	switch k {
	case Prompt:
		return 3
	}
	return 1
}

// near is the share of the best score that others have to reach to be said beside
// it.
const near = 0.7

// priors returns corrections of a score that do not come from shared words; each
// weight is a fraction of the score, to be added to it. Before a call only memories of
// exactly this call are wanted, which are those with a trigger of it; others that share
// words with it are mostly about the same work, and lose half their score.
func priors(m *Moment, triggered bool) []Reason {
	if m.Kind != Command && m.Kind != File || triggered {
		return nil
	}
	return []Reason{{"type", "no recipe of this call", -0.5}}
}

// decide says which hits are worth saying, and puts those in a line.
func decide(k Kind, hits []Hit, opt Options) []Hit {
	limit := Limit(k)
	if opt.Limit > 0 {
		limit = opt.Limit
	}
	said := 0
	out := hits[:0]
	for i := range hits {
		h := &hits[i]
		h.Threshold = Threshold(k)
		switch {
		case h.Score < h.Threshold || h.Score < near*hits[0].Score:
			h.Left = LeftWeak
		case h.session != "" && (h.session == opt.Session || strings.HasPrefix(h.session, opt.Session+"/")):
			h.Left = LeftSession
		case opt.Given != nil && opt.Given(h.ID):
			h.Left = LeftGiven
		case h.Archived && !(h.explains && said == 0):
			h.Left = LeftArchived
		case said == limit:
			h.Left = LeftLimit
		default:
			h.Speaks = true
			said++
		}
		if !h.Speaks && !opt.All {
			continue
		}
		if opt.Again != nil && opt.Again(h.ID) {
			h.Line = cutLine(h.Said[0], shortSize)
			out = append(out, h.own())
			continue
		}
		h.Line = lineOf(h.Said, lineSize)
		out = append(out, h.own())
	}
	return out
}

// own is h with texts of its own: those of a table end with it.
func (h *Hit) own() Hit {
	out := *h
	out.ID, out.Type, out.Line = memory.ID(strings.Clone(string(h.ID))), memory.Type(strings.Clone(string(h.Type))), strings.Clone(h.Line)
	for _, list := range []*[]string{&out.Said, &out.Files, &out.Triggers} {
		own := make([]string, len(*list))
		for i, s := range *list {
			own[i] = strings.Clone(s)
		}
		*list = own
	}
	out.Why = slices.Clone(h.Why)
	for i := range out.Why {
		out.Why[i].Text = strings.Clone(out.Why[i].Text)
	}
	return out
}
