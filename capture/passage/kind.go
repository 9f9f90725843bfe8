package passage

import (
	"slices"

	"github.com/git-cortex/cortex/memory"
)

// TypeAt corrects the type that the cues of a passage suggest by where it
// stands, as FORMAT.md defines the types: a negation alone is no trap, what a
// document lays down is a decision, what a report describes is how things are
// built, and what the user says is a preference until they choose between things.
func TypeAt(at Place, typ memory.Type, signs []string) memory.Type {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(signs, n) })
	}
	vague := typ == memory.Gotcha || typ == memory.Learned
	switch {
	case at == User && has("said instead"):
		return memory.Decision
	case at == User:
		return memory.Preference
	case at == Commit && has("commit fix"):
		return memory.Fix
	case at == Commit && (typ == memory.Learned || typ == memory.Architecture || typ == memory.Progress):
		return memory.Decision
	case at == Report && vague && !has("trap"):
		return memory.Architecture
	case at == Document && (vague || typ == memory.Progress) && !has("trap"):
		if !has("choice", "norm", "heading: decided") && has("structure", "product document") {
			return memory.Architecture
		}
		return memory.Decision
	case (at == List || at == Lead || at == Handover) && typ == memory.Gotcha && has("choice") && !has("trap"):
		return memory.Decision
	case typ == memory.Progress && has("choice"):
		return memory.Decision
	case typ == memory.Plan && has("choice") && (at == Handover || at == List || at == Lead): // what is put off was decided
		return memory.Decision
	case typ == memory.Progress:
		return memory.Learned
	}
	return typ
}
