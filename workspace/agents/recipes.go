package agents

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// repetition is a memory that is pending for some branch, and the words in which a
// session met or said it again.
type repetition struct {
	path string // in the journal
	m    *memory.Memory
}

// foldRecipes folds recipes of traps that are known already: one that is pending,
// for whatever branch, is raised by the session that met it; one that has landed
// or was dismissed is not added again. It reads nothing when the session met no
// trap.
func (x *capturer) foldRecipes(ctx context.Context, snap *gitops.Snapshot, out *Captured, branch string) error {
	var met []*capture.Candidate
	for i := range out.Candidates {
		if c := &out.Candidates[i]; c.Disposition == capture.Kept && recipe.Is(c.Memory) {
			met = append(met, c)
		}
	}
	if len(met) == 0 && len(out.Withdrawn) == 0 {
		return nil
	}
	pending, err := knownRecipes(ctx, snap, "pending")
	if err != nil {
		return err
	}
	own := recipe.SessionMark(out.Session.ID)
	out.Withdrawn = slices.DeleteFunc(out.Withdrawn, func(id memory.ID) bool { // others rely on it
		return slices.ContainsFunc(pending, func(k repetition) bool {
			return k.m.ID == id && slices.ContainsFunc(k.m.Seen, func(s string) bool { return s != own })
		})
	})
	if len(met) == 0 {
		return nil
	}
	dismissed, err := knownRecipes(ctx, snap, "dismissed")
	if err != nil {
		return err
	}
	landed, err := x.landedRecipes(ctx, branch)
	if err != nil {
		return err
	}
	for _, c := range met {
		same := func(k repetition) bool { return recipe.Same(k.m, c.Memory) && !slices.Contains(out.Withdrawn, k.m.ID) }
		if i := slices.IndexFunc(dismissed, same); i >= 0 {
			c.Disposition, c.Reason = capture.Duplicate, "this trap was dismissed before"
		} else if i := slices.IndexFunc(landed, same); i >= 0 {
			c.Disposition, c.Reason = capture.Duplicate, "the same trap as "+landed[i].path
		} else if i := slices.IndexFunc(pending, same); i >= 0 {
			raised, _ := recipe.Fold(pending[i].m, c.Memory)
			c.Disposition = capture.Duplicate
			c.Reason = fmt.Sprintf("the trap of %s, met by %d sessions now", raised.ID.Short(), len(raised.Seen))
			out.met = append(out.met, repetition{pending[i].path, c.Memory})
		}
	}
	return nil
}

// knownRecipes reads the recipes of one folder of the journal.
func knownRecipes(ctx context.Context, snap *gitops.Snapshot, folder string) ([]repetition, error) {
	entries, err := snap.List(ctx, folder)
	if err != nil {
		return nil, fmt.Errorf("listing what is %s: %w", folder, err)
	}
	if folder == "pending" {
		entries = slices.DeleteFunc(entries, func(e gitops.Entry) bool { return !strings.Contains(e.Path, "/"+string(memory.Fix)+"/") })
	}
	var out []repetition
	err = snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		if !bytes.Contains(data, []byte("\ntriggers: ")) {
			return nil
		}
		if m, err := memory.Parse(e.Path, data); err == nil && recipe.Is(m) {
			out = append(out, repetition{e.Path, m})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading what is %s: %w", folder, err)
	}
	return out, nil
}

// landedRecipes are the recipes among the files of a branch.
func (x *capturer) landedRecipes(ctx context.Context, branch string) ([]repetition, error) {
	v, err := x.w.View(ctx, workspace.ViewOptions{Branch: branch, Bare: true, Folders: true})
	if err != nil {
		return nil, err
	}
	var out []repetition
	for i := range v.Items {
		if !strings.Contains(v.Items[i].Path, "memories/"+string(memory.Fix)+"/") {
			continue
		}
		if m, ok := x.w.Index.Catalog().MemoryOf(ctx, &v.Items[i]); ok && recipe.Is(m) {
			out = append(out, repetition{v.Items[i].Path, m})
		}
	}
	return out, nil
}

// raise adds to a change of the journal what the session met or said again, as it is
// now; those that are gone meanwhile are added for its own branch.
func (x *capturer) raise(ctx context.Context, snap *gitops.Snapshot, out *Captured, c *gitops.Change) error {
	for _, again := range out.met {
		data, ok, err := snap.File(ctx, again.path)
		if err != nil {
			return fmt.Errorf("reading %s: %w", again.path, err)
		}
		if put, twice := c.Put[again.path]; twice {
			data, ok = put, true
		}
		have, err := memory.Parse(again.path, data)
		if !ok || err != nil {
			c.Put[gitops.PendingPrefix(out.Branch)+"/"+again.m.Path()] = memory.Format(again.m)
			out.Added = append(out.Added, again.m)
			continue
		}
		if raised, changed := foldRestated(have, again.m); changed {
			c.Put[again.path] = memory.Format(raised)
		}
	}
	return nil
}
