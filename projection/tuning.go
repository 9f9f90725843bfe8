package projection

import (
	"cmp"
	"maps"

	"github.com/git-cortex/cortex/memory"
)

// Tuning holds the constants of rank and briefing that a team may set, as docs/settings.md,
// "Settings", lists them. The zero value is not useful: start from [DefaultTuning].
type Tuning struct {
	Rank      Weights
	Decisions float64             // share of a briefing that decisions may fill while others want room, 0–1
	Lines     map[memory.Type]int // lines of each [LineGroup] before the best of the rest fills the room
	Reverify  int                 // sessions after which a briefing asks for a check; 0 is never
	Checked   int                 // lines that it asks to check
	Unused    int                 // sessions without use after which a memory is possibly outdated; 0 is never
	Tiers     BriefTiers
}

// BriefTiers divide the decisions and rejections of a briefing, as those of the pages are
// divided. The pages have their own: a merge of pages knows of no settings.
type BriefTiers struct {
	Recent int // sessions back that count as recent
	Full   int // recent ones that may be shown in full
	Short  int // others that are shown in a line
}

// Weights are those of the terms of [Rank].
type Weights struct {
	Effective  float64
	Priority   float64
	Centrality float64
	Recalls    float64
	Branch     float64

	// Priorities are those of types, for memories that have the default of theirs; nil
	// changes none.
	Priorities map[memory.Type]int
}

// DefaultTuning returns the constants that hold where a team says nothing.
func DefaultTuning() Tuning {
	return Tuning{
		Rank:      Weights{Effective: 0.50, Priority: 0.20, Centrality: 0.15, Recalls: 0.15, Branch: 0.1},
		Decisions: 0.40, Reverify: 10, Checked: 5, Unused: 20,
		Tiers: BriefTiers{Recent: fullSessions, Full: fullLimit, Short: agingLimit},
		Lines: map[memory.Type]int{
			memory.Architecture: 25, memory.Decision: 25, memory.Pattern: 25, memory.Gotcha: 20, memory.Progress: 30,
			memory.Context: 15, memory.Code: 10,
		},
	}
}

// LineGroup is the type that stands for a group of similar types, which share the
// lines of a briefing.
func LineGroup(t memory.Type) memory.Type {
	groups := map[memory.Type]memory.Type{
		memory.Architecture: memory.Architecture, memory.Code: memory.Code,
		memory.Decision: memory.Decision, memory.Rejected: memory.Decision,
		memory.Pattern: memory.Pattern, memory.Learned: memory.Pattern, memory.Fix: memory.Pattern,
		memory.Gotcha: memory.Gotcha, memory.Preference: memory.Gotcha,
		memory.Progress: memory.Progress, memory.Plan: memory.Progress,
	}
	return cmp.Or(groups[t], memory.Context) // context, questions, problems
}

// orDefault returns t with the lines of every group; nil stands for the default.
func (t *Tuning) orDefault() Tuning {
	if t == nil {
		return DefaultTuning()
	}
	out := *t
	out.Lines = DefaultTuning().Lines
	maps.Copy(out.Lines, t.Lines)
	return out
}
