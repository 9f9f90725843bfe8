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

// This file takes back what the agent said or did when the user, a test, git, or the agent's
// own later words overturn it.

// How many words two findings have in common, and how much of one stands in the other, from
// which on the later one takes the earlier one back.
const (
	revisedInside    = 0.4 // of two in one turn
	retractedShared  = 3
	retractedInside  = 0.3
	retractedWithin  = 80 // lines
	overturnedShared = 6
	overturnedInside = 0.33
	overturnedWithin = 400 // lines
	overruledShared  = 4
	overruledInside  = 0.5
	overruledWithin  = 120 // lines
	failedShared     = 2   // of a repair, with what the agent says of a failed check
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
	return f.said() && slices.Contains(made, f.c.Memory.Type) || mended(f)
}

// mended reports whether a finding says that something was repaired.
func mended(f *finding) bool {
	if f.said() {
		return f.c.Memory.Type == memory.Fix || strings.Contains(f.c.Cue, "repair")
	}
	return f.c.Memory.Type == memory.Fix && f.c.Layer == session.LayerStructure
}

// sameSubject keeps, of what the agent said while working, the last word on
// each subject: a diagnosis is often revised before the turn ends.
func (w *weigher) sameSubject(before, now []*finding) []*finding {
	for _, f := range now {
		if !f.kept() {
			continue
		}
		for _, b := range before {
			if b.kept() && eitherInside(b.sig, f.sig) >= revisedInside {
				w.drop(b, Withdrawn, "revised at line "+itoa(f.c.Record+1))
			}
		}
		before = append(before, f)
	}
	return before
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

// overturned takes back what an earlier turn said on a subject on which the
// agent has now changed its mind.
func (w *weigher) overturned(now []*finding, first int) {
	for _, f := range now {
		if !f.kept() || !in("overturns", prose.Words(f.c.Memory.Title+" "+f.c.Memory.Text)) {
			continue
		}
		w.takeBack(first-overturnedWithin, first, "overturned at line "+itoa(f.c.Record+1), func(k *finding) bool {
			return k.said() && sameness.Shared(k.sig, f.sig) >= overturnedShared && sameness.Inside(k.sig, f.sig) >= overturnedInside
		})
	}
}

// retraction takes back what the agent said before when it admits an error at the beginning
// of a message.
func (w *weigher) retraction(it item) {
	if !in("retracts", prose.Words(prose.Plain(prose.Clip(it.text, 600)))) {
		return
	}
	sig := sameness.Signature(prose.Plain(it.text))
	w.takeBack(it.record-retractedWithin, it.record, "taken back at line "+itoa(it.record+1), func(k *finding) bool {
		return k.said() && sameness.Shared(k.sig, sig) >= retractedShared && sameness.Inside(k.sig, sig) >= retractedInside
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

// rebuffed takes back what the user's next words overturn: a repair that did not
// work, work that is to be undone, a statement that is not true.
func (w *weigher) rebuffed(t, prev *turn) {
	body := ownWords(t.prompt)
	if prev == nil {
		return
	}
	from, reason := w.promptBefore(t.first), "overturned by the user at line "+itoa(t.first+1)
	said := sameness.Signature(body)
	about := func(f *finding) bool { return sameness.Shared(f.sig, said) > 0 }
	switch rebuffOf(body) {
	case "undo":
		w.takeBack(from, t.first, reason, claims)
	case "not mended":
		points := in("points", prose.Words(prose.Clip(body, rebuffWithin)))
		w.takeBack(from, t.first, reason, func(f *finding) bool { return mended(f) && (f.said() || points || about(f)) })
	case "not true":
		if last := prev.lastMessage(); last != nil {
			short := len(prose.Words(body)) < 8
			w.takeBack(last.record, last.record+1, reason, func(f *finding) bool { return f.said() && (short || about(f)) })
		}
	}
}

// rebuffOf is the class of words with which a prompt begins to overturn what was said or done,
// "" for none.
func rebuffOf(body string) string {
	for _, s := range prose.Sentences(prose.Clip(body, rebuffWithin)) {
		words := lexicon().Without("aside", prose.Words(s))
		if strings.HasSuffix(s, "?") || begins("no rebuff", words) {
			continue
		}
		if begins("undo", words) && len(words) < 7 {
			return "undo"
		}
		for _, class := range []string{"not mended", "not true"} {
			if in(class, prose.Words(s)) {
				return class
			}
		}
	}
	return ""
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

// failedSince takes back the repairs before a check that failed and did not pass
// again in its turn, as far as the agent then speaks of the same things. A check
// that failed after another edit may have failed because of it.
func (w *weigher) failedSince(t *turn) {
	failed := after(t.deeds, t.first, deedFailed)
	if failed == nil || after(t.deeds, failed.record, deedPassed, deedCommit) != nil {
		return
	}
	from := w.promptBefore(t.first)
	if e := lastBefore(t.deeds, failed.record, deedEdit); e != nil {
		from = e.record
	}
	var said strings.Builder
	for _, it := range t.items {
		if it.kind == itText && it.record > failed.record {
			said.WriteString(it.text + "\n")
		}
	}
	sig := sameness.Signature(prose.Plain(said.String()))
	w.takeBack(from, failed.record, "a check failed after it at line "+itoa(failed.record+1), func(f *finding) bool {
		return mended(f) && sameness.Shared(f.sig, sig) >= failedShared
	})
}
