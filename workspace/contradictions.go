package workspace

import (
	"context"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/stance"
)

// Contradiction is a pair of memories in force of which only one can hold.
type Contradiction = stance.Pair

// Contradictions returns the pairs of memories of the view that contradict each other,
// the newest first. Memories of the user's own store are not compared.
func (v *View) Contradictions(ctx context.Context) []Contradiction {
	var items []index.Item
	var m memory.Memory
	for i := range v.Items {
		if v.Index.Fill(i, &m); v.Items[i].Stage != index.Global && (decides(m.Type) || v.linked) {
			items = append(items, v.Items[i])
		}
	}
	return contradictions(v.entries(ctx, items, false))
}

// decides reports whether memories of a type can contradict each other by their words.
func decides(t memory.Type) bool {
	return t == memory.Decision || t == memory.Rejected || t == memory.Architecture || t == memory.Preference
}

func contradictions(entries []Entry) []Contradiction {
	var live []*memory.Memory
	for i := range entries {
		e := &entries[i]
		if e.Status != memory.StatusSuperseded && e.Status != memory.StatusArchived && e.Stage != index.Global {
			live = append(live, e.Memory)
		}
	}
	return stance.Find(live)
}
