package view

import (
	"slices"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// InTurn leaves out what ten starts named and no session used, but for plans and what is pinned:
// the moments that it is about may bring it back. It moves the others to the front of the list.
func InTurn(seen func(memory.ID) diary.Seen, entries []Entry) []Entry {
	return slices.DeleteFunc(entries, func(e Entry) bool {
		m := e.Memory
		return seen(m.ID).HadItsTurn(true) && !m.Pinned && m.Type != memory.Plan && len(m.Linked(memory.StepOf)) == 0
	})
}
