package diary

import "math"

// What a session may be told beyond its briefing, in tokens. Prompts and calls fill a purse,
// and what is told is paid from it.
const (
	taskTokens  = 600 // with the first prompt that calls for something: the part of the briefing that is about the task
	promptFills = 120
	callFills   = 40
	purseHolds  = 800
	overdraft   = 160 // that may be taken beyond what is in the purse
)

// errorMoment is the moment after a call that failed.
const errorMoment = "error"

// Purse holds the tokens that a session may still be told.
type Purse struct {
	Left   int  // can be less than nothing
	Tasked bool // a prompt was told of memories already, which is not paid the first time
}

// Said describes a memory that may be said at a moment.
type Said struct {
	Moment string
	Remedy bool // it has the very error of a call that failed
}

// Purse returns the purse of a session: what prompts and calls have filled since it began,
// without what was told at them. The session may begin with as much as a prompt fills.
func (d *Diary) Purse(session string) *Purse {
	p := &Purse{Left: promptFills}
	for _, s := range d.showings(session) {
		switch {
		case s.Moment == markBegun:
			p = &Purse{Left: promptFills}
		case s.Moment == promptMoment:
			p.prompt(s.Tokens)
		case s.atCall():
			p.Left = min(p.Left+callFills, purseHolds) - s.Tokens
		}
	}
	return p
}

// prompt fills the purse at a prompt and pays for what was told there.
func (p *Purse) prompt(tokens int) {
	p.Left = min(p.Left+promptFills, purseHolds)
	if p.Tasked {
		p.Left -= tokens
	}
	p.Tasked = p.Tasked || tokens > 0
}

// Allows returns how many tokens may be said at a moment, up to and with a memory. A remedy
// is always said, and what the first prompt is told is not paid.
func (p *Purse) Allows(s Said) int {
	if s.Remedy {
		return math.MaxInt
	}
	if s.Moment == promptMoment && !p.Tasked {
		return taskTokens
	}
	return p.Left + overdraft
}

// Empty reports whether nothing may be said at a moment.
func (p *Purse) Empty(moment string) bool {
	return p.Allows(Said{Moment: moment, Remedy: moment == errorMoment}) <= 0
}
