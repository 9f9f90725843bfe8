package view

import (
	"slices"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/policy"
)

// Unconsolidated counts the memories among which there may be some that say the same.
type Unconsolidated struct {
	New int `json:"new"` // since somebody last looked at the groups, or brought one together
	All int `json:"all"` // that are in force
	Due int `json:"due"` // how many of the triggers of the policy are met: none, one, or both
}

// Unconsolidated counts the memories of the view and compares them with the policy's
// consolidate.new and consolidate.all. Without a new one nothing is due. Looked is when somebody
// was last shown which memories say the same.
func (v *View) Unconsolidated(looked time.Time, policy policy.ConsolidateTriggers) (out Unconsolidated) {
	since := v.consolidatedLast(looked)
	var m memory.Memory
	for i := range v.Items {
		if !v.consolidates(&v.Items[i]) {
			continue
		}
		out.All++
		v.Index.Fill(i, &m)
		if v.isAfter(m.Created, since) {
			out.New++
		}
	}
	if out.New == 0 {
		return out
	}
	if out.New >= policy.New {
		out.Due++
	}
	if out.All >= policy.All {
		out.Due++
	}
	return out
}

// consolidatedLast is when memories were last compared: looked, or when one was made that
// stands for several others.
func (v *View) consolidatedLast(looked time.Time) time.Time {
	since := looked
	if v.ahead(since) { // somebody looked by a clock that was set wrong
		since = time.Time{}
	}
	for i := range v.Items {
		if !v.Index.Linked(i) {
			continue
		}
		f := v.Index.Facts(i)
		m := f.Memory()
		if Consolidated(&m) && v.isAfter(f.Created, since) {
			since = f.Created
		}
	}
	return since
}

// consolidates reports whether an item is of this project, of this branch and in force.
func (v *View) consolidates(it *index.Item) bool {
	if it.Stage == index.Global || it.Stage == index.Pending && it.Far == FarElsewhere {
		return false
	}
	return it.Status != memory.StatusSuperseded && it.Status != memory.StatusArchived
}

// ahead reports whether a time is so far ahead of the clock of this clone that one of both
// is wrong. What is of such a time is never new, and never a reason to wait.
func (v *View) ahead(t time.Time) bool {
	return !v.derived.now.IsZero() && t.Sub(v.derived.now) > clocksApart
}

// isAfter reports whether a time is after another one, and not ahead of the clock of this clone.
func (v *View) isAfter(t, since time.Time) bool { return t.After(since) && !v.ahead(t) }

// clocksApart is how far the clocks of two clones may be apart.
const clocksApart = 24 * time.Hour

// Consolidated reports whether a memory stands for several others: it links
// derived_from and supersedes to them.
func Consolidated(m *memory.Memory) bool {
	old := m.Linked(memory.Supersedes)
	both := lists.Where(m.Linked(memory.DerivedFrom), func(id memory.ID) bool { return slices.Contains(old, id) })
	return len(both) > 1
}
