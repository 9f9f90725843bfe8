package recall

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// weights are how much what a part of a moment shares with a memory counts.
type weights struct {
	prompt, search, question, call, error, words float64
}

func weightsOf(k Kind) weights {
	switch k {
	case Prompt:
		return weights{prompt: 1}
	case Search:
		return weights{search: 1, words: 0.2}
	case Question:
		return weights{question: 1}
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
		return 1.5
	case Search:
		return 2
	case Question:
		return 3
	case Error:
		return 6
	}
	return 5
}

// [Threshold] of a memory in a reader's words: it is longer and names more, and shares
// words with more moments.
const (
	curatedSearch = 3
	curatedCall   = 6
)

// The score that one memory has to reach before anything is said at a prompt: what
// others share with it beside that is often on the subject too.
const (
	opensPrompt   = 1.75
	curatedPrompt = 1.9 // of a memory in a reader's words
)

func (h *Hit) threshold(k Kind) float64 {
	if h.curated {
		switch k {
		case Search:
			return curatedSearch
		case Command, File:
			return curatedCall
		}
	}
	return Threshold(k)
}

// opens is the score from which h is the first to be said at a prompt.
func (h *Hit) opens() float64 {
	if h.curated {
		return curatedPrompt
	}
	return opensPrompt
}

// Limit is how many memories are said at a moment.
func Limit(k Kind) int {
	switch k {
	case Prompt:
		return 3
	}
	return 1
}

// The share of the best score that others have to reach to be said beside it.
const (
	near        = 0.6
	curatedNear = 0.5 // of memories in a reader's words: the best may have named its moment
)

func (h *Hit) near() float64 {
	if h.curated {
		return curatedNear
	}
	return near
}

// sameBranch is the fraction by which a score rises at a prompt when the memory was
// learned on the branch that is checked out.
const sameBranch = 0.2

// How much words that a prompt shares with a memory in a reader's words count: the title
// names the subject.
const (
	titleWorth = 1.4
	textWorth  = 0.8
)

// worth is how much a term counts at a prompt by where it stands in a memory in a
// reader's words.
func (r *record) worth(h uint32) float64 {
	if packedHas(r.title, h) {
		return titleWorth
	}
	return textWorth
}

// about says how a memory and a moment stand to each other, beyond the words they
// share.
type about struct {
	recipe    bool // it has triggers
	triggered bool // one of them is the moment's
	ruled     bool // it is a person's rule about the call
	already   bool // the call has what works instead
	branch    bool // it was learned on the branch of the moment
}

// priors returns corrections of a score that do not come from shared words; each
// weight is a fraction of the score, to be added to it. Before a call a recipe of
// another call is worth nothing, nor is one whose remedy the call has already; what
// is neither a recipe nor a person's rule about the call shares words with it because
// it is mostly about the same work, and loses half its score.
func (a *about) priors(k Kind) []Reason {
	switch k {
	case Command, File:
		return a.priorsOfCall()
	case Prompt:
		if a.branch {
			return []Reason{{"branch", "learned on this branch", sameBranch}}
		}
	}
	return nil
}

// priorsOfCall is priors at a call of a tool.
func (a *about) priorsOfCall() []Reason {
	switch {
	case a.ruled:
		return nil
	case !a.recipe:
		return []Reason{{"type", "neither a recipe nor a rule of this call", -0.5}}
	case !a.triggered:
		return []Reason{{"type", "a recipe of another call", -1}}
	case a.already:
		return []Reason{{"type", "the call has already what works", -1}}
	}
	return nil
}

// decide says which hits are worth saying, and puts those in a line.
func decide(k Kind, hits []Hit, opt Options) []Hit {
	limit := Limit(k)
	if opt.Limit > 0 {
		limit = opt.Limit
	}
	said := 0
	opened := k != Prompt || slices.ContainsFunc(hits, func(h Hit) bool { return h.Score >= h.opens() })
	out := hits[:0]
	for i := range hits {
		h := &hits[i]
		if h.Threshold = h.threshold(k); !opened {
			h.Threshold = max(h.Threshold, h.opens())
		}
		switch {
		case h.Score < h.Threshold:
			h.Left = LeftWeak
		case h.Score < h.near()*hits[0].Score:
			h.Left = LeftFar
		case h.lead != "" && !h.triggered:
			h.Left = LeftQuoted
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
			h.Line = h.quoted(cutLine(h.Said[0], shortSize))
			out = append(out, h.own())
			continue
		}
		h.Line = h.quoted(lineOf(h.Said, sizeOf(k)))
		out = append(out, h.own())
	}
	return out
}

// quoted is a line of a hit as it is said: what comes from outside as a quotation.
func (h *Hit) quoted(line string) string {
	if h.lead == "" {
		return line
	}
	return memory.Quoted(h.lead, line)
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
