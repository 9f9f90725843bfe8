package passage

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
	"github.com/git-cortex/cortex/memory"
)

// Reading is a statement as its type follows from it: see [Reading.Type].
type Reading struct {
	At          Place
	Cued        memory.Type // what its cues suggest
	Signs       []string    // see [Passage.Signs]
	Title, Text string
	Prompt      string // what began its turn
	Changed     bool   // its turn had written a file or committed before it
	Several     bool   // it tells of several things
}

// Type is the type of a statement as FORMAT.md defines the types, by where it stands and
// what its turn had done before it. A negation alone is no trap. What a document or a plan
// lays down was decided, and so was what the agent tells of its changes in the end. What a
// report describes, or the agent in answer to a question, is how things are built. What the
// project demands of those who work on it is a preference, and what the user says, until
// they choose between things. Nothing is mended before something was changed.
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
	written := r.At == Document || r.At == Plan
	switch {
	case r.At == User && (r.has("said instead") || r.has("said choice") && r.changes()):
		return memory.Decision
	case r.At == User:
		return memory.Preference
	case r.At == Commit && r.has("commit fix") && !r.Several:
		return memory.Fix
	case r.At == Commit && (vague || r.Cued == memory.Architecture || r.Cued == memory.Progress || r.Cued == memory.Fix && r.Several):
		return memory.Decision
	case r.At != Commit && r.Cued != memory.Rejected && r.instructs():
		return memory.Preference
	case r.At == Report && (vague && !r.has("trap") || r.Cued == memory.Decision || r.Cued == memory.Fix):
		return memory.Architecture
	case written && (vague || r.Cued == memory.Progress) && !r.has("trap"):
		if !r.has("choice", "norm", "heading: decided") && r.has("structure", "product document") {
			return memory.Architecture
		}
		return memory.Decision
	case written && (r.Cued == memory.Fix || r.Cued == memory.Preference):
		return memory.Decision
	case r.closing() && r.Cued == memory.Plan && r.has("choice"): // what is put off was decided
		return memory.Decision
	case r.Cued == memory.Progress:
		return memory.Learned
	}
	return r.Cued
}

// acted corrects the type of what the agent said by what its turn had done.
func (r *Reading) acted() memory.Type {
	if r.At != Middle && !r.closing() {
		return r.Cued
	}
	title := prose.Words(r.Title)
	trap := Cues(title, "trap") > 0
	switch {
	case strings.Contains(r.Title, "- fixed by ") || strings.Contains(r.Title, "— fixed by ") || strings.Contains(r.Title, "– fixed by "):
		return memory.Fix // wherever it was done
	case r.Cued == memory.Fix && !r.Changed:
		return memory.Gotcha
	case r.At == Middle:
		return r.Cued
	case r.Cued == memory.Gotcha && r.Changed && trap && sentence.States(r.Title): // the change did not end it
		return memory.Gotcha
	case r.Changed && (r.Cued == memory.Gotcha || r.Cued == memory.Learned || r.Cued == memory.Architecture):
		return memory.Decision
	case r.Cued == memory.Learned && r.At != Handover, r.Cued == memory.Gotcha && asks(r.Prompt):
		return memory.Architecture
	case r.Cued == memory.Gotcha && !trap && Cues(title, "choice") > 0:
		return memory.Decision
	case r.Cued == memory.Decision && !r.Changed && Cues(title, "limit", "trap") > 0:
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

// instructs reports whether the statement is about a rule that the project lays down for those
// who work on it: its conventions, or its instructions for agents.
func (r *Reading) instructs() bool {
	said := r.Title
	if !strings.Contains(r.Text, "\n") { // else it is one of several things
		said += ".\n" + r.Text
	}
	return slices.ContainsFunc(prose.Sentences(said), func(s string) bool {
		words := prose.Words(s)
		return Cues(words, "norm") > 0 && slices.ContainsFunc(rulebooks(), func(name string) bool {
			return strings.Contains(" "+strings.Join(words, " ")+" ", " "+name+" ")
		})
	})
}

func rulebooks() []string {
	return []string{"convention", "conventions", "guidelines", "style guide", "house style", "instructions", "claude md", "agents md", "contributing md"}
}

// asks reports whether a prompt puts a question; people leave the mark out.
func asks(prompt string) bool {
	return strings.Contains(prompt, "?") || slices.ContainsFunc(prose.Sentences(prompt), func(s string) bool {
		return slices.Contains([]string{
			"what", "how", "why", "where", "which", "when", "who", "is", "are", "was", "were", "do", "does", "did", "has", "have", "should", "would",
		}, strings.ToLower(prose.FirstWord(s)))
	})
}
