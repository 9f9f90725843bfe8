package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// This file takes back what the agent said or did when the user or git undoes it, or the user
// decides otherwise.

// takeBack withdraws the kept findings from a line up to, but without, another one.
func (w *weigher) takeBack(from, to int, reason string, which func(*finding) bool) {
	for k := range w.kept() {
		if k.between(from, to) && which(k) {
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
	if !asksUser(it.of) {
		return
	}
	proposed := []memory.Type{memory.Decision, memory.Plan, memory.Progress, memory.Architecture, memory.Fix}
	w.takeBack(since+1, it.record, "turned down by the user at line "+itoa(it.record+1), func(f *finding) bool {
		return f.said() && slices.Contains(proposed, f.c.Memory.Type)
	})
}

// requestBefore is the last request ahead of a line, a zero one when there is none.
func (w *weigher) requestBefore(record int) session.Request {
	for _, q := range slices.Backward(w.s.Requests) {
		if q.Record < record {
			return q
		}
	}
	return session.Request{}
}

// rebuffWithin is how much of a prompt is looked at, in bytes: a rebuff comes first.
const rebuffWithin = 120

// undone takes back what the agent did since the prompt before, when the user begins the next
// one by asking to undo it.
func (w *weigher) undone(t *turn) {
	if !asksUndo(ownWords(t.prompt)) {
		return
	}
	w.takeBack(w.requestBefore(t.first).Record, t.first, "overturned by the user at line "+itoa(t.first+1), claims)
}

// asksUndo reports whether a prompt begins with a short order to undo what was done.
func asksUndo(body string) bool {
	return slices.ContainsFunc(prose.Sentences(prose.Clip(body, rebuffWithin)), ordersUndo)
}

// longestOrder is how many words an order to undo something has at most.
const longestOrder = 6

// ordersUndo reports whether a sentence is a short order to undo what was done.
func ordersUndo(sentence string) bool {
	words := lexicon().Without("aside", prose.Words(sentence))
	asks := strings.HasSuffix(sentence, "?") || begins("no rebuff", words)
	return !asks && begins("undo", words) && len(words) <= longestOrder
}

// reverted takes back the memories of a commit that was reverted in this turn, be it one of the turn before.
func (w *weigher) reverted(t, prev *turn) {
	deeds := slices.Concat(cmp.Or(prev, &turn{}).deeds, t.deeds)
	for i, d := range deeds {
		if d.kind != deedRevert || d.record < t.first {
			continue
		}
		if c := lastBefore(deeds[:i], deedCommit); c != nil {
			reason := "taken back with git at line " + itoa(d.record+1)
			w.takeBack(c.record, c.record+1, reason,
				func(f *finding) bool { return f.c.Layer == session.LayerStructure })
		}
	}
}
