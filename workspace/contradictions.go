package workspace

import (
	"context"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

// Contradiction is a pair of memories in force of which only one can hold.
type Contradiction = contradiction.Pair

// Contradictions returns the pairs of memories of the view that contradict each other,
// the newest first. Memories of the user's own store are not compared. A link ends a
// contradiction only if it is in a memory that this clone trusts.
func (v *View) Contradictions(ctx context.Context) []Contradiction {
	var items []index.Item
	var m memory.Memory
	for i := range v.Items {
		if v.Index.Fill(i, &m); v.Items[i].Stage != index.Global && (decides(m.Type) || v.linked) {
			items = append(items, v.Items[i])
		}
	}
	return contradictions(v.entries(ctx, items, false), v.vouches())
}

// vouches tells the memories whose links may say how others stand to them: none in
// quarantine, none that came from a remote and nobody here has looked at, and none that
// repeats what was read.
func (v *View) vouches() func(*memory.Memory) bool {
	apart := make(map[string]bool, len(v.apart))
	for i := range v.apart {
		apart[v.apart[i].Blob] = true
	}
	mute := map[memory.ID]bool{}
	for i := range v.Items {
		if it := &v.Items[i]; apart[it.Blob] || it.Stage == index.Pending && v.marks.Memory(v.ID(i)) {
			mute[v.ID(i)] = true
		}
	}
	return func(m *memory.Memory) bool { return !mute[m.ID] && !m.Outside() }
}

// decides reports whether memories of a type can contradict each other by their words.
func decides(t memory.Type) bool {
	return t == memory.Decision || t == memory.Rejected || t == memory.Architecture || t == memory.Preference
}

func contradictions(entries []Entry, heard func(*memory.Memory) bool) []Contradiction {
	var live []*memory.Memory
	for i := range entries {
		e := &entries[i]
		if e.Status != memory.StatusSuperseded && e.Status != memory.StatusArchived && e.Stage != index.Global {
			live = append(live, e.Memory)
		}
	}
	return contradiction.Find(live, heard)
}
