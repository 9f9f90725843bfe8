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
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// ids returns the ids of all memories that a side, a base or the merge holds,
// sorted.
func (c *certifier) ids() []memory.ID {
	var all []memory.ID
	for _, s := range slices.Concat(c.sides, c.allBases, []*mergeState{c.merged}) {
		all = slices.AppendSeq(all, maps.Keys(s.held))
		for _, b := range s.broken {
			all = append(all, b.ids...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
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
	switch {
	case len(c.merged.held[id]) > 0:
		return c.judgeHeld(ctx, id, have, gone, edited)
	case c.merged.names(id):
		// Its file is broken in the merge, which is said of the file.
	case len(have) == 0:
		c.removed(ctx, id, "every side had removed it", "")
	case gone >= 0:
		c.judgeRemoved(ctx, id, gone, edited)
	default:
		return c.lost(ctx, id, c.sides[have[0]])
	}
	return nil
}

// judgeHeld says what became of a memory that the merge has.
func (c *certifier) judgeHeld(ctx context.Context, id memory.ID, have []int, gone, edited int) error {
	switch {
	case len(have) == 0:
		c.judgeAdded(ctx, id)
		return nil
	case gone >= 0 && edited < 0:
		f := c.finding(ctx, c.merged, id, "resurrected",
			c.sides[gone].rev+" had removed it and no side changed it, but the merge has it")
		f.Side, f.Hint = c.sides[gone].rev, "cortex show "+id.Short()
		c.problem(f)
		return nil
	case gone >= 0:
		f := c.finding(ctx, c.merged, id, "removed-edited",
			fmt.Sprintf("%s had removed it and %s changed it: it stays", c.sides[gone].rev, c.sides[edited].rev))
		f.Side, f.Hint = c.sides[gone].rev, "cortex forget "+id.Short()+", if it shall go"
		c.note(f)
	}
	c.judgeTwins(ctx, id)
	c.noteContested(ctx, id)
	return c.judgeText(ctx, id, have)
}

// judgeAdded says what became of a memory that the merge has and no side.
func (c *certifier) judgeAdded(ctx context.Context, id memory.ID) {
	if anyHas(c.allBases, id) {
		c.problem(c.finding(ctx, c.merged, id, "resurrected", "every side had removed it, but the merge has it"))
		return
	}
	c.note(c.finding(ctx, c.merged, id, "new", "no side has it: the merge commit added it"))
}

// judgeRemoved says what became of a memory that a side removed and the merge does not have.
func (c *certifier) judgeRemoved(ctx context.Context, id memory.ID, gone, edited int) {
	c.removed(ctx, id, c.sides[gone].rev+" had removed it", c.sides[gone].rev)
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
			if !anyHas(bases, id) {
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

// anyHas reports whether one of some states has a memory.
func anyHas(states []*mergeState, id memory.ID) bool {
	return slices.ContainsFunc(states, func(s *mergeState) bool { return s.has(id) })
}

// sameBlob reports whether two states have the same version of a memory.
func sameBlob(a, b *mergeState, id memory.ID) bool {
	return a.version(id) != "" && a.version(id) == b.version(id)
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

// removed notes a memory that a side removed, by its revision; "" is all of them.
func (c *certifier) removed(ctx context.Context, id memory.ID, text, side string) {
	all := slices.Concat(c.sides, c.allBases)
	from := max(0, slices.IndexFunc(all, func(s *mergeState) bool { return s.has(id) }))
	f := c.finding(ctx, all[from], id, "removed", text)
	f.Side = side
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
	paths := lists.Map(items, func(it index.Item) string { return it.Path })
	slices.Sort(paths)
	return paths
}

// judgeText reports a memory of which the merge has one side's version alone,
// where a merge would have joined it with what another side changed.
func (c *certifier) judgeText(ctx context.Context, id memory.ID, have []int) error {
	if len(c.merged.held[id]) != 1 {
		return nil
	}
	if c.undone(id) {
		f := c.finding(ctx, c.sides[have[0]], id, "one-sided",
			"every side changed it, but the merge has the version from before")
		f.Hint = showFile(c.sides[have[0]].rev, f.Path)
		c.problem(f)
		return nil
	}
	for _, i := range have {
		if len(c.sides[i].held[id]) != 1 || !sameBlob(c.merged, c.sides[i], id) {
			continue
		}
		for _, j := range have {
			if c.sides[j].version(id) == "" || sameBlob(c.sides[i], c.sides[j], id) {
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
		facts, _ := c.w.Index.Catalog().Facts(s.version(id))
		return facts.Contested
	}
	if !contested(c.merged) || slices.ContainsFunc(c.sides, contested) {
		return
	}
	f := c.finding(ctx, c.merged, id, "contested", "both sides changed the same of it, and the merge kept both")
	f.Hint = "cortex review"
	c.note(f)
}

// undone reports whether the merge went back to the version of a base, which no
// side has.
func (c *certifier) undone(id memory.ID) bool {
	same := func(s *mergeState) bool { return sameBlob(s, c.merged, id) }
	return slices.ContainsFunc(c.allBases, same) && !slices.ContainsFunc(c.sides, same)
}

// holdsBoth reports whether side i's version, which is the one in the merge,
// equals the result of merging it with side j's over one of their bases.
func (c *certifier) holdsBoth(ctx context.Context, id memory.ID, i, j int) (bool, error) {
	for _, base := range c.between(i, j) {
		same, err := c.mergesTo(ctx, id, base, c.sides[i], c.sides[j])
		if err != nil || same {
			return same, err
		}
	}
	return false, nil
}

// mergesTo reports whether merging two versions over that of a base gives the first one. Where one
// cannot be read, nothing is known, and it says so too.
func (c *certifier) mergesTo(ctx context.Context, id memory.ID, base, a, b *mergeState) (bool, error) {
	if sameBlob(base, b, id) {
		return true, nil // the second one is no change
	}
	items := []index.Item{a.held[id][0], b.held[id][0]}
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
	return err == nil && bytes.Equal(memory.Format(merged), memory.Format(m[0].Memory)), err
}
