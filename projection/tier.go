package projection

import (
	"slices"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// What is recent is shown in full, what is older in a line, and the rest in the
// archive: docs/behaviour.md, "Pages and briefings". Age is counted in sessions, not in days,
// so that a page does not change while nobody works.
const (
	fullSessions  = 20
	fullLimit     = 50
	agingSessions = 50
	agingLimit    = 30
)

// tiers is how the decisions and rejections of a set of records are divided. It
// depends on the set alone, so that both pages and every merge agree.
type tiers struct {
	byID       map[memory.ID]*memory.Memory
	status     map[memory.ID]memory.Status
	supersedes map[memory.ID][]*memory.Memory // old id → the records that supersede it, newest first
	contests   [][]*memory.Memory             // groups of contested records, newest first
	full       []*memory.Memory
	aging      []*memory.Memory
	archive    []*memory.Memory
}

// divide sorts records, newest first, into tiers.
func divide(records []*memory.Memory) *tiers {
	t := &tiers{byID: map[memory.ID]*memory.Memory{}, supersedes: map[memory.ID][]*memory.Memory{}}
	nodes := make([]memory.Node, len(records))
	for i, r := range records {
		t.byID[r.ID] = r
		// The key contested is ignored: the archive has no record of it, and
		// both pages must be divided in the same way.
		nodes[i] = memory.Node{ID: r.ID, Supersedes: r.Linked(memory.Supersedes)}
		for _, old := range nodes[i].Supersedes {
			if old != r.ID {
				t.supersedes[old] = append(t.supersedes[old], r)
			}
		}
	}
	t.status = memory.Statuses(nodes)
	t.group(records)
	decisions := lists.Without(records, func(r *memory.Memory) bool { return !isDecision(r) })
	ages := sessionAges(decisions)
	for _, pinned := range []bool{true, false} {
		for _, r := range decisions {
			if r.Pinned == pinned && t.status[r.ID] != memory.StatusContested {
				t.place(r, ages[sessionKey(r)])
			}
		}
	}
	for _, tier := range [][]*memory.Memory{t.full, t.aging, t.archive} {
		slices.SortFunc(tier, newestFirst)
	}
	return t
}

func (t *tiers) place(r *memory.Memory, age int) {
	age = t.ageOf(r, age)
	switch {
	case age < fullSessions && len(t.full) < fullLimit:
		t.full = append(t.full, r)
	case age < agingSessions && len(t.aging) < agingLimit:
		t.aging = append(t.aging, r)
	default:
		t.archive = append(t.archive, r)
	}
}

// ageOf is the age of a decision in sessions, as far as tiers are concerned: what is pinned
// is new, and what is superseded is old.
func (t *tiers) ageOf(r *memory.Memory, age int) int {
	if t.status[r.ID] == memory.StatusSuperseded {
		return agingSessions
	}
	if r.Pinned {
		return 0
	}
	return age
}

// group groups the contested records: two are in one group if they supersede
// the same record, or if one supersedes the other.
func (t *tiers) group(records []*memory.Memory) {
	leader := map[memory.ID]memory.ID{}
	var find func(id memory.ID) memory.ID
	find = func(id memory.ID) memory.ID {
		if l, ok := leader[id]; ok && l != id {
			leader[id] = find(l)
			return leader[id]
		}
		return id
	}
	contested := lists.Without(records, func(r *memory.Memory) bool {
		return t.status[r.ID] != memory.StatusContested
	})
	for _, r := range contested {
		for _, old := range r.Linked(memory.Supersedes) {
			leader[find(r.ID)] = find(old)
		}
	}
	groups := map[memory.ID][]*memory.Memory{}
	var order []memory.ID
	for _, r := range contested {
		l := find(r.ID)
		if groups[l] == nil {
			order = append(order, l)
		}
		groups[l] = append(groups[l], r)
	}
	for _, l := range order {
		if t.concernsDecision(groups[l]) {
			t.contests = append(t.contests, groups[l])
		}
	}
}

// concernsDecision reports whether a member of a contest is a decision or
// supersedes one.
func (t *tiers) concernsDecision(group []*memory.Memory) bool {
	return slices.ContainsFunc(group, func(r *memory.Memory) bool {
		return isDecision(r) || slices.ContainsFunc(r.Linked(memory.Supersedes), t.isDecision)
	})
}

// isDecision reports whether an id is that of a decision among the records.
func (t *tiers) isDecision(id memory.ID) bool {
	r := t.byID[id]
	return r != nil && isDecision(r)
}

// age divides the items of a section of a briefing as the pages divide decisions: what is
// recent may be shown in full, what is older in one line, and the rest of them not at all.
// Unlike on a page, which knows of no recalls, what was recalled in the last sessions is
// recent again.
func (c *chooser) age(section int) {
	back := c.sessionsBack(section)
	here := c.in(section)
	full := c.best(c.tiers.Full, func(i int) bool { return c.home[i] == section && c.isRecent(&c.items[i], &back) })
	rest := lists.Without(here, func(i int) bool { return slices.Contains(full, i) })
	line := c.best(c.tiers.Short, func(i int) bool { _, ok := slices.BinarySearch(rest, i); return ok })
	for _, i := range rest {
		if c.aged[i] = slices.Contains(line, i); !c.aged[i] {
			c.home[i] = -1
		}
	}
}

// in are the items of a section, in their order.
func (c *chooser) in(section int) []int {
	var out []int
	for i, home := range c.home {
		if home == section {
			out = append(out, i)
		}
	}
	return out
}

// isRecent reports whether an item is pinned, or the last sessions taught or recalled it.
func (c *chooser) isRecent(it *Item, back *sessionsBack) bool {
	if it.Memory.Pinned || !it.Recalled.IsZero() && back.since(it.Recalled) < c.tiers.Recent {
		return true
	}
	if it.Session > 0 {
		return back.before[it.Session] < c.tiers.Recent
	}
	return back.since(it.Memory.Created) < c.tiers.Recent
}

// sessionsBack says how many sessions taught something of a section after another one.
type sessionsBack struct {
	before []int       // by number of the session
	ended  []time.Time // the latest first
}

func (c *chooser) sessionsBack(section int) (b sessionsBack) {
	var newest []time.Time
	for _, i := range c.in(section) {
		it := c.items[i]
		if it.Session > 0 {
			for len(newest) <= it.Session {
				newest = append(newest, time.Time{})
			}
			newest[it.Session] = latest(newest[it.Session], it.Memory.Created)
		}
	}
	b.before = make([]int, len(newest))
	for n := len(newest) - 1; n > 0; n-- {
		b.before[n] = len(b.ended)
		if !newest[n].IsZero() {
			b.ended = append(b.ended, newest[n])
		}
	}
	lists.Sort(b.ended, func(a, b time.Time) int { return b.Compare(a) })
	return b
}

// since is how many sessions ended after a time.
func (b *sessionsBack) since(at time.Time) int {
	n, _ := slices.BinarySearchFunc(b.ended, at, func(ended, at time.Time) int { return at.Compare(ended) })
	return n
}
