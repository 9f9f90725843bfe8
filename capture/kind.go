package capture

import (
	"slices"

	"github.com/git-cortex/cortex/memory"
)

// typeAt corrects the type that the cues of a passage suggest by where it
// stands, as FORMAT.md defines the types: a negation alone is no trap, what a
// document lays down is a decision, what a report describes is how things are
// built, and what the user says is a preference until they choose between things.
func typeAt(at place, typ memory.Type, signs []string) memory.Type {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(signs, n) })
	}
	vague := typ == memory.Gotcha || typ == memory.Learned
	switch {
	case at == placeUser:
		return memory.Preference
	case at == placeCommit && has("commit fix"):
		return memory.Fix
	case at == placeCommit && (typ == memory.Learned || typ == memory.Architecture || typ == memory.Progress):
		return memory.Decision
	case at == placeReport && vague && !has("trap"):
		return memory.Architecture
	case at == placeDocument && (vague || typ == memory.Progress) && !has("trap"):
		if !has("choice", "norm", "heading: decided") && has("structure", "product document") {
			return memory.Architecture
		}
		return memory.Decision
	case (at == placeList || at == placeLead || at == placeHandover) && typ == memory.Gotcha && has("choice") && !has("trap"):
		return memory.Decision
	case typ == memory.Progress && has("choice"):
		return memory.Decision
	case typ == memory.Progress:
		return memory.Learned
	}
	return typ
}
