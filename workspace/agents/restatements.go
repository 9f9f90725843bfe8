package agents

import (
	"slices"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// Bounds of restating: statements are compared from a Jaccard index of alikeFrom on,
// and from identical on they are the same one, whatever type each was guessed to be.
// Of every newWords words that one says, the other may lack one: "run make lint" and
// "run make test" have most words in common too.
const (
	alikeFrom = 0.4
	identical = 0.9
	newWords  = 12
	fewWords  = 4 // a shorter statement is too short to be compared
)

// restatement is how a memory that was just captured stands to one that is known.
type restatement int

const (
	saysMore  restatement = iota // or something else
	saysAgain                    // all that it says is known
	saysBetter
)

// stated reports whether somebody put a tag or a memory of their own in a session.
func stated(m *memory.Memory) bool {
	return m.Source.Layer == "" || m.Source.Layer == string(session.LayerTag)
}

// restates compares m, which a session says, with have, a memory of the view.
//
// They are one fact if they are of one type, nearly all words of one stand in the
// other, and they differ in no number, name, identifier, negation or order (see
// [memory.Covers]). A type that was guessed is not held against the
// very same words. Somebody's tag is never taken for a restatement. If the new
// words hold all that the known ones say, and more, they are the better wording,
// where only a machine has worded what is known and it is still pending.
func restates(have, m *memory.Memory, pending bool) restatement {
	if stated(m) {
		return saysMore
	}
	said := func(m *memory.Memory) string { return m.Title + "\n" + m.Text }
	a, b := memory.Signature(have.Title, have.Text), memory.Signature(m.Title, m.Text)
	alike := memory.Jaccard(a, b)
	if alike < alikeFrom {
		return saysMore
	}
	if have.Type != m.Type && (alike < identical || !guessed(have) || !guessed(m)) {
		return saysMore
	}
	old, now := memory.StatementOf(said(have)), memory.StatementOf(said(m))
	switch {
	case within(b, a) && old.Covers(&now):
		return saysAgain
	case pending && guessed(have) && have.Source.Session != m.Source.Session && within(a, b) && now.Covers(&old):
		return saysBetter
	}
	return saysMore
}

// guessed holds for memories that a machine found and worded and nobody has touched.
func guessed(m *memory.Memory) bool {
	switch m.Source.Layer {
	case string(session.LayerPattern), string(session.LayerStructure):
		return m.Updated.IsZero() && !m.Pinned && m.Source.Agent != memory.Human
	}
	return false
}

// within reports whether nearly all words of a stand in b.
func within(a, b []uint32) bool {
	if len(a) < fewWords {
		return false
	}
	lacks := 0
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); !ok {
			lacks++
		}
	}
	return lacks*newWords <= len(a)
}

// foldRestated returns have as it is once m's session has said it again: the sessions
// are joined, and the better wording stays; the id does as well. It reports whether
// that changed anything. have itself is not changed.
func foldRestated(have, m *memory.Memory) (*memory.Memory, bool) {
	if recipe.Is(have) && recipe.Is(m) {
		return recipe.Fold(have, m)
	}
	out := *have
	out.Seen = slices.Clone(have.Seen)
	if len(out.Seen) == 0 && have.Source.Session != "" {
		out.Seen = append(out.Seen, recipe.SessionMark(have.Source.Session))
	}
	for _, mark := range append([]string{recipe.SessionMark(m.Source.Session)}, m.Seen...) {
		if len(out.Seen) < seenAtMost && mark != "" && !slices.Contains(out.Seen, mark) {
			out.Seen = append(out.Seen, mark)
		}
	}
	if len(out.Seen) < 2 && len(have.Seen) == 0 {
		out.Seen = nil // one session alone
	}
	better := restates(have, m, true) == saysBetter
	if better {
		out.Title, out.Text = m.Title, m.Text
		out.Files, out.Entities, out.Anchors = m.Files, m.Entities, m.Anchors
	}
	out.Source.Origin = originRestated(have, m, better)
	return &out, better || len(out.Seen) != len(have.Seen) || out.Source.Origin != have.Source.Origin
}

// originRestated is the origin of what was said again: a person's once a person says it, and
// where the new words replace the old ones, the weaker of both.
func originRestated(have, m *memory.Memory, better bool) string {
	switch {
	case m.Source.Origin == memory.OriginPerson:
		return m.Source.Origin
	case better:
		return memory.WeakestOrigin(have.Source.Claimed(), m.Source.Claimed())
	}
	return have.Source.Origin
}

// seenAtMost bounds how many sessions a memory names.
const seenAtMost = 12

// reliedOn holds for a memory that other sessions than its own have met or said
// again: its own cannot take it back any more.
func reliedOn(m *memory.Memory) bool {
	own := recipe.SessionMark(m.Source.Session)
	return slices.ContainsFunc(m.Seen, func(s string) bool { return s != own })
}

// metBefore notes that m says again what a memory of the view says, and returns why m
// is not kept.
func (out *Captured) metBefore(m, have *memory.Memory, it *index.Item, as restatement) string {
	counts := it.Stage == index.Pending && have.Source.Session != "" && have.Source.Session != m.Source.Session
	if counts && have.Updated.IsZero() && !have.Pinned {
		out.met = append(out.met, repetition{it.Path, m})
	}
	if as == saysBetter {
		return "says " + it.Path + " in better words"
	}
	return "the same as " + it.Path
}
