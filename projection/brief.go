package projection

import (
	"time"

	"github.com/git-cortex/cortex/memory"
)

// The lines that every text for an agent begins and ends with, so that capture
// knows the briefing when it meets it in a transcript and never learns from it.
const (
	BriefingOpen  = "<!-- cortex:briefing -->"
	BriefingClose = "<!-- /cortex:briefing -->"
)

// Budgets of DESIGN §5 and AGENTS-REFERENCE 1a.
const (
	DefaultTokens = 3000 // of a briefing
	HookChars     = 9900 // of anything a hook prints: Claude Code cuts at 10,000
)

// BriefInput is what a briefing is made from. The zero value of every field
// is usable; Items may be in any order.
type BriefInput struct {
	Items     []Item
	Branch    string   // where the reader is; "" when detached
	Conflicts []string // what the reality checks found, the most important first, a sentence each
	Sessions  []Session
	Tokens    int    // budget by [memory.Tokens]; 0 means [DefaultTokens]
	Chars     int    // budget in UTF-16 code units; 0 means none; [HookChars] when a hook prints it
	Fence     string // random word that delimits evidence; the caller draws a new one each time
	Reverify  bool   // ask for a check of the five most-used lines (every tenth session)
}

// Session describes one session for the section on recent work. Sessions that
// Items refer to without being described are shown by their number alone.
type Session struct {
	Number int    // as in [Item.Session]
	Agent  string // "claude-code"
	Branch string
	Ended  time.Time
	Title  string // topics or first words; may be empty
}

// Briefing is a text for an agent and what is in it.
type Briefing struct {
	Text   string      // ends in a newline; "" when the budget is too small to say anything
	Shown  []memory.ID // the memories in it, in the order of the text
	Tokens int         // by [memory.Tokens], never above the budget
	Chars  int         // UTF-16 code units, never above the budget
	Left   int         // live memories that had no room
}

// Brief packs a view into a briefing: what conflicts with reality, the active
// plan, decisions and rejections (at most 40 % of the budget), gotchas and
// preferences, recent work by session, open questions, and how to record
// memories. The same input gives the same bytes.
func Brief(in BriefInput) Briefing { return Briefing{} }
