package capture

import (
	"cmp"
	"slices"

	"github.com/git-cortex/cortex/capture/session"
)

// keptPerSession is how many memories of a session are kept, beside answers,
// tags, recipes, the plan, and what the user laid down outright: the best ones, and as many
// notes. A long session teaches more than a short one, but not in step with its length.
const keptPerSession = 10

// counted reports whether a finding is one of those of which a session keeps
// only the best. It rests on nothing that a session record does not hold.
func (f *finding) counted() bool {
	if f.c.Layer == session.LayerUser && f.c.Confidence >= confRule {
		return false
	}
	return f.class.counted()
}

// keepBest leaves the best findings of the session so far, of those that stand
// at line from or below only as many as fit. It is called with 0 when a turn begins, so
// that what it leaves is the same however many runs read the turns before; at
// the end of a run with the first line of the last turn, which the next run
// reads again.
func (w *weigher) keepBest(from int) {
	w.keepBestOf(from, false)
	w.keepBestOf(from, true)
}

// keepBestOf does so with the notes, or with the memories.
func (w *weigher) keepBestOf(from int, notes bool) {
	var best []*finding
	for f := range w.kept() {
		if f.note == notes && f.counted() {
			best = append(best, f)
		}
	}
	slices.SortFunc(best, func(a, b *finding) int {
		return cmp.Or(
			cmp.Compare(b.c.Confidence, a.c.Confidence), cmp.Compare(a.c.Record, b.c.Record),
			cmp.Compare(a.c.Memory.ID, b.c.Memory.ID),
		)
	})
	for _, f := range best[min(keptPerSession, len(best)):] {
		if f.c.Record >= from {
			w.drop(f, InSession, "others of its session say more")
		}
	}
}
