package review

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Lookup returns the memory whose id begins with prefix, to be changed by [Change]: a
// landed one, or one that is pending for the current branch or another.
func Lookup(ctx context.Context, w *workspace.Workspace, prefix string) (Item, error) {
	v, err := w.View(ctx, workspace.ViewOptions{AllBranches: true, Local: true, Unreviewed: !w.ByAgent()})
	if err != nil {
		return Item{}, err
	}
	e, err := v.Find(ctx, prefix)
	return Item{Entry: e}, err
}

// Alter has change change the memory whose id begins with prefix, which [Lookup] finds in this
// repository, else in the user's own store, where it is committed. It returns the memory as it is then.
func Alter(ctx context.Context, w *workspace.Workspace, prefix string,
	change func(context.Context, *workspace.Workspace, *Item) (bool, error),
) (r Item, changed bool, err error) {
	r, changed, err = alter(ctx, w, prefix, change)
	if !errors.Is(err, workspace.ErrNotFound) {
		return r, changed, err
	}
	failed := w.InGlobal(ctx, false, func(store *workspace.Workspace) (err error) {
		if r, changed, err = alter(ctx, store, prefix, change); err != nil {
			return err
		}
		return store.Repo.CommitAll(ctx, workspace.Dir, "edit: "+r.Memory.Title)
	})
	if !errors.Is(failed, workspace.ErrNoGlobal) {
		err = failed
	}
	return r, changed, err
}

func alter(ctx context.Context, w *workspace.Workspace, prefix string,
	change func(context.Context, *workspace.Workspace, *Item) (bool, error),
) (r Item, changed bool, err error) {
	if r, err = Lookup(ctx, w, prefix); err != nil {
		return r, false, err
	}
	if changed, err = change(ctx, w, &r); err != nil {
		return r, false, err
	}
	r, err = Lookup(ctx, w, string(r.Memory.ID))
	return r, changed, err
}

// Change stores what a person made of a memory that [Lookup] found, where it is: in the
// journal, or in the file of a landed one, which is not staged. What change leaves as it
// was is no error, and changes nothing.
func Change(ctx context.Context, w *workspace.Workspace, r *Item,
	change func(m *memory.Memory) error,
) (changed bool, err error) {
	m := *r.Memory
	m.Links, m.Tags = slices.Clone(m.Links), slices.Clone(m.Tags)
	if err := change(&m); err != nil {
		return false, err
	}
	checked, err := CheckEdited(ctx, w, *r, memory.Format(&m))
	if err != nil {
		return false, err
	}
	switch _, err := Edit(ctx, w, r, checked); {
	case errors.Is(err, errUnchanged):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("changing %s: %w", r.Memory.ID.Short(), err)
	}
	if r.Stage == index.Landed {
		r.Status = "" // of the view that was, which the change may have left
	}
	return true, nil
}
