package view

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
	"github.com/git-cortex/cortex/workspace/internal/facts"
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
		if e := &entries[i]; e.contends() {
			live = append(live, e.Memory)
		}
	}
	mute := v.mute()
	heard := func(m *memory.Memory) bool { return !mute[m.ID] && !m.Outside() }
	if len(live) < fewConflicts {
		return contradiction.Find(live, heard)
	}
	return v.keptConflicts(live, keyOf(entries, heard, facts.Build(v.program)), heard)
}

// fewConflicts is among how many memories contradictions are found sooner than read.
const fewConflicts = 100

// keyOf is a digest of all that contradictions among memories depend on: the files, which of them are heard,
// how much of each was read, and the build of this program.
func keyOf(entries []Entry, heard func(*memory.Memory) bool, build string) string {
	return digest(build, func(add func(word string)) {
		for i := range entries {
			if e := &entries[i]; e.contends() {
				add(e.Blob)
				add(strconv.FormatBool(heard(e.Memory)))
				add(strconv.FormatBool(e.Memory.Text == ""))
			}
		}
	})
}

// digest is one of a text, and of words none of which has a space.
func digest(text string, each func(add func(word string))) string {
	sum := sha256.New()
	line := fmt.Appendf(nil, "%q", text)
	sum.Write(line)
	each(func(word string) {
		line = append(append(line[:0], ' '), word...)
		sum.Write(line)
	})
	return hex.EncodeToString(sum.Sum(nil))
}

// Sifted are the memories in force among entries that are wanted, but for those of the user's own store. Which ones
// is kept for as long as the files, the rule that says so, and the build of this program are the same: whether a memory
// is wanted depends on its head and the rule alone.
func (v *View) Sifted(entries []Entry, rule string, wanted func(*memory.Memory) bool) []*memory.Memory {
	var memories []*memory.Memory
	key := digest(facts.Build(v.program)+rule, func(add func(word string)) {
		for i := range entries {
			if e := &entries[i]; e.Status == memory.StatusActive && e.Stage != index.Global {
				memories = append(memories, e.Memory)
				add(e.Blob)
			}
		}
	})
	if len(memories) < fewSifted {
		return lists.Where(memories, wanted)
	}
	ids, ok := facts.Kept[[]string](v.repo, facts.Sifted, key)
	if !ok {
		ids = lists.Map(lists.Where(memories, wanted), func(m *memory.Memory) string { return string(m.ID) })
		facts.Keep(v.repo, facts.Sifted, key, ids)
	}
	known := lists.Set(ids)
	return lists.Where(memories, func(m *memory.Memory) bool { return known[string(m.ID)] })
}

// fewSifted is how many memories are looked at sooner than what is kept of them.
const fewSifted = 1000

// conflict is a pair as it is kept: memories by their places among those that are compared.
type conflict struct {
	Newer int                `json:"n"`
	Older int                `json:"o"`
	Kind  contradiction.Kind `json:"k"`
	What  string             `json:"w"`
}

// keptConflicts are the contradictions among memories, which are kept for as long as the same ones are compared.
func (v *View) keptConflicts(live []*memory.Memory, key string, heard func(*memory.Memory) bool) []Contradiction {
	if kept, ok := facts.Kept[[]conflict](v.repo, facts.Conflicts, key); ok {
		return lists.Map(kept, func(c conflict) Contradiction {
			return Contradiction{Newer: live[c.Newer], Older: live[c.Older], Kind: c.Kind, What: c.What}
		})
	}
	at := make(map[*memory.Memory]int, len(live))
	for i, m := range live {
		at[m] = i
	}
	found := contradiction.Find(live, heard)
	facts.Keep(v.repo, facts.Conflicts, key, lists.Map(found, func(c Contradiction) conflict {
		return conflict{at[c.Newer], at[c.Older], c.Kind, c.What}
	}))
	return found
}

// mute are the memories whose links say nothing of how others stand to them: those in
// quarantine, and those that came from a remote and that nobody here has looked at.
func (v *View) mute() map[memory.ID]bool {
	apart := lists.SetOf(v.hidden.apart, func(it index.Item) string { return it.Blob })
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

// contends reports whether the memory may contradict others.
func (e *Entry) contends() bool { return e.InForce() && e.Stage != index.Global }

// InForce reports whether a memory is neither superseded nor archived.
func (e *Entry) InForce() bool {
	return e.Status != memory.StatusSuperseded && e.Status != memory.StatusArchived
}

// Decides reports whether memories of a type can contradict each other by their words.
func Decides(t memory.Type) bool {
	return slices.Contains([]memory.Type{memory.Decision, memory.Rejected, memory.Architecture, memory.Preference}, t)
}
