package view

import (
	"slices"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// InTurn leaves out what rests, but for plans and what is pinned: the moments that it is about may bring it back.
// It moves the others to the front of the list.
func InTurn(rests func(m *memory.Memory, wish bool) bool, entries []Entry) []Entry {
	return slices.DeleteFunc(entries, func(e Entry) bool {
		return rests(e.Memory, e.isWish()) && !e.Memory.Pinned && !e.Memory.OfPlan()
	})
}

// isWish reports whether an entry is what the user asked for in one session, and has not landed.
func (e *Entry) isWish() bool {
	return e.Stage == index.Pending && e.Memory.Type == memory.Preference && len(e.Memory.Seen) < 2
}
