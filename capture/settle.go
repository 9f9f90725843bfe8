package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// This file takes back what the user, a test or git overturned, and makes one fix
// of a diagnosis and its repair. withdraw.go does what the agent's own words and a
// refusal take back.

// settleTurn decides, once a turn is weighed, what of it and of the turn before held.
func (w *weigher) settleTurn(t, prev *turn, from int) {
	w.droppedWork(t, prev)
	w.failedSince(t)
	w.repaired(t, from)
}

// claims holds for a finding that says what was done or made: it falls with the work.
func claims(f *finding) bool {
	switch f.c.Memory.Type {
	case memory.Fix, memory.Decision, memory.Progress, memory.Architecture:
		return f.c.Layer == session.LayerPattern
	}
	return false
}

// mended holds for a finding that says that something was repaired.
func mended(f *finding) bool {
	return f.c.Memory.Type == memory.Fix && (f.c.Layer == session.LayerPattern || f.c.Layer == session.LayerStructure) ||
		f.c.Layer == session.LayerPattern && strings.Contains(f.c.Cue, "repair")
}

// takeBack withdraws the kept findings from a line up to, but without, another one.
func (w *weigher) takeBack(from, to int, which func(*finding) bool, reason string) {
	for _, k := range w.found {
		if k.c.Disposition == Kept && !k.gone && k.c.Record >= from && k.c.Record < to && which(k) {
			w.drop(k, Withdrawn, reason)
		}
	}
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

// rebuff is how a user's words overturn what the agent said or did.
type rebuff int

const (
	noRebuff rebuff = iota
	notMended
	undoIt
	notTrue
)

// rebuffed takes back what the user's next words overturn: a repair that did not
// work, work that is to be undone, a statement that is not true.
func (w *weigher) rebuffed(t, prev *turn) {
	body := ownWords(t.prompt)
	kind := rebuffOf(body)
	if kind == noRebuff || prev == nil {
		return
	}
	from, reason := w.promptBefore(t.first), "overturned by the user at line "+itoa(t.first+1)
	switch kind {
	case notMended:
		said, points := memory.Signature(body), pointsAt(body)
		w.takeBack(from, t.first, func(f *finding) bool {
			return mended(f) && (f.c.Layer == session.LayerPattern || points || memory.Shared(f.sig, said) > 0)
		}, reason)
	case undoIt:
		w.takeBack(from, t.first, func(f *finding) bool { return claims(f) || mended(f) }, reason)
	case notTrue:
		last := prev.lastMessage()
		if last == nil {
			return
		}
		said := memory.Signature(body)
		w.takeBack(last.record, last.record+1, func(f *finding) bool {
			return f.c.Layer == session.LayerPattern && (len(prose.Words(body)) < 8 || memory.Shared(f.sig, said) > 0)
		}, reason)
	}
}

// pointsAt holds for words that speak of what was just said, where "the tests still
// fail" may be about something else: a commit is only taken back by the former.
func pointsAt(body string) bool {
	words := prose.Words(prose.Clip(body, rebuffWithin))
	return slices.ContainsFunc(words, func(x string) bool {
		return slices.Contains([]string{"that", "this", "it", "that's", "das", "es", "eso", "esto", "ça", "cela"}, x)
	})
}

// rebuffWithin is how much of a prompt is looked at, in bytes: a rebuff comes first.
const rebuffWithin = 120

// rebuffOf reads the beginning of a prompt, in English, German, Spanish and French.
func rebuffOf(body string) rebuff {
	for _, s := range prose.Sentences(prose.Clip(body, rebuffWithin)) {
		words := prose.Words(s)
		if len(words) == 0 || strings.HasSuffix(s, "?") {
			continue
		}
		t := " " + strings.Join(words, " ") + " "
		has := func(list ...string) bool {
			return slices.ContainsFunc(list, func(p string) bool { return strings.Contains(t, " "+p+" ") })
		}
		for len(words) > 1 && slices.Contains([]string{"no", "ok", "okay", "please", "hmm", "nein", "bitte", "non", "funciona"}, words[0]) {
			words = words[1:]
		}
		switch words[0] {
		case "why", "how", "when", "if", "what", "warum", "wenn", "wie", "por", "si", "cuando", "pourquoi", "quand":
			continue
		}
		switch {
		case slices.Contains([]string{"undo", "revert", "deshaz", "deshazlo", "revierte", "annule"}, words[0]) && len(words) < 7,
			has("mach das rückgängig", "mach es rückgängig", "take that back", "roll that back", "roll it back"):
			return undoIt
		case has("didn't work", "did not work", "doesn't work", "does not work", "not working", "still failing", "still fails", "still broken", "same error", "still happens",
			"still happening", "still an issue", "didn't fix", "did not fix", "didn't help", "did not help",
			"funktioniert nicht", "funktioniert immer noch nicht", "geht nicht", "geht immer noch nicht", "immer noch kaputt", "derselbe fehler", "gleicher fehler",
			"no funciona", "no funcionó", "sigue fallando", "sigue sin funcionar", "mismo error",
			"ne marche pas", "ne marche toujours pas", "ne fonctionne pas", "même erreur"):
			return notMended
		case has("that's wrong", "that is wrong", "this is wrong", "that's not true", "that is not true", "that's not right", "that is not right", "that's incorrect",
			"not correct", "you're wrong", "you are wrong", "das stimmt nicht", "das ist falsch", "eso no es cierto", "eso está mal", "c'est faux"):
			return notTrue
		}
	}
	return noRebuff
}

// droppedWork takes back what git took back: the memory of a commit that was
// reverted, and claims about files whose changes were dropped before a commit.
func (w *weigher) droppedWork(t, prev *turn) {
	for _, d := range t.deeds {
		reason := "taken back with git at line " + itoa(d.record+1)
		switch d.kind {
		case deedRevert:
			c := lastBefore(t.deeds, d.record, deedCommit)
			if c == nil && prev != nil {
				c = lastBefore(prev.deeds, t.first, deedCommit)
			}
			if c != nil {
				w.takeBack(c.record, c.record+1, func(f *finding) bool { return f.c.Layer == session.LayerStructure }, reason)
			}
		case deedDropped:
			if after(t.deeds, d.record, deedEdit) != nil {
				continue // it was done again
			}
			from := w.promptBefore(t.first)
			if prev != nil {
				if c := lastBefore(prev.deeds, t.first, deedCommit); c != nil {
					from = max(from, c.record)
				}
			}
			if c := lastBefore(t.deeds, d.record, deedCommit); c != nil {
				from = max(from, c.record)
			}
			w.takeBack(from, d.record, func(f *finding) bool { return (claims(f) || mended(f)) && speaksOf(f, d.files) }, reason)
		}
	}
}

// speaksOf holds for a finding that names one of some files, or any where there are
// none.
func speaksOf(f *finding, files []string) bool {
	if len(files) == 0 {
		return true
	}
	said := f.c.Memory.Title + "\n" + f.c.Memory.Text
	return slices.ContainsFunc(files, func(name string) bool { return strings.Contains(said, name) })
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
	sig := memory.Signature(prose.Plain(said.String()))
	w.takeBack(from, failed.record, func(f *finding) bool { return mended(f) && memory.Shared(f.sig, sig) >= failedShare },
		"a check failed after it at line "+itoa(failed.record+1))
}

// failedShare is how many words a repair has in common with what the agent says of
// a failed check.
const failedShare = 2
