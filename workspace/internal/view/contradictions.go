package view

import (
	"context"
	"slices"

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
		v.Index.Fill(i, &m)
		if v.Items[i].Stage != index.Global && (Decides(m.Type) || v.derived.linked) {
			items = append(items, v.Items[i])
		}
	}
	return v.ContradictionsIn(v.Read(ctx, items, false))
}

// ContradictionsIn is [View.Contradictions] among some memories of the view.
func (v *View) ContradictionsIn(entries []Entry) []Contradiction {
	var live []*memory.Memory
	for i := range entries {
		if e := &entries[i]; e.InForce() && e.Stage != index.Global {
			live = append(live, e.Memory)
		}
	}
	mute := v.mute()
	return contradiction.Find(live, func(m *memory.Memory) bool { return !mute[m.ID] && !m.Outside() })
}

// mute are the memories whose links say nothing of how others stand to them: those in
// quarantine, and those that came from a remote and that nobody here has looked at.
func (v *View) mute() map[memory.ID]bool {
	apart := make(map[string]bool, len(v.hidden.apart))
	for i := range v.hidden.apart {
		apart[v.hidden.apart[i].Blob] = true
	}
	mute := map[memory.ID]bool{}
	for i := range v.Items {
		it, id := &v.Items[i], v.ID(i)
		received := it.Stage == index.Pending && v.doubts.marks.Memory(id)
		if received || apart[it.Blob] {
			mute[id] = true
		}
	}
	return mute
}

// InForce reports whether a memory is neither superseded nor archived.
func (e *Entry) InForce() bool {
	return e.Status != memory.StatusSuperseded && e.Status != memory.StatusArchived
}

// Decides reports whether memories of a type can contradict each other by their words.
func Decides(t memory.Type) bool {
	return slices.Contains([]memory.Type{memory.Decision, memory.Rejected, memory.Architecture, memory.Preference}, t)
}
