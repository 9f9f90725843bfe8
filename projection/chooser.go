package projection

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// chooser ranks the items of a view once and hands out the best of them.
type chooser struct {
	items  []Item
	ranks  []float64
	bases  []float64 // ranks without what is added for being fresh, so that lines keep their order
	home   []int     // the section of each item; -1 is none
	taken  []bool
	aged   []bool // decisions that are shown in a line, see [chooser.age]
	yields []int  // 1 for what yields to others, see [chooser.yield]
	tiers  BriefTiers
}

func newChooser(items []Item, sections []*section, tuning *Tuning) *chooser {
	by := tuning.Rank
	c := &chooser{
		items:  items,
		tiers:  tuning.Tiers,
		ranks:  make([]float64, len(items)),
		bases:  make([]float64, len(items)),
		home:   make([]int, len(items)),
		taken:  make([]bool, len(items)),
		aged:   make([]bool, len(items)),
		yields: make([]int, len(items)),
	}
	home := homesOf(sections)
	most, latest, answered := 0, 0, map[memory.ID]bool{}
	for i := range items {
		it := &items[i]
		most, latest = max(most, it.Recalls), max(latest, it.Session)
		for _, l := range it.Memory.Links {
			if l.Rel == memory.Answers && !it.Memory.Outside() {
				answered[l.To] = true
			}
		}
	}
	for i, it := range items {
		c.bases[i] = Rank(it, most, by)
		c.home[i] = -1
		isAnswered := answered[it.Memory.ID] && !memory.IsTrap(it.Memory.Triggers)
		if it.Read || it.Status == memory.StatusArchived || isAnswered {
			continue // known, a step, which only its plan shows, or a question with its answer
		}
		c.home[i] = home.of(&it)
		c.bases[i] += home.lift(c.home[i], it.Memory)
		c.ranks[i] = c.bases[i]
		if c.home[i] != home.read {
			c.ranks[i] += fresh(it, latest)
		}
	}
	c.yield()
	for i, s := range sections {
		if s.budget {
			c.age(i)
		}
	}
	return c
}

// homes are the numbers of sections, -1 for none.
type homes struct {
	byType             map[memory.Type]int
	traps, rules, read int
}

func homesOf(sections []*section) homes {
	h := homes{byType: map[memory.Type]int{}, traps: -1, rules: -1, read: -1}
	for i, s := range sections {
		switch {
		case s.traps:
			h.traps = i
		case s.rules:
			h.rules = i
		case s.read:
			h.read = i
		}
		for _, t := range s.types {
			h.byType[t] = i
		}
	}
	return h
}

// of returns the section of an item; -1 for none.
func (h *homes) of(it *Item) int {
	m := it.Memory
	switch {
	case m.Outside():
		return h.read
	case memory.IsTrap(m.Triggers):
		if len(m.Seen)+it.Recalls < recurs {
			return -1
		}
		return h.traps
	case m.Rule() && it.isSure():
		return h.rules
	}
	if home, ok := h.byType[m.Type]; ok {
		return home
	}
	return -1
}

// isSure reports whether something beside its words says that a rule is one: somebody had it
// remembered or worded it, let it land or pinned it, gave it in a second session, or it was used.
func (it *Item) isSure() bool {
	m := it.Memory
	if !slices.Contains([]string{"user", "answer"}, m.Source.Layer) || m.Pinned {
		return true
	}
	return len(m.Seen) > 1 || it.Recalls > 0 || !it.waits()
}

// waits reports whether an item has not landed, and no person has accepted it.
func (it *Item) waits() bool { return slices.Contains([]string{"pending", "branch-gone"}, it.Stage) }

// lift returns the addition to the rank of a memory in its section.
func (h *homes) lift(home int, m *memory.Memory) float64 {
	switch {
	case home == h.traps:
		// What recurs counts: the second session that met it raises it most.
		return recurrence * math.Log2(float64(len(m.Seen)))
	case home == h.rules && ownWords(m):
		return byPerson + recurring*math.Log2(float64(max(1, len(m.Seen))))
	case home == h.read:
		return belowAll
	}
	return 0
}

// Additions to the rank of a memory in a briefing.
const (
	byPerson    = 0.3  // of a rule in a person's own words
	recurrence  = 0.2  // of a trap, each time that twice as many sessions met it
	recurring   = 0.1  // of a rule, each time that twice as many sessions gave it
	lately      = 0.25 // of what the latest sessions taught: half of what is needed is from there
	latelyCount = 3    // of them
	belowAll    = -8   // of a quotation: whatever somebody here said comes before it
)

// ownWords reports whether a memory says what a person said, in their words or in those
// of a reader.
func ownWords(m *memory.Memory) bool {
	return m.Source.Agent == memory.Human || slices.Contains([]string{"user", "curated"}, m.Source.Layer)
}

// fresh returns the addition to the rank of a memory of the latest sessions, the
// largest for the last one; 0 for other memories.
func fresh(it Item, latest int) float64 {
	if back := latest - it.Session; it.Session > 0 && back < latelyCount {
		return lately * float64(latelyCount-back) / latelyCount
	}
	return 0
}

// compare orders what yields behind the others, then by rank, newest first and by id.
func (c *chooser) compare(a, b int) int {
	return cmp.Or(
		cmp.Compare(c.yields[a], c.yields[b]),
		cmp.Compare(c.ranks[b], c.ranks[a]),
		newestFirst(c.items[a].Memory, c.items[b].Memory),
	)
}

// yield notes which items come after those of others: what one session has in a section
// beyond its [fromOne] best.
func (c *chooser) yield() {
	ahead := map[[2]int][]int{} // the best of each session in a section, the best first
	for i := range c.items {
		if c.items[i].Session <= 0 || c.home[i] < 0 {
			continue
		}
		key := [2]int{c.items[i].Session, c.home[i]}
		of := ahead[key]
		at, _ := slices.BinarySearchFunc(of, i, c.compare)
		if of = slices.Insert(of, at, i); len(of) > fromOne {
			c.yields[of[fromOne]] = 1
			of = of[:fromOne]
		}
		ahead[key] = of
	}
}

// best returns the k best of the items that are wanted and not taken, the best
// first. It keeps a heap of k items, so that the others are never sorted.
func (c *chooser) best(k int, want func(i int) bool) []int {
	h := &lastFirst{compare: c.compare}
	for i := range c.items {
		switch {
		case c.taken[i], !want(i):
		case len(h.items) < k:
			heap.Push(h, i)
		case k > 0 && c.compare(i, h.items[0]) < 0:
			h.items[0] = i
			heap.Fix(h, 0)
		}
	}
	lists.Sort(h.items, c.compare)
	return h.items
}

// lastFirst is a heap with the last in order on top.
type lastFirst struct {
	items   []int
	compare func(a, b int) int
}

func (h *lastFirst) Len() int           { return len(h.items) }
func (h *lastFirst) Less(i, j int) bool { return h.compare(h.items[i], h.items[j]) > 0 }
func (h *lastFirst) Swap(i, j int)      { h.items[i], h.items[j] = h.items[j], h.items[i] }

// Push is for package heap.
func (h *lastFirst) Push(x any) {
	if i, ok := x.(int); ok {
		h.items = append(h.items, i)
	}
}

// Pop is for package heap.
func (h *lastFirst) Pop() any {
	last := len(h.items) - 1
	x := h.items[last]
	h.items = h.items[:last]
	return x
}
