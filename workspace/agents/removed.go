package agents

import (
	"context"
	"slices"
	"time"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// removalTime is how long a history is searched for what was removed.
const removalTime = 300 * time.Millisecond

// holdRemoved holds back what says again what a commit took away, under the same title or in much the same words: a
// person decides whether it comes back.
func (r *reading) holdRemoved(ctx context.Context, out *Captured) {
	ctx, stop := context.WithTimeout(ctx, removalTime)
	defer stop()
	removed := lazy.Value(func() []view.Removed { return r.w.Views.Removed(ctx, "**") })
	for _, c := range out.kept() {
		again := func(gone view.Removed) bool { return gone.Titled(c.Memory) || restates(gone.Memory, c.Memory) }
		if i := slices.IndexFunc(removed(), again); i >= 0 {
			c.Memory.Hold = removed()[i].Text()
		}
	}
}
