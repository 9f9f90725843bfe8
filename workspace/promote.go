package workspace

import (
	"context"
	"errors"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// Promote copies a memory of this repository to the user's own store, which is made
// if it is missing. What names files of this repository stays behind. The memory here
// stays as it is, unless it is pending and about the user: then it is theirs, and no
// longer pending. Undo takes all of it back.
func (w *Workspace) Promote(ctx context.Context, e Entry) (out Remembered, undo func(context.Context) error, err error) {
	m := e.Memory
	store, err := OpenGlobal(ctx, w.env, true)
	if err != nil {
		return out, nil, err
	}
	out, err = store.Remember(ctx, Note{
		Type: m.Type, Title: m.Title, Text: m.Text, Tags: m.Tags, Pinned: m.Pinned, Priority: m.Priority, Agent: m.Source.Agent,
	})
	for _, line := range store.TakeNotices() {
		w.Notice("%s", line)
	}
	if err = errors.Join(err, store.Close()); err != nil {
		return out, nil, err
	}
	moves := e.Stage == index.Pending && m.Scope == memory.ScopeGlobal
	undo = func(ctx context.Context) error {
		if !out.Known {
			if err := w.inGlobal(ctx, func(store *Workspace) error {
				_, err := store.Forget(ctx, string(out.Entry.Memory.ID))
				return err
			}); err != nil {
				return err
			}
		}
		if !moves {
			return nil
		}
		return w.Update(ctx, func(*gitops.Snapshot) (gitops.Change, error) {
			return gitops.Change{
				Message: "promote: taken back: " + m.Title, Trailers: w.Trailers("", e.Branch), When: w.Now(),
				Put: map[string][]byte{e.Path: memory.Format(m)},
			}, nil
		})
	}
	if !moves {
		return out, undo, nil
	}
	return out, undo, w.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		return gitops.Change{
			Message: "promote: " + m.Title, Trailers: w.Trailers("", w.JournalBranch(ctx, e.Branch)), When: w.Now(),
			Remove: PendingAnywhere(ctx, snap)(m.ID),
		}, nil
	})
}
