package view

import (
	"slices"

	"github.com/git-cortex/cortex/memory"
)

// InTurn leaves out what rests, but for plans and what is pinned: the moments that it is about may bring it back.
// It moves the others to the front of the list.
func InTurn(rests func(*memory.Memory) bool, entries []Entry) []Entry {
	return slices.DeleteFunc(entries, func(e Entry) bool {
		return rests(e.Memory) && !e.Memory.Pinned && !e.Memory.OfPlan()
	})
}
