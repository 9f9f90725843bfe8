package consolidate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/order"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

// Bounds of a group.
const (
	maxMembers = 8
	maxWords   = 8 << 10 // bytes of all members
)

// candidate is a memory that may be of a group.
type candidate struct {
	entry     workspace.Entry
	words     []uint32
	statement sameness.Statement
	taken     bool
}

// grouped puts candidates of one type into groups of two and more. Each group has one
// member that the others are like, with a Jaccard index of at least from; so memories at
// its two ends are never far from each other. No member says the opposite of another.
func grouped(x *index.Index, all []*candidate, from float64) [][]Member {
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(len(b.words), len(a.words)), strings.Compare(string(a.entry.Memory.ID), string(b.entry.Memory.ID)))
	})
	items := make([]index.Item, len(all))
	signatures := make([][]uint32, len(all))
	at := make(map[memory.ID]*candidate, len(all))
	for i, c := range all {
		items[i], signatures[i] = c.entry.Item, c.words
		at[c.entry.Memory.ID] = c
	}
	var groups [][]Member
	for i, near := range x.Alike(items, signatures, from) {
		first := all[i]
		if first.taken {
			continue
		}
		members := gather(first, candidatesOf(x, near, at), from)
		if len(members) == 1 {
			continue
		}
		for _, m := range members {
			at[m.Entry.Memory.ID].taken = true
		}
		groups = append(groups, members)
	}
	return groups
}

func candidatesOf(x *index.Index, near []index.Alike, at map[memory.ID]*candidate) []*candidate {
	var out []*candidate
	for i := range near {
		f, ok := x.Catalog().FactsOf(&near[i].Item)
		if ok && at[f.ID] != nil {
			out = append(out, at[f.ID])
		}
	}
	return out
}

// gather returns first and what is like it, the most alike first.
func gather(first *candidate, near []*candidate, from float64) []Member {
	type found struct {
		c     *candidate
		alike float64
	}
	var all []found
	for _, c := range near {
		if c == first || c.taken {
			continue
		}
		if alike := sameness.Jaccard(first.words, c.words); alike >= least(first, c, from) {
			all = append(all, found{c, alike})
		}
	}
	order.Sort(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.alike, a.alike), cmp.Compare(a.c.entry.Memory.ID, b.c.entry.Memory.ID))
	})
	in := []*candidate{first}
	size := first.size()
	members := []Member{{first.entry, 1}}
	for _, f := range all {
		if len(members) == maxMembers || size+f.c.size() > maxWords || slices.ContainsFunc(in, f.c.opposes) {
			continue
		}
		size += f.c.size()
		in, members = append(in, f.c), append(members, Member{f.c.entry, f.alike})
	}
	return members
}

// fewWords is how many words a text has at least of which half say enough: of "the pier is
// painted by the office" and "the quay is painted by the office" they do not.
const fewWords = 8

// least is the Jaccard index from which on two memories may be of one group, where that is
// from for most.
func least(a, b *candidate, from float64) float64 {
	if min(len(a.words), len(b.words)) < fewWords {
		return max(sameness.Same, from)
	}
	return from
}

func (c *candidate) size() int { return len(c.entry.Memory.Title) + len(c.entry.Memory.Text) }

// opposes reports whether two memories in much the same words say different things:
// one denies what the other says, they turn a sentence round, their titles name other
// numbers, or they contradict each other by what they choose.
func (c *candidate) opposes(o *candidate) bool {
	if c.statement.Opposes(&o.statement) {
		return true
	}
	a, b := numbers(c.entry.Memory.Title), numbers(o.entry.Memory.Title)
	if len(a) > 0 && len(b) > 0 && sameness.Shared(a, b) == 0 {
		return true
	}
	x, y := contradiction.Of(c.entry.Memory), contradiction.Of(o.entry.Memory)
	kind, _ := contradiction.Between(&x, &y) // in either order, if at all
	return kind != ""
}

// numbers are the words of a title that begin with a digit, sorted.
func numbers(title string) []string {
	var found []string
	for w := range words.Split(title, ".,") {
		if strings.ContainsAny(w[:1], "0123456789") {
			found = append(found, w)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
