package workspace

import (
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

// Contradiction is two memories of which only one can hold.
type Contradiction = contradiction.Pair

// Contradicting are the pairs among memories in force of which only one can hold, the newest first. A link of what was
// read elsewhere settles nothing.
func Contradicting(live []*memory.Memory) []Contradiction {
	return contradiction.Find(live, func(m *memory.Memory) bool { return !m.Outside() })
}
