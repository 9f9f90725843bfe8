package consolidate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
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
	words     []uint32    // as they are written, for what the index knows of a memory
	stems     []uint32    // as they are compared
	details   [2][]uint32 // those of them that are numbers, and names of files
	statement sameness.Statement
	alike     []neighbour
	taken     bool
}

// neighbour is a candidate that another one is like.
type neighbour struct {
	*candidate
	alike float64 // the Jaccard index of their stems
}

// grouped puts candidates of one type into groups of two and more. Each group has one
// member that the others are like, with a Jaccard index of at least from; so memories at
// its two ends are never far from each other. No member says the opposite of another.
// What most others are like comes first.
func grouped(x *index.Index, all []*candidate, from float64) [][]Member {
	findAlike(x, all, from)
	lists.Sort(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(len(b.alike), len(a.alike)), cmp.Compare(len(b.stems), len(a.stems)),
			strings.Compare(string(a.entry.Memory.ID), string(b.entry.Memory.ID)))
	})
	var groups [][]Member
	for _, first := range all {
		if first.taken {
			continue
		}
		if members := gather(first); len(members) > 1 {
			groups = append(groups, members)
		}
	}
	return groups
}

// findAlike finds for each candidate the others that may be of its group, the most alike first.
func findAlike(x *index.Index, all []*candidate, from float64) {
	items := make([]index.Item, len(all))
	signatures := make([][]uint32, len(all))
	at := make(map[memory.ID]*candidate, len(all))
	for i, c := range all {
		items[i], signatures[i] = c.entry.Item, c.words
		at[c.entry.Memory.ID] = c
	}
	for i, near := range x.Alike(items, signatures, from*asWritten) {
		c := all[i]
		for _, o := range candidatesOf(x, near, at) {
			if alike := c.like(o); o != c && alike >= least(c, o, from) {
				c.alike = append(c.alike, neighbour{o, alike})
			}
		}
		lists.Sort(c.alike, func(a, b neighbour) int {
			return cmp.Or(cmp.Compare(b.alike, a.alike), cmp.Compare(a.entry.Memory.ID, b.entry.Memory.ID))
		})
	}
}

// like is the Jaccard index of the stems of two candidates. A number, such as that of a pull request, and a file that
// one of them alone names says where it was seen, and makes no other thing of it unless the other names another one.
func (c *candidate) like(o *candidate) float64 {
	a, b := c.stems, o.stems
	for kind := range c.details {
		alone, others := without(c.details[kind], o.stems), without(o.details[kind], c.stems)
		if min(len(alone), len(others)) == 0 {
			a, b = without(a, alone), without(b, others)
		}
	}
	return sameness.Jaccard(a, b)
}

// without is a sorted list without what stands in another one.
func without(list, drop []uint32) []uint32 {
	return lists.Where(list, func(x uint32) bool { return !slices.Contains(drop, x) })
}

// asWritten is how much of what two memories have in common by the stems of their words they
// have by the words as written, at least: "truncates" and "truncated" are two of those.
const asWritten = 0.5

func candidatesOf(x *index.Index, near []index.Alike, at map[memory.ID]*candidate) []*candidate {
	found := lists.Map(near, func(a index.Alike) *candidate {
		f, _ := x.Catalog().FactsOf(&a.Item) // the zero id is nobody's
		return at[f.ID]
	})
	return lists.Without(found, func(c *candidate) bool { return c == nil })
}

// gather takes first and what is like it, the most alike first.
func gather(first *candidate) []Member {
	in := []*candidate{first}
	size := first.size()
	members := []Member{{first.entry, 1}}
	for _, n := range first.alike {
		if len(members) < maxMembers && size+n.size() <= maxWords && n.joins(in) {
			size += n.size()
			in, members = append(in, n.candidate), append(members, Member{n.entry, n.alike})
		}
	}
	for _, c := range in {
		c.taken = true
	}
	return members
}

// joins reports whether a candidate is in no group and can be of one with some others.
func (c *candidate) joins(in []*candidate) bool {
	return !c.taken && !slices.ContainsFunc(in, c.opposes)
}

// fewWords is how many words a text has at least of which half say enough: of "the pier is
// painted by the office" and "the quay is painted by the office" they do not.
const fewWords = 8

// least is the Jaccard index from which on two memories may be of one group, where that is
// from for most.
func least(a, b *candidate, from float64) float64 {
	if min(len(a.stems), len(b.stems)) < fewWords {
		return max(sameness.Same, from)
	}
	return from
}

func (c *candidate) size() int { return len(c.entry.Memory.Title) + len(c.entry.Memory.Text) }

// nearly is the Jaccard index from which on the order of words tells two memories apart.
// In other words the same things are named in any order.
const nearly = 0.8

// opposes reports whether two memories in much the same words say different things:
// one denies what the other says, they turn a sentence round, their titles name other
// numbers, they are traps of other errors, or they contradict each other by what they choose.
func (c *candidate) opposes(o *candidate) bool {
	x, y := contradiction.Of(c.entry.Memory), contradiction.Of(o.entry.Memory)
	kind, _ := contradiction.Between(&x, &y) // in either order, if at all
	return kind != "" || c.statement.Opposes(&o.statement) || c.reverses(o) || c.isOfOthers(o)
}

// reverses reports whether two memories in nearly the same words have two of them turned round.
func (c *candidate) reverses(o *candidate) bool {
	return sameness.Jaccard(c.stems, o.stems) >= nearly && c.statement.Reverses(&o.statement)
}

// isOfOthers reports whether two titles name numbers and none that both have, or two traps errors.
func (c *candidate) isOfOthers(o *candidate) bool {
	a, b := c.entry.Memory, o.entry.Memory
	return apart(numbers(a.Title), numbers(b.Title)) ||
		apart(a.TriggersOf(memory.TriggerError), b.TriggersOf(memory.TriggerError))
}

// apart reports whether neither of two lists is empty, and they have nothing in common.
func apart(a, b []string) bool {
	return min(len(a), len(b)) > 0 && !slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

func join(words []string) string { return strings.Join(words, " ") }

// files are the words of a text that have a dot, a slash or an underscore inside.
func files(text string) []string {
	return lists.Where(strings.Fields(text), func(w string) bool {
		return strings.ContainsAny(strings.Trim(w, ".,;:!?()`'\""), "./_")
	})
}

// numbers are the words of a text that begin with a digit.
func numbers(text string) []string {
	return slices.DeleteFunc(slices.Collect(words.Split(text, ".,")), func(w string) bool {
		return !strings.ContainsAny(w[:1], "0123456789")
	})
}
