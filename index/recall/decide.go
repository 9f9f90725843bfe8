package recall

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

func (h *Hit) threshold(k Kind) float64 {
	if h.curated || h.Noted {
		return k.tuning().curated
	}
	return Threshold(k)
}

// The share of the best score that others have to reach to be said beside it.
const (
	near        = 0.6
	curatedNear = 0.5 // of memories in a reader's words: the best may have named its moment
)

// sure is how many times its threshold a score has to reach to be said beside any other: a long prompt shares much
// with what says nearly the same, and other parts of it are about other memories.
const sure = 1.5

func (h *Hit) near() float64 {
	if h.curated {
		return curatedNear
	}
	return near
}

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
	spared    bool // the call cannot meet the trap
}

// prior returns a correction of a score that does not come from shared words; its
// weight is a fraction of the score, to be added to it. Before a call a recipe of
// another call is worth nothing, nor is one whose remedy the call has already; what
// is neither a recipe nor a person's rule about the call shares words with it because
// it is mostly about the same work, and loses half its score.
func (a *about) prior(k Kind) Reason {
	switch {
	case a.spared:
		return Reason{"type", "a trap that this call cannot meet", -1}
	case k == Command, k == File:
		return a.priorOfCall()
	}
	return Reason{}
}

// priorOfCall is prior at a call of a tool.
func (a *about) priorOfCall() Reason {
	switch {
	case a.ruled:
		return Reason{}
	case !a.recipe:
		return Reason{"type", "neither a recipe nor a rule of this call", -0.5}
	case !a.triggered:
		return Reason{"type", "a recipe of another call", -1}
	case a.already:
		return Reason{"type", "the call has already what works", -1}
	}
	return Reason{}
}

// decide says which hits are worth saying, and puts those in a line.
func decide(k Kind, hits []Hit, opt Options) []Hit {
	limit := cmp.Or(max(opt.Limit, 0), Limit(k))
	best := bestTold(k, hits, &opt)
	var said []string // the titles
	out := hits[:0]
	for i := range hits {
		h := &hits[i]
		h.Noted = opt.Notes
		h.Threshold = h.threshold(k)
		h.Left = cmp.Or(h.leftBy(k, &opt, best), h.leftBeside(said, limit))
		if h.Speaks = h.Left == ""; h.Speaks {
			said = append(said, h.Said[0])
		}
		if h.Speaks || opt.All {
			h.Line = h.lineFor(k, &opt)
			out = append(out, h.own())
		}
	}
	return out
}

// bestTold is the score of the best hit that may be told at all: what never is makes no other weak.
func bestTold(k Kind, hits []Hit, opt *Options) float64 {
	i := slices.IndexFunc(hits, func(h Hit) bool { return h.untold(k, opt) == "" })
	if i < 0 {
		return 0
	}
	return hits[i].Score
}

// leftBeside says why a hit is not said beside others, of which these are the titles; "" when
// it may be.
func (h *Hit) leftBeside(said []string, limit int) string {
	switch {
	case h.Archived && !h.isNeeded(said):
		return LeftArchived
	case len(said) == limit:
		return LeftLimit
	case slices.ContainsFunc(said, func(title string) bool { return kin(title, h.Said[0]) }):
		return LeftKin
	}
	return ""
}

// isNeeded reports whether a hit alone explains an error.
func (h *Hit) isNeeded(said []string) bool { return h.Explains && len(said) == 0 }

// leftBy says why a hit is not said, whatever else is; "" when it may be.
func (h *Hit) leftBy(k Kind, opt *Options, best float64) string {
	switch {
	case h.Score < h.Threshold:
		return LeftWeak
	case h.Score < min(h.near()*best, sure*h.Threshold):
		return LeftFar
	case h.isRepeat(k, opt):
		return LeftGiven
	}
	return h.untold(k, opt)
}

// untold says why a hit is said at no moment of a session; "" when it may be.
func (h *Hit) untold(k Kind, opt *Options) string {
	switch {
	case h.isVague(k):
		return LeftVague
	case h.Type == memory.Plan:
		return LeftPlan
	case h.isUncalled():
		return LeftQuoted
	case opt.isOwn(h.session):
		return LeftSession
	}
	return ""
}

// isRepeat reports whether a hit was given before. What explains the error of a call that
// failed is said at each such call.
func (h *Hit) isRepeat(k Kind, opt *Options) bool {
	if k == Error && h.Explains {
		return false
	}
	return opt.wasGiven(h.ID)
}

// isUncalled reports whether a hit is a quotation which no trigger or key of it calls for.
func (h *Hit) isUncalled() bool { return h.lead != "" && !h.called }

// isOwn reports whether a memory was learned in the session whose moment it is.
func (o *Options) isOwn(session string) bool {
	return session != "" && strings.HasPrefix(session+"/", o.Session+"/")
}

func (o *Options) wasGiven(id memory.ID) bool { return o.Given != nil && o.Given(id) }

// lineFor is the line that a hit is said in.
func (h *Hit) lineFor(k Kind, opt *Options) string {
	if opt.Again != nil && opt.Again(h.ID) {
		return h.quoted(cutLine(h.Said[0], shortSize))
	}
	if h.back != "" {
		return cutLine("This brings back "+h.back+": "+joined(h.Said), k.tuning().size)
	}
	line := lineOf(h.Said, k.tuning().size)
	if opt.Notes {
		return memory.Quoted(NotedMark, line)
	}
	return h.quoted(line)
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
	out.ID = memory.ID(strings.Clone(string(h.ID)))
	out.Type = memory.Type(strings.Clone(string(h.Type)))
	out.Line = strings.Clone(h.Line)
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
