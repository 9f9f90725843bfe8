package view

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/hearsay"
	"github.com/git-cortex/cortex/workspace/internal/journal"
)

// Presumes reports whether a pending memory replaces or contradicts, on an agent's
// word, one that is a person's. It changes no status, and lands when a person says so.
func (v *View) Presumes(id memory.ID) bool { return v.doubts.presumes[id] }

// doubt finds the pending memories whose words about others do not count yet.
func (v *View) doubt(ctx context.Context, snap *gitops.Snapshot) {
	isPending := func(it index.Item) bool { return it.Stage == index.Pending }
	if snap == nil || !slices.ContainsFunc(v.Items, isPending) {
		return
	}
	v.doubts.marks = journal.MarksIn(ctx, snap)
	v.doubts.presumes = v.presuming(ctx)
}

// presuming finds the pending memories that would replace what a person wrote, chose
// or pinned, although no person said so; and of those that hold what was read somewhere,
// the ones that would replace anything.
func (v *View) presuming(ctx context.Context) map[memory.ID]bool {
	aims, presumes := v.aims(), map[memory.ID]bool{}
	for i := range v.Items {
		for _, from := range aims[v.ID(i)] {
			if v.presumesOf(ctx, from, i) {
				presumes[v.ID(from)] = true
			}
		}
	}
	return presumes
}

// aims are the items of pending memories that would replace or contradict others, by the id of what they aim at.
func (v *View) aims() map[memory.ID][]int {
	aims := map[memory.ID][]int{}
	for i := range v.Items {
		if v.Items[i].Stage != index.Pending {
			continue
		}
		for _, l := range v.Index.Links(i) {
			if overturns(l.Rel) {
				aims[l.To] = append(aims[l.To], i)
			}
		}
	}
	return aims
}

// presumesOf reports whether what one item says of another that it aims at does not count.
func (v *View) presumesOf(ctx context.Context, from, at int) bool {
	m, ok := v.catalog.HeadOf(ctx, &v.Items[from])
	aimedAt, there := v.catalog.HeadOf(ctx, &v.Items[at])
	return ok && there && mayPresume(m) && (m.Outside() || hearsay.OfPerson(aimedAt))
}

// mayPresume reports whether what a memory says of others is not a person's word.
func mayPresume(m *memory.Memory) bool { return m.Outside() || !hearsay.ByPerson(m) }

// overturns reports whether a link says that what it leads to holds no longer.
func overturns(rel memory.Rel) bool {
	return slices.Contains([]memory.Rel{memory.Supersedes, memory.Contradicts}, rel)
}

// ReplacesPersons reports whether a memory links to one of the view that is a
// person's and says that it holds no longer.
func (v *View) ReplacesPersons(ctx context.Context, m *memory.Memory) bool {
	for _, l := range m.Links {
		if !overturns(l.Rel) {
			continue
		}
		if old, err := v.Find(ctx, string(l.To)); err == nil && hearsay.OfPerson(old.Memory) {
			return true
		}
	}
	return false
}
