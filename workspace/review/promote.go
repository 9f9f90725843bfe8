package review

import (
	"context"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Promoted is the decision that a memory is about the user: it is in their own store.
const Promoted Verb = "promoted"

// Personal reports whether the memory is about the user and not about the repository,
// so that [Promote] is offered.
func (r *Item) Personal() bool {
	return r.Stage == index.Pending && r.Memory.Scope == memory.ScopeGlobal
}

// Promote moves a pending memory that is about the user to their own store.
func Promote(ctx context.Context, w *workspace.Workspace, r Item) (Decision, error) {
	d := Decision{Verb: Promoted, Entry: r.Entry}
	snap, err := w.Journal(ctx)
	if err != nil {
		return d, err
	}
	if _, err := pendingIn(ctx, w, snap, r); err != nil {
		return d, err
	}
	out, undo, err := w.Promote(ctx, r.Entry)
	d.Path, d.undo = out.Entry.Path, undo
	return d, err
}
