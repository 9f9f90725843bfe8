package capture

import (
	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/memory"
)

// newFollower follows the calls of one turn.
func newFollower(b *book) recipe.Follower {
	return recipe.Follower{Redactor: b.opt.Redactor, Relative: b.relative, Roots: func() []string { return b.roots }}
}

// recipes adds what the failed calls of a turn teach.
func (w *weigher) recipes(t *turn) {
	for _, r := range t.recipes {
		class := classRecipe
		if r.Passed {
			class = classIdle
		}
		f := w.add(draft{
			typ: memory.Fix, title: r.Title, text: r.Text, span: r.Span, class: class,
			record: r.Record, time: r.Time, cue: r.Cue, place: passage.Document,
		})
		if f == nil || !f.kept() {
			continue
		}
		m := f.c.Memory
		for _, t := range r.Triggers {
			m.Triggers = append(m.Triggers, w.opt.Redactor.Line(t))
		}
		m.Files = append(m.Files, r.Files...)
		m.Seen = []string{recipe.SessionMark(m.Source.Session)}
		m.Tidy()
		w.sameTrap(f)
	}
}

// sameTrap keeps the first recipe of each trap of the session, with what calls for the others.
func (w *weigher) sameTrap(f *finding) {
	for _, k := range w.found {
		if k == f || !k.kept() || !recipe.Same(k.c.Memory, f.c.Memory) {
			continue
		}
		k.c.Memory, _ = recipe.Fold(k.c.Memory, f.c.Memory)
		f.c.Disposition, f.c.Reason = Duplicate, "the same trap as at line "+itoa(k.c.Record+1)
		return
	}
}
