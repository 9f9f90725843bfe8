package view

import (
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// standing holds what was derived of a view. In a process that lives on, the next view of the same memories
// and the same journal has it too, if it is made within a minute: confidence fades over days.
type standing struct {
	state
	view    index.View // without its items
	doubts  doubts
	derived derived
	items   []stands
}

// state names the options, the branch and the journal of a view.
type state struct {
	opt    Options
	branch string
	snap   *gitops.Snapshot
}

// fadesAfter is for how long confidence is taken to be what it was.
const fadesAfter = time.Minute

// stands holds what was derived of one item, and where that stands.
type stands struct {
	at               stage
	status           memory.Status
	effective, prior float64
	open             bool
}

// stage holds how far an item is and whether it is in quarantine, which its memory does not say.
type stage struct {
	far   int8
	apart bool
}

func standsOf(it index.Item) stands {
	return stands{stage{it.Far, it.Apart}, it.Status, it.Effective, it.Prior, it.Open}
}

// keep keeps what was derived of a view for the next one.
func (r *Reader) keep(v *View, of state) {
	if r.Index.Lives() {
		r.last.Store(&standing{of, v.Index.Bare(), v.doubts, v.derived, lists.Map(v.Items, standsOf)})
	}
}

// again gives a view what was derived of the one before, and reports whether that was of the same state.
func (r *Reader) again(v *View, of state) bool {
	was := r.last.Load()
	if was == nil || was.state != of || !v.Index.Same(&was.view) {
		return false
	}
	if r.Now().Sub(was.derived.now).Abs() > fadesAfter {
		return false
	}
	for i := range v.Items {
		it, had := &v.Items[i], &was.items[i]
		if had.at != (stage{it.Far, it.Apart}) {
			return false
		}
		it.Status, it.Effective, it.Prior, it.Open = had.status, had.effective, had.prior, had.open
	}
	v.doubts, v.derived = was.doubts, was.derived
	return true
}
