package projection

import "github.com/git-cortex/cortex/memory"

// SessionNumbers numbers the sessions that memories come from, from 1 in the
// order of their oldest memory, so that numbers stay as new sessions come.
// The key is source.session; memories without one have no number.
func SessionNumbers(memories []*memory.Memory) map[string]int { return nil }
