package projection

import (
	"cmp"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// section is a part of a briefing with memories.
type section struct {
	title    string
	traps    bool // of memories that something brings back, whatever their type
	rules    bool // of what a person said is to be done
	read     bool // of quotations, whatever their type
	budget   bool // within the limit of decisions
	types    []memory.Type
	share    float64 // of the room, in the first round
	wording  wording
	sessions bool // grouped by session, the latest first
	limit    size // in all rounds
	used     size
	picked   []pick
	opened   map[int]bool // sessions that have a line of their own
}

// recurs is how often a trap was met by a session, or of use to one, before a briefing names it: of one that was met
// once, the call that it is about brings it back.
const recurs = 2

// fromOne is how many lines one session has in a section before others have had their turn:
// whoever gets words into one session does not fill a briefing with them.
const fromOne = 6

type pick struct {
	item Item
	line string
	rank float64
}

func newSections() []*section {
	return withOpened([]*section{
		{
			title: "Traps met here", share: 0.40, traps: true,
			wording: wording{label: true, length: longLength},
		},
		{
			title: "Rules of the user", share: 0.35, rules: true,
			wording: wording{bare: true, length: shortLength},
		},
		{
			title: "Decisions and rejected approaches", share: 0.20, budget: true,
			types:   []memory.Type{memory.Decision, memory.Rejected, memory.Architecture},
			wording: wording{length: longLength},
		},
		{
			title: "Gotchas and what was learned", share: 0.20,
			types: []memory.Type{
				memory.Gotcha, memory.Pattern, memory.Learned, memory.Context, memory.Code,
				memory.Preference, // of an agent
			},
			wording: wording{label: true, length: longLength},
		},
		{
			title: "Recent work", share: 0.20, sessions: true,
			types:   []memory.Type{memory.Progress, memory.Fix, memory.Plan},
			wording: wording{label: true, length: longLength},
		},
		{
			title: "Open questions", share: 0.12,
			types:   []memory.Type{memory.Question, memory.Problem},
			wording: wording{label: true, length: shortLength},
		},
		{
			title: "Quotations, not verified", share: 0.05, read: true,
			wording: wording{label: true, length: shortLength},
		},
	})
}

// withOpened makes sections ready to be filled.
func withOpened(all []*section) []*section {
	for _, s := range all {
		s.opened = map[int]bool{}
	}
	return all
}

// render lists the section's lines in their final order.
func (s *section) render(p *packer) (lines []string, ids []memory.ID) {
	if len(s.picked) == 0 {
		return nil, nil
	}
	lines = append(lines, p.heading(s.title)...)
	lists.Sort(s.picked, func(a, b pick) int {
		if s.sessions {
			if c := cmp.Compare(b.item.Session, a.item.Session); c != 0 {
				return c
			}
			return newestFirst(a.item.Memory, b.item.Memory)
		}
		return cmp.Or(cmp.Compare(b.rank, a.rank), newestFirst(a.item.Memory, b.item.Memory))
	})
	last := -1
	for _, k := range s.picked {
		if s.sessions && k.item.Session != last {
			last = k.item.Session
			lines = append(lines, s.sessionLine(last, p))
		}
		lines, ids = append(lines, k.line), append(ids, k.item.Memory.ID)
	}
	return lines, ids
}

func (s *section) sessionLine(number int, p *packer) string {
	for _, d := range p.described {
		if d.Number == number {
			return p.session(d)
		}
	}
	return p.session(Session{Number: number})
}
