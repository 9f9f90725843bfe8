package review

import (
	"context"
	"maps"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/places"
)

// Promoted is the decision that a memory is about the user: it is in their own store.
const Promoted Verb = "promoted"

// Personal reports whether the memory is about the user and not about the repository,
// so that [Promote] is offered.
func (r *Item) Personal() bool { return personal(&r.Entry) }

func personal(e *workspace.Entry) bool {
	return e.Stage == index.Pending && e.Memory.Scope == memory.ScopeGlobal
}

// Promote moves a pending memory that is about the user to their own store.
func Promote(ctx context.Context, w *workspace.Workspace, r Item) (Decision, error) {
	d := Decision{Verb: Promoted, Entry: r.Entry}
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return d, err
	}
	if _, err := pendingIn(ctx, snap, r); err != nil {
		return d, err
	}
	out, undo, err := Keep(ctx, w, r.Entry)
	d.Path, d.undo = out.Entry.Path, undo
	return d, err
}

// Keep copies a memory of this repository to the user's own store, which is made
// if it is missing. What names files of this repository stays behind. The memory here
// stays as it is, unless it is pending and about the user: then it is theirs, and no
// longer pending. Undo takes all of it back. What came from a remote and is pending only
// a person keeps.
func Keep(ctx context.Context, w *workspace.Workspace,
	e workspace.Entry,
) (out workspace.Remembered, undo func(context.Context) error, err error) {
	if err := w.ForPerson(ctx, &e); err != nil {
		return out, nil, err
	}
	m := e.Memory
	err = w.InGlobal(ctx, true, func(store *workspace.Workspace) (err error) {
		out, err = store.Remember(ctx, workspace.Note{
			Type: m.Type, Title: m.Title, Text: m.Text, Tags: m.Tags, Pinned: m.Pinned, Priority: m.Priority,
			Agent: m.Source.Agent,
		})
		return err
	})
	if err != nil {
		return out, nil, err
	}
	var moved map[string][]byte // what it was on each branch, by path
	undo = func(ctx context.Context) error {
		if !out.Known {
			if err := w.InGlobal(ctx, false, func(store *workspace.Workspace) error {
				_, err := store.Forget(ctx, string(out.Entry.Memory.ID))
				return err
			}); err != nil {
				return err
			}
		}
		if len(moved) == 0 {
			return nil
		}
		return w.Journal.Update(ctx, func(*gitops.Snapshot) (gitops.Change, error) {
			return gitops.Change{
				Message: "promote: taken back: " + m.Title, Trailers: w.Trailers("", e.Branch), When: w.Now(),
				Put: maps.Clone(moved),
			}, nil
		})
	}
	if !personal(&e) {
		return out, undo, nil
	}
	return out, undo, w.Journal.Update(ctx, func(snap *gitops.Snapshot) (_ gitops.Change, err error) {
		if moved, err = pendingFiles(ctx, snap, m.ID); err != nil {
			return gitops.Change{}, err
		}
		return gitops.Change{
			Message: "promote: " + m.Title, Trailers: w.Trailers("", w.Secrets.Branch(ctx, e.Branch)), When: w.Now(),
			Remove: slices.Sorted(maps.Keys(moved)),
		}, nil
	})
}

// pendingFiles returns the files of the journal that are a pending memory, on any branch,
// by path.
func pendingFiles(ctx context.Context, snap *gitops.Snapshot, id memory.ID) (map[string][]byte, error) {
	files := map[string][]byte{}
	paths, err := places.Anywhere(ctx, snap)(id)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		data, _, err := snap.File(ctx, path)
		if err != nil {
			return nil, err
		}
		files[path] = data
	}
	return files, nil
}
