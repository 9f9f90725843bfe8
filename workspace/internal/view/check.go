package view

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// BriefItem returns a memory of the view as texts for agents show it. numbers are
// those of [projection.SessionNumbers].
func (v *View) BriefItem(e *Entry, numbers map[string]int, outdated bool) projection.Item {
	stage := string(e.Stage)
	if e.Gone() {
		stage = "branch-gone"
	}
	return projection.Item{
		Memory: e.Memory, Effective: e.Effective, Status: e.Status, Stage: stage,
		Recalls: e.Recalls, Recalled: e.Recalled,
		Centrality: e.Centrality, Session: numbers[e.Memory.Source.Session],
		SameBranch: e.Memory.Source.Branch != "" && e.Memory.Source.Branch == v.Branch,
		Stale:      e.Stale, Outdated: outdated || e.Unused,
	}
}

// Bounds of checking memories against the code: how many are looked at, and how many are named
// one by one whose files are gone.
const (
	maxChecked = 400
	maxGone    = 5
)

// Checked is the result of [View.CheckCode].
type Checked struct {
	Conflicts []string           // sentences on memories whose files are gone
	Outdated  map[memory.ID]bool // these memories
	Stale     []int              // entries whose code has changed, the weightiest first
}

// CheckCode compares the weightiest of some memories with the working tree: files that are gone,
// anchored code that changed. It marks entries as stale.
func (v *View) CheckCode(ctx context.Context, entries []Entry) Checked {
	out, c := Checked{Outdated: map[memory.ID]bool{}}, &v.code
	if c.files.Root == "" {
		return out
	}
	order := weightiest(entries)
	c.moves.Learn(ctx, lists.Map(order, func(i int) *memory.Memory { return entries[i].Memory })...)
	for _, i := range order {
		e := &entries[i]
		if path, gone := c.gone(e.Memory); gone {
			out.Outdated[e.Memory.ID] = true
			out.Conflicts = append(out.Conflicts,
				fmt.Sprintf("%s is gone, but %q (%s) is about it.", path, e.Memory.Title, e.Memory.ID.Short()))
			continue
		}
		if e.Stale = slices.ContainsFunc(e.Memory.Anchors, c.differs); e.Stale {
			out.Stale = append(out.Stale, i)
		}
	}
	c.known.Keep()
	if more := len(out.Conflicts) - maxGone; more > 0 {
		out.Conflicts = append(out.Conflicts[:maxGone], fmt.Sprintf("%d more memories name files that are gone.", more))
	}
	return out
}

// weightiest are the memories in force that are about code or a command, the weightiest first.
func weightiest(entries []Entry) []int {
	order := make([]int, 0, len(entries))
	for i, e := range entries {
		if len(e.Memory.Anchors)+len(e.Memory.Triggers) > 0 && e.Status == memory.StatusActive {
			order = append(order, i)
		}
	}
	lists.Sort(order, func(a, b int) int { return cmp.Compare(grade(&entries[b]), grade(&entries[a])) })
	return order[:min(len(order), maxChecked)]
}

// grade is the rank of a memory in steps, so that what differs by a breath stays in order.
func grade(e *Entry) int { return int(e.Prior * 1e6) }

// gone is the first file of a memory that is not there any more, under any name.
func (c *code) gone(m *memory.Memory) (path string, gone bool) {
	for _, a := range m.Anchors {
		if _, ok := c.moves.Place(a.Path); !ok {
			return a.Path, true
		}
	}
	return "", false
}

// Change is a file that a memory is about and that is not what it was.
type Change struct {
	Path string // its present name
	Blob string // what it was, abbreviated
}

// Changed is the first file of a memory that is not what it was; ok is false for none.
func (v *View) Changed(m *memory.Memory) (c Change, ok bool) {
	for _, a := range m.Anchors {
		if v.code.differs(a) {
			path, _ := v.code.moves.Place(a.Path)
			return Change{path, a.Blob}, true
		}
	}
	return c, false
}
