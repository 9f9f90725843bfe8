package passage

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/memory"
)

// Reading is a statement as its type follows from it: see [Reading.Type].
type Reading struct {
	At      Place
	Cued    memory.Type // what its cues suggest
	Signs   []string    // see [Passage.Signs]
	Title   string
	Edited  bool // its turn wrote a file or committed
	Several bool // it tells of several things
}

// Type is the type of a statement as FORMAT.md defines the types, by where it stands
// and what was done in its turn: a negation alone is no trap, what a document lays
// down is a decision, what a report describes is how things are built, what the user
// says is a preference until they choose between things, and nothing is mended where
// nothing was changed.
func (r *Reading) Type() memory.Type {
	now := *r
	now.Cued = r.placed()
	return now.acted()
}

func (r *Reading) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(r.Signs, n) })
}

// placed corrects the type by where the statement stands.
func (r *Reading) placed() memory.Type {
	vague := r.Cued == memory.Gotcha || r.Cued == memory.Learned
	switch {
	case r.At == User && (r.has("said instead") || r.has("said choice") && r.changes()):
		return memory.Decision
	case r.At == User:
		return memory.Preference
	case r.At == Commit && r.has("commit fix") && !r.Several:
		return memory.Fix
	case r.At == Commit && (vague || r.Cued == memory.Architecture || r.Cued == memory.Progress || r.Cued == memory.Fix && r.Several):
		return memory.Decision
	case r.At == Report && (vague && !r.has("trap") || r.Cued == memory.Decision || r.Cued == memory.Fix):
		return memory.Architecture
	case r.At == Document && (vague || r.Cued == memory.Progress) && !r.has("trap"):
		if !r.has("choice", "norm", "heading: decided") && r.has("structure", "product document") {
			return memory.Architecture
		}
		return memory.Decision
	case r.At == Document && (r.Cued == memory.Fix || r.Cued == memory.Preference):
		return memory.Decision
	case r.closing() && r.Cued == memory.Gotcha && r.has("choice") && !r.has("trap"):
		return memory.Decision
	case r.Cued == memory.Progress && r.has("choice"):
		return memory.Decision
	case r.closing() && r.Cued == memory.Plan && r.has("choice"): // what is put off was decided
		return memory.Decision
	case r.Cued == memory.Progress:
		return memory.Learned
	}
	return r.Cued
}

// acted corrects the type of what the agent said by what was done in the turn.
func (r *Reading) acted() memory.Type {
	if r.At != Middle && !r.closing() {
		return r.Cued
	}
	title := prose.Words(r.Title)
	listed := r.At == List || r.At == Lead
	switch {
	case strings.Contains(r.Title, "- fixed by ") || strings.Contains(r.Title, "— fixed by ") || strings.Contains(r.Title, "– fixed by "):
		return memory.Fix // wherever it was done
	case r.Cued == memory.Fix && !r.Edited:
		return memory.Gotcha
	case r.At == Middle && r.Cued == memory.Decision && !r.Edited:
		return memory.Gotcha
	case r.Cued == memory.Learned && listed && r.Edited:
		return memory.Decision
	case r.Cued == memory.Learned && listed:
		return memory.Architecture
	case r.closing() && r.Cued == memory.Gotcha && r.has("prompt asks") && !r.Edited: // the answer to how it is
		return memory.Architecture
	case r.closing() && r.Cued == memory.Gotcha && Cues(title, "choice") > 0 && Cues(title, "trap") == 0:
		return memory.Decision
	case r.closing() && r.Cued == memory.Decision && !r.Edited && Cues(title, "limit", "trap") > 0:
		return memory.Gotcha
	}
	return r.Cued
}

// closing holds for the agent's last words in a turn.
func (r *Reading) closing() bool { return r.At == Handover || r.At == List || r.At == Lead }

// changes reports whether the user says to drop, rename or replace something.
func (r *Reading) changes() bool {
	return slices.ContainsFunc(prose.Words(r.Title), func(w string) bool {
		return w == "rename" || w == "remove" || w == "drop" || w == "replace"
	})
}
