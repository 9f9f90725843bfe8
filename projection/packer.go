package projection

import (
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// packer fills a briefing section by section.
type packer struct {
	room      size // left
	fence     memory.Fence
	described []Session
	text      func(number int) string // as [BriefInput.Text]
	tuning    Tuning
	door      bool                  // it is a door
	branch    string                // as [BriefInput.Branch]
	plans     map[memory.ID]*folded // by id
}

// whole is the memory of an item with its text.
func (p *packer) whole(it Item) *memory.Memory {
	if p.text == nil {
		return it.Memory
	}
	m := *it.Memory
	m.Text = p.text(it.Number)
	return &m
}

const (
	misfits    = 8  // lines in a row that had no room end the turn of a section
	lineTokens = 12 // less than any line takes
	firstShare = 2  // times its share that a section may fill with its best line
)

// take uses room for lines if they fit into it and into limit.
func (p *packer) take(limit size, lines ...string) (size, bool) {
	s := sizeOf(lines...)
	if p.room.within(limit).smaller(s) {
		return size{}, false
	}
	p.room = p.room.minus(s)
	return s, true
}

// lines packs a section of plain sentences, and says how many had no room.
func (p *packer) lines(title string, sentences []string, limit size) []string {
	var out []string
	for i, s := range sentences {
		add := []string{"- " + memory.Cut(p.line(s), shortLength)}
		if i == 0 {
			add = append(p.heading(title), add[0])
		}
		left := p.left(len(sentences) - i - 1)
		used, ok := p.take(limit.minus(sizeOf(left...)), add...)
		if !ok {
			more := p.left(len(sentences) - i)
			if _, ok := p.take(limit, more...); ok && i > 0 {
				out = append(out, more...)
			}
			break
		}
		limit = limit.minus(used)
		out = append(out, add...)
	}
	return out
}

// left is the line that says how many sentences had no room; none where all had.
func (p *packer) left(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("- … and %d more", n)}
}

// plan packs the newest open plan, which may be a note: its title, its progress, and the next steps. How far
// the other plans are is known afterwards.
func (p *packer) plan(c *chooser, noted []*memory.Memory, limit size) (lines []string, shown []memory.ID) {
	records, at := p.ofPlans(c)
	records = append(records, noted...)
	slices.SortFunc(records, newestFirst)
	open, closed := openPlans(records)
	p.plans = make(map[memory.ID]*folded, len(open)+len(closed))
	for _, f := range slices.Concat(open, closed) {
		p.plans[f.plan.ID] = f
	}
	open = lists.Without(open, func(f *folded) bool {
		i, kept := at[f.plan.ID]
		return p.door && !f.goesOn() || kept && f.isElsewhere(&c.items[i])
	})
	if len(open) == 0 {
		return nil, nil
	}
	f := open[0]
	i, kept := at[f.plan.ID]
	item := Item{Memory: f.plan, Effective: f.plan.Confidence}
	if kept {
		item = c.items[i]
		shown = []memory.ID{f.plan.ID}
	}
	plan := *f.plan
	plan.Text = f.intro
	var used size
	var out []string
	fits := false
	// When the budget is small, the plan may take more than its share.
	for _, try := range []struct {
		length int
		limit  size
	}{{longLength, limit}, {titleLength, limit.times(2)}} {
		how := wording{bare: true, plain: p.door, length: try.length}
		out = append(p.heading("Active plan"), p.evidence(item, &plan, how))
		if said := f.said(); said != "" {
			out = append(out, "  "+said)
		}
		if used, fits = p.take(try.limit, out...); fits {
			break
		}
	}
	if !fits {
		return nil, nil
	}
	if kept {
		c.taken[i] = true
	}
	return append(out, p.openSteps(f, limit.minus(used))...), shown
}

// ofPlans are plans and their steps, and which items they are.
func (p *packer) ofPlans(c *chooser) (records []*memory.Memory, at map[memory.ID]int) {
	at = map[memory.ID]int{}
	for i, it := range c.items {
		if Plan.own(it.Memory) && it.Memory.OfPlan() {
			m := it.Memory
			if m.Type == memory.Plan { // of the others only the title is looked at
				m = p.whole(it)
			}
			records = append(records, m)
			at[it.Memory.ID] = i
		}
	}
	return records, at
}

// openSteps packs the steps that are left, and how many had no room.
func (p *packer) openSteps(f *folded, limit size) []string {
	var open, out []string
	for i, s := range f.steps {
		if !s.done {
			open = append(open, "  - "+f.mark(i)+memory.Cut(p.line(s.text), titleLength))
		}
	}
	for i, s := range open {
		more := fmt.Sprintf("  - … and %s", count(len(open)-i, "more step", "more steps"))
		room := p.room.within(limit)
		if i+1 < len(open) {
			room = room.minus(sizeOf(more)) // reserved while there are more steps
		}
		used, ok := p.take(room, s)
		if !ok {
			if _, ok := p.take(limit, more); ok {
				out = append(out, more)
			}
			break
		}
		limit = limit.minus(used)
		out = append(out, s)
	}
	return out
}

// fill packs the sections of memories: in a first round each within its share
// and the line budgets of its types, then the best of the others, in whichever
// section they belong. Decisions keep to their share while anything else waits for room.
func (p *packer) fill(c *chooser, sections []*section, decisions size) {
	room := p.room
	k := max(0, room.tokens/lineTokens+1)
	budgets := map[memory.Type]int{}
	for n, s := range sections {
		s.limit = room
		if s.budget {
			s.limit = s.limit.within(decisions)
		}
		bound := room.times(s.share).within(s.limit)
		misses := 0
		for _, i := range c.best(k, func(i int) bool { return c.home[i] == n }) {
			group := LineGroup(c.items[i].Memory.Type)
			lines := p.tuning.Lines[group]
			if budgets[group] >= lines {
				continue
			}
			limit := bound
			if len(s.picked) == 0 {
				limit = bound.times(firstShare).within(s.limit)
			}
			if p.add(s, c, i, limit) {
				misses = 0
				budgets[group]++
			} else if misses++; misses == misfits {
				break
			}
		}
	}
	p.overflow(c, sections, k)
	if len(c.best(1, func(i int) bool { return c.home[i] >= 0 && !sections[c.home[i]].budget })) > 0 {
		return
	}
	for _, s := range sections {
		s.limit = room
	}
	p.overflow(c, sections, k)
}

// overflow fills the room that the first round left with the best of the other
// items. A section that several in a row do not fit into has had its share; then the
// best of the others are looked for again, which it may have kept from being found.
func (p *packer) overflow(c *chooser, sections []*section, k int) {
	misses := make([]int, len(sections))
	isOpen := func(i int) bool {
		n := c.home[i]
		return n >= 0 && misses[n] < misfits
	}
	for closed := true; closed; {
		closed = false
		for _, i := range c.best(k, isOpen) {
			n := c.home[i]
			switch s := sections[n]; {
			case !isOpen(i):
			case p.add(s, c, i, s.limit):
				misses[n] = 0
			default:
				misses[n]++
				closed = closed || misses[n] == misfits
			}
		}
	}
}

// add puts an item into a section when it fits into the room and into limit,
// which counts what the section already holds.
func (p *packer) add(s *section, c *chooser, i int, limit size) bool {
	it := c.items[i]
	how, m := s.wording, it.Memory
	if s.budget && c.aged[i] {
		how.title = true
	} else {
		m = p.whole(it)
	}
	line := p.evidence(it, m, how)
	lines := []string{line}
	if len(s.picked)+len(s.opened) == 0 {
		lines = append(p.heading(s.title), lines...)
	}
	if s.sessions && !s.opened[it.Session] {
		lines = append(lines, s.sessionLine(it.Session, p))
	}
	used, ok := p.take(limit.minus(s.used), lines...)
	if !ok {
		return false
	}
	s.used = s.used.plus(used)
	if s.sessions {
		s.opened[it.Session] = true
	}
	s.picked = append(s.picked, pick{item: it, line: line, rank: c.bases[i]})
	c.taken[i] = true
	return true
}
