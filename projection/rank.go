package projection

import (
	"math"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// Item is a memory of the view and its state in the view. Only Memory is
// required; it is read, never changed.
type Item struct {
	Memory     *memory.Memory
	Effective  float64       // confidence now, 0–1, as [memory.Decay.Effective] gives it
	Status     memory.Status // superseded and archived ones are left out; empty means active
	Stage      string        // "landed", "pending", "branch-gone" or "global"; all but the first are shown
	Recalls    int           // how often it was recalled
	Recalled   time.Time     // when last; zero for never
	Centrality float64       // in the graph of links, 0–1
	Session    int           // its session's number, shown as s12; 0 is unknown. See [SessionNumbers]
	SameBranch bool          // learned on the branch the reader is on
	Stale      bool          // the code it is about changed since: [CODE CHANGED]
	Read       bool          // its reader knows it: it is in no section
	Outdated   bool          // the working tree contradicts it: [POSSIBLY OUTDATED]
	Number     int           // by which [BriefInput.Text] knows the memory
}

// Rank orders memories for a reader, about 0–1.1, by the formula of docs/behaviour.md,
// "Status and decay":
//
//	0.50·effective + 0.20·priority/10 + 0.15·centrality
//	+ 0.15·log(1+recalls)/log(1+maxRecalls) + 0.1 if on the same branch
//
// maxRecalls is the largest number of recalls of a memory of the view; 0 omits
// the term. The weights are those of [DefaultTuning].
func Rank(it Item, maxRecalls int, by Weights) float64 {
	priority := it.Memory.Priority
	if own, ok := by.Priorities[it.Memory.Type]; ok && priority == it.Memory.Type.Priority() {
		priority = own
	}
	rank := by.Effective*it.Effective + by.Priority*float64(priority)/10 + by.Centrality*it.Centrality
	if maxRecalls > 0 {
		rank += by.Recalls * math.Log1p(float64(it.Recalls)) / math.Log1p(float64(maxRecalls))
	}
	if it.SameBranch {
		rank += by.Branch
	}
	return rank
}

// Confidence names an effective confidence: HIGH from 0.8, MEDIUM from 0.5, LOW
// below.
func Confidence(effective float64) string {
	switch {
	case effective >= 0.8:
		return "HIGH"
	case effective >= 0.5:
		return "MEDIUM"
	}
	return "LOW"
}
