package certify

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// ids returns the ids of all memories that a side, a base or the merge holds,
// sorted.
func (c *certifier) ids() []memory.ID {
	all := map[memory.ID]bool{}
	for _, s := range append(slices.Clone(c.sides), c.merged) {
		for id := range s.held {
			all[id] = true
		}
		for _, b := range s.broken {
			for _, id := range b.ids {
				all[id] = true
			}
		}
	}
	for _, s := range c.allBases() {
		for id := range s.held {
			all[id] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// allBases returns the states that any two sides came from.
func (c *certifier) allBases() []*mergeState {
	var all []*mergeState
	for i := range c.sides {
		for j := i + 1; j < len(c.sides); j++ {
			all = append(all, c.between(i, j)...)
		}
	}
	return all
}

// judge says what became of one memory, which it knows by its id, because files
// may be moved. A side removed a memory if it comes from a base that had it and
// has it no more; after a criss-cross merge, a side comes from several bases.
func (c *certifier) judge(ctx context.Context, id memory.ID) error {
	var have, lack []int
	for i, s := range c.sides {
		if s.has(id) {
			have = append(have, i)
		} else {
			lack = append(lack, i)
		}
	}
	gone, edited := c.removal(id, have, lack)
	switch in := len(c.merged.held[id]) > 0; {
	case in && len(have) == 0:
		c.judgeAdded(ctx, id)
	case in && gone >= 0 && edited < 0:
		f := c.finding(ctx, c.merged, id, "resurrected",
			c.sides[gone].rev+" had removed it and no side changed it, but the merge has it")
		f.Side, f.Hint = c.sides[gone].rev, "cortex show "+id.Short()
		c.problem(f)
	case in:
		return c.judgeKept(ctx, id, have, gone, edited)
	case c.merged.names(id):
		// Its file is broken in the merge, which is said of the file.
	case len(have) == 0:
		if c.inBase(id) {
			c.removed(ctx, id, "every side had removed it", nil)
		}
	case gone >= 0:
		c.judgeRemoved(ctx, id, gone, edited)
	default:
		return c.lost(ctx, id, c.sides[have[0]])
	}
	return nil
}

// judgeAdded says what became of a memory that the merge has and no side.
func (c *certifier) judgeAdded(ctx context.Context, id memory.ID) {
	if c.inBase(id) {
		c.problem(c.finding(ctx, c.merged, id, "resurrected", "every side had removed it, but the merge has it"))
		return
	}
	c.note(c.finding(ctx, c.merged, id, "new", "no side has it: the merge commit added it"))
}

// judgeKept says what became of a memory that the merge has, although a side may have removed it.
func (c *certifier) judgeKept(ctx context.Context, id memory.ID, have []int, gone, edited int) error {
	if gone >= 0 {
		f := c.finding(ctx, c.merged, id, "removed-edited",
			fmt.Sprintf("%s had removed it and %s changed it: it stays", c.sides[gone].rev, c.sides[edited].rev))
		f.Side, f.Hint = c.sides[gone].rev, "cortex forget "+id.Short()+", if it shall go"
		c.note(f)
	}
	c.judgeTwins(ctx, id)
	c.noteContested(ctx, id)
	return c.judgeText(ctx, id, have)
}

// judgeRemoved says what became of a memory that a side removed and the merge does not have.
func (c *certifier) judgeRemoved(ctx context.Context, id memory.ID, gone, edited int) {
	c.removed(ctx, id, c.sides[gone].rev+" had removed it", c.sides[gone])
	if edited < 0 {
		return
	}
	f := c.finding(ctx, c.sides[edited], id, "removed-edited", fmt.Sprintf(
		"%s had removed it and %s changed it: it is gone, and the change with it", c.sides[gone].rev,
		c.sides[edited].rev))
	f.Hint = showFile(c.sides[edited].rev, f.Path)
	c.note(f)
}

// removal finds a side that removed the memory, and one that changed it in the
// meantime; -1 stands for none. Where bases disagree about the memory it counts
// as changed, because git is free to merge over any of them.
func (c *certifier) removal(id memory.ID, have, lack []int) (gone, edited int) {
	gone, edited = -1, -1
	for _, h := range have {
		for _, l := range lack {
			bases := c.between(h, l)
			had := slices.ContainsFunc(bases, func(s *mergeState) bool { return s.has(id) })
			if !had {
				continue
			}
			gone = l
			if slices.ContainsFunc(bases, func(s *mergeState) bool { return !sameBlob(s, c.sides[h], id) }) {
				edited = h
			}
		}
	}
	return gone, edited
}

func (c *certifier) inBase(id memory.ID) bool {
	return slices.ContainsFunc(c.allBases(), func(s *mergeState) bool { return s.has(id) })
}

func sameBlob(a, b *mergeState, id memory.ID) bool {
	x, y := a.held[id], b.held[id]
	return len(x) > 0 && len(y) > 0 && x[0].Blob == y[0].Blob
}

// finding describes a memory as the state s holds it.
func (c *certifier) finding(ctx context.Context, s *mergeState, id memory.ID, kind, text string) Finding {
	f := Finding{Kind: kind, ID: id, Text: text}
	if s != c.merged {
		f.Side = s.rev
	}
	if items := s.held[id]; len(items) > 0 {
		f.Path = items[0].Path
		if m, ok := c.w.Index.Catalog().Memory(ctx, items[0].Blob); ok {
			f.Title = m.Title
		}
		return f
	}
	for _, b := range s.broken {
		if slices.Contains(b.ids, id) {
			f.Path = b.Path
		}
	}
	return f
}

func (c *certifier) removed(ctx context.Context, id memory.ID, text string, by *mergeState) {
	from := c.sides[0]
	for _, s := range slices.Concat(c.sides, c.allBases()) {
		if s.has(id) {
			from = s
			break
		}
	}
	f := c.finding(ctx, from, id, "removed", text)
	f.Side = ""
	if by != nil {
		f.Side = by.rev
	}
	c.out.Removed = append(c.out.Removed, f)
}

// maxCommits limits how many lost memories are traced to a commit.
const maxCommits = 50

func (c *certifier) lost(ctx context.Context, id memory.ID, side *mergeState) error {
	f := c.finding(ctx, side, id, "lost", side.rev+" has it and no side removed it, but the merge does not have it")
	f.Hint = "git restore --source=" + side.rev + " -- " + gitops.Quote(f.Path)
	if len(c.out.Problems) < maxCommits {
		commits, err := c.w.Repo.History().Log(ctx, string(side.commit), []string{f.Path}, 1)
		if err != nil {
			return err
		}
		if len(commits) > 0 {
			f.Commit = string(commits[0].ID)
		}
	}
	c.problem(f)
	return nil
}

func showFile(rev, path string) string { return "git show " + rev + ":" + path }

// judgeTwins reports an id that the merge has in several files, unless a side
// has it in the same ones.
func (c *certifier) judgeTwins(ctx context.Context, id memory.ID) {
	paths := pathsOf(c.merged.held[id])
	if len(paths) < 2 ||
		slices.ContainsFunc(c.sides, func(s *mergeState) bool { return slices.Equal(pathsOf(s.held[id]), paths) }) {
		return
	}
	f := c.finding(ctx, c.merged, id, "duplicate-id", "it is also in "+strings.Join(paths[1:], ", "))
	f.Hint = "move what is missing into one of them, then git rm the other"
	c.problem(f)
}

func pathsOf(items []index.Item) []string {
	var paths []string
	for _, it := range items {
		paths = append(paths, it.Path)
	}
	slices.Sort(paths)
	return paths
}

// judgeText reports a memory of which the merge has one side's version alone,
// where a merge would have joined it with what another side changed.
func (c *certifier) judgeText(ctx context.Context, id memory.ID, have []int) error {
	if len(c.merged.held[id]) != 1 {
		return nil
	}
	blob := c.merged.held[id][0].Blob
	if c.undone(id, have) {
		f := c.finding(ctx, c.sides[have[0]], id, "one-sided",
			"every side changed it, but the merge has the version from before")
		f.Hint = showFile(c.sides[have[0]].rev, f.Path)
		c.problem(f)
		return nil
	}
	for _, i := range have {
		if kept := c.sides[i].held[id]; len(kept) != 1 || kept[0].Blob != blob {
			continue
		}
		for _, j := range have {
			if c.sides[j].held[id] == nil || sameBlob(c.sides[i], c.sides[j], id) {
				continue
			}
			whole, err := c.holdsBoth(ctx, id, i, j)
			if err != nil {
				return err
			}
			if !whole {
				f := c.finding(ctx, c.sides[j], id, "one-sided",
					fmt.Sprintf("%s changed it, but the merge has the version of %s without that change",
						c.sides[j].rev, c.sides[i].rev))
				f.Hint = showFile(c.sides[j].rev, f.Path)
				c.problem(f)
				return nil
			}
		}
	}
	return nil
}

// noteContested names a memory of which the merge kept what both sides made of it.
func (c *certifier) noteContested(ctx context.Context, id memory.ID) {
	contested := func(s *mergeState) bool {
		items := s.held[id]
		f, ok := c.w.Index.Catalog().Facts(items[0].Blob)
		return ok && f.Contested
	}
	if !contested(c.merged) ||
		slices.ContainsFunc(c.sides, func(s *mergeState) bool { return s.held[id] != nil && contested(s) }) {
		return
	}
	f := c.finding(ctx, c.merged, id, "contested", "both sides changed the same of it, and the merge kept both")
	f.Hint = "cortex review"
	c.note(f)
}

// undone reports whether the merge went back to the version of a base, which no
// side has.
func (c *certifier) undone(id memory.ID, have []int) bool {
	return len(have) > 0 &&
		slices.ContainsFunc(c.allBases(), func(s *mergeState) bool { return sameBlob(s, c.merged, id) }) &&
		!slices.ContainsFunc(have, func(i int) bool { return sameBlob(c.sides[i], c.merged, id) })
}

// holdsBoth reports whether side i's version, which is the one in the merge,
// equals the result of merging it with side j's over one of their bases.
func (c *certifier) holdsBoth(ctx context.Context, id memory.ID, i, j int) (bool, error) {
	bases := c.between(i, j)
	if len(bases) == 0 {
		bases = []*mergeState{{}}
	}
	for _, base := range bases {
		if sameBlob(base, c.sides[j], id) {
			return true, nil // side j did not change it
		}
		items := []index.Item{c.sides[i].held[id][0], c.sides[j].held[id][0]}
		if base.held[id] != nil {
			items = append(items, base.held[id][0])
		}
		m, err := c.memories(ctx, items)
		if err != nil || len(m) != len(items) {
			return true, err
		}
		var from *memory.Memory
		if len(m) == 3 {
			from = m[2].Memory
		}
		merged, err := memory.Merge(from, m[0].Memory, m[1].Memory, workspace.TextMerge(ctx, c.w.Repo))
		if err != nil {
			return false, err
		}
		if bytes.Equal(memory.Format(merged), memory.Format(m[0].Memory)) {
			return true, nil
		}
	}
	return false, nil
}
