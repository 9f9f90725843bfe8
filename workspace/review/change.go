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
