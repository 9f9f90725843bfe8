package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// This file takes back what the agent said or did when the user or git undoes it, or the user
// decides otherwise.

// How many words two findings have in common, and how much of one stands in the other, from
// which on what the user said overrules what the agent had proposed.
const (
	overruledShared = 4
	overruledInside = 0.5
	overruledWithin = 120 // lines
)

// takeBack withdraws the kept findings from a line up to, but without, another one.
func (w *weigher) takeBack(from, to int, reason string, which func(*finding) bool) {
	for _, k := range w.found {
		if k.kept() && k.c.Record >= from && k.c.Record < to && which(k) {
			w.drop(k, Withdrawn, reason)
		}
	}
}

// said reports whether a finding is one that the agent said, or that it wrote for others to
// read.
func (f *finding) said() bool { return f.c.Layer == session.LayerPattern }

// claims reports whether a finding says what was done or made: it falls with the work.
func claims(f *finding) bool {
	made := []memory.Type{memory.Fix, memory.Decision, memory.Progress, memory.Architecture}
	repaired := f.c.Layer == session.LayerStructure && f.c.Memory.Type == memory.Fix
	return repaired || f.said() && slices.Contains(made, f.c.Memory.Type)
}

// eitherInside is how much of one of two texts stands in the other.
func eitherInside(a, b []uint32) float64 { return max(sameness.Inside(a, b), sameness.Inside(b, a)) }

// declined takes back what the agent had worked out since a line when the user turns down the
// question or plan that it led to. What it found out on the way stays.
func (w *weigher) declined(it item, since int) {
	if it.of != transcript.ToolAsk && it.of != transcript.ToolPlan {
		return
	}
	proposed := []memory.Type{memory.Decision, memory.Plan, memory.Progress, memory.Architecture, memory.Fix}
	w.takeBack(since+1, it.record, "turned down by the user at line "+itoa(it.record+1), func(f *finding) bool {
		return f.said() && slices.Contains(proposed, f.c.Memory.Type)
	})
}

// overrule takes back what the agent proposed and the user then turned down
// or replaced: proposals that share the user's own names for things.
func (w *weigher) overrule(f *finding, body string) {
	if f == nil || !f.kept() || f.c.Layer != session.LayerAnswer && f.c.Memory.Type != memory.Rejected {
		return
	}
	named := entitiesIn(body, nil)
	w.takeBack(f.c.Record-overruledWithin, f.c.Record, "overruled by the user at line "+itoa(f.c.Record+1), func(k *finding) bool {
		if rank(k.c.Layer) > rank(session.LayerStructure) {
			return false
		}
		said := strings.ToLower(k.c.Memory.Title + " " + k.c.Memory.Text)
		byName := slices.ContainsFunc(named, func(n string) bool { return strings.Contains(said, strings.ToLower(n)) })
		return byName || sameness.Shared(k.sig, f.sig) >= overruledShared && sameness.Inside(f.sig, k.sig) >= overruledInside
	})
}

// promptBefore is the line of the last prompt ahead of one, 0 when there is none.
func (w *weigher) promptBefore(record int) int {
	at := 0
	for _, q := range w.s.Requests {
		if q.Record < record {
			at = max(at, q.Record)
		}
	}
	return at
}

// rebuffWithin is how much of a prompt is looked at, in bytes: a rebuff comes first.
const rebuffWithin = 120

// undone takes back what the agent did since the prompt before, when the user begins the next
// one by asking to undo it.
func (w *weigher) undone(t, prev *turn) {
	if prev == nil || !asksUndo(ownWords(t.prompt)) {
		return
	}
	w.takeBack(w.promptBefore(t.first), t.first, "overturned by the user at line "+itoa(t.first+1), claims)
}

// asksUndo reports whether a prompt begins with a short order to undo what was done.
func asksUndo(body string) bool {
	for _, s := range prose.Sentences(prose.Clip(body, rebuffWithin)) {
		words := lexicon().Without("aside", prose.Words(s))
		if strings.HasSuffix(s, "?") || begins("no rebuff", words) {
			continue
		}
		if begins("undo", words) && len(words) < 7 {
			return true
		}
	}
	return false
}

// droppedWork takes back what git took back: the memory of a commit that was
// reverted, and claims about files whose changes were dropped before a commit.
func (w *weigher) droppedWork(t, prev *turn) {
	for _, d := range t.deeds {
		reason := "taken back with git at line " + itoa(d.record+1)
		committed := commitBefore(t, prev, d.record)
		switch d.kind {
		case deedRevert:
			if committed >= 0 {
				w.takeBack(committed, committed+1, reason, func(f *finding) bool { return f.c.Layer == session.LayerStructure })
			}
		case deedDropped:
			if after(t.deeds, d.record, deedEdit) == nil { // else it was done again
				from := max(w.promptBefore(t.first), committed)
				w.takeBack(from, d.record, reason, func(f *finding) bool { return claims(f) && speaksOf(f, d.files) })
			}
		}
	}
}

// commitBefore is the line of the last commit ahead of a line, in a turn or the one before it;
// -1 when there is none.
func commitBefore(t, prev *turn, record int) int {
	if c := lastBefore(t.deeds, record, deedCommit); c != nil {
		return c.record
	}
	if prev != nil {
		if c := lastBefore(prev.deeds, t.first, deedCommit); c != nil {
			return c.record
		}
	}
	return -1
}

// speaksOf reports whether a finding names one of some files, or any where there are
// none.
func speaksOf(f *finding, files []string) bool {
	said := f.c.Memory.Title + "\n" + f.c.Memory.Text
	return len(files) == 0 || slices.ContainsFunc(files, func(name string) bool { return strings.Contains(said, name) })
}
