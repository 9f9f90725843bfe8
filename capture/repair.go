package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// repairShare is how many words a diagnosis and its repair have in common, and
// causeWords how much of the diagnosis the fix holds.
const (
	repairShare = 4
	causeWords  = 45
	// severalRepairs is how many lines a text has that is about more than one.
	severalRepairs = 4
)

// joinedCue ends the cue of a fix that has taken a diagnosis in.
const joinedCue = ", joined"

// repaired makes one fix of each diagnosis of a turn and the repair that confirmed
// it: a commit, or what the agent said when a check had passed after an edit.
// Guesses that nothing confirmed are not kept.
func (w *weigher) repaired(t *turn, from int) {
	for _, d := range slices.Clone(w.found[from:]) {
		if d.c.Disposition != Kept || !diagnoses(d) {
			continue
		}
		edit := after(t.deeds, d.c.Record, deedEdit, deedCommit)
		if edit == nil {
			w.unconfirmed(d)
			continue
		}
		confirmed := after(t.deeds, edit.record-1, deedPassed, deedCommit)
		failed := false
		for _, x := range t.deeds {
			failed = x.kind == deedFailed || failed && x.kind != deedPassed && x.kind != deedCommit
		}
		if confirmed == nil || failed {
			w.unconfirmed(d)
			continue
		}
		if f := w.repairOf(d, confirmed.record, from); f != nil {
			w.join(d, f)
		}
	}
}

// diagnoses holds for what the agent said, while it worked, about the cause of
// something.
func diagnoses(f *finding) bool {
	if f.c.Layer != session.LayerPattern || f.place != passage.Middle && f.place != passage.Handover {
		return false
	}
	switch f.c.Memory.Type {
	case memory.Gotcha, memory.Learned, memory.Problem, memory.Fix:
		return strings.Contains(f.c.Cue, "cause") || strings.Contains(f.c.Cue, "trap") || strings.Contains(f.c.Cue, "limit")
	}
	return false
}

// repairOf returns the kept finding behind a diagnosis that tells of its repair, nil
// when there is none. A commit or message that lists many repairs is none.
func (w *weigher) repairOf(d *finding, confirmed, from int) *finding {
	for _, f := range w.found[from:] {
		if f == d || f.c.Disposition != Kept || f.c.Record <= d.c.Record || !mended(f) || strings.HasSuffix(f.c.Cue, joinedCue) {
			continue
		}
		switch f.place {
		case passage.Commit:
		case passage.Handover, passage.List, passage.Lead:
			if f.c.Record < confirmed {
				continue
			}
		default:
			continue
		}
		if !collective(f.c.Memory.Title, f.c.Memory.Text) && memory.Shared(d.sig, f.sig) >= repairShare && sameThings(d, f) {
			return f
		}
	}
	return nil
}

// collective holds for a memory about many repairs: a list, or "address the review".
func collective(title, text string) bool {
	words := prose.Words(title)
	return strings.Count(text, "\n") >= severalRepairs || len(words) > 0 && words[0] == "address"
}

// sameThings holds for findings that name something in common.
func sameThings(a, b *finding) bool {
	return slices.ContainsFunc(a.c.Memory.Entities, func(x string) bool { return slices.Contains(b.c.Memory.Entities, x) }) ||
		slices.ContainsFunc(a.c.Memory.Files, func(x string) bool { return slices.Contains(b.c.Memory.Files, x) })
}

// join puts a fix in the place of a diagnosis and its repair.
func (w *weigher) join(d, f *finding) {
	m := f.c.Memory
	text := strings.TrimSpace(m.Text)
	if text == "" {
		text = m.Title
	}
	cause := d.c.Memory.Text
	if cause == "" {
		cause = d.c.Memory.Title
	}
	why := "joined with line " + itoa(f.c.Record+1)
	w.drop(d, Duplicate, why)
	w.drop(f, Duplicate, why)
	x := w.add(draft{
		typ: memory.Fix, title: m.Title, text: text + "\nCause: " + prose.ClipWords(memory.OneLine(cause), causeWords), span: f.c.Span, layer: f.c.Layer,
		conf: max(f.c.Confidence, d.c.Confidence), record: f.c.Record, time: m.Created, cue: f.c.Cue + joinedCue, place: f.place,
	})
	if x == nil || x.c.Disposition != Kept {
		d.c.Disposition, f.c.Disposition = Kept, Kept
		return
	}
	x.judged = f.judged
	w.replaced[d.c.Memory.ID], w.replaced[m.ID] = x.c.Memory.ID, x.c.Memory.ID
}

// unconfirmed drops a diagnosis that was a guess: what is no more than likely is
// known once something has confirmed it.
func (w *weigher) unconfirmed(d *finding) {
	t := " " + strings.Join(prose.Words(d.c.Memory.Title), " ") + " "
	for _, p := range []string{" probably ", " likely ", " i suspect ", " my guess ", " might be ", " hypothesis ", " presumably "} {
		if d.place == passage.Middle && strings.Contains(t, p) {
			w.drop(d, InSession, "a guess that nothing confirmed")
			return
		}
	}
}
