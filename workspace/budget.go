package workspace

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Room is how many more memories land by themselves, and what bounds them.
type Room struct {
	Left  int
	Bound Bound
	said  bool // only for what somebody said as such
}

// has reports whether what room there is is for such a memory.
func (r Room) has(m *memory.Memory) bool { return !r.said || view.Outright(m) }

// Bound names the setting that bounds how many memories land by themselves.
type Bound int

// The bounds.
const (
	ByCommit Bound = iota // land_max
	ByBranch              // land_branch_max, since the branch left the default one
	ByPush                // land_branch_max, of the default branch since it was pushed
	ByDay                 // land_branch_max, of a default branch that follows no other
	ByShare               // land_share
)

// dayOfBudget is the period that land_branch_max is counted over on a default branch
// that follows no other.
const dayOfBudget = 24 * time.Hour

// room counts against the change at hand, so that a commit that was refused, tried
// again or amended brings no more than one that was not; and against the branch,
// because a reviewer reads a branch as a whole, and memory is to be the smaller part of it.
func (l *lander) room(ctx context.Context, lore *view.Lore) (Room, error) {
	head, err := l.head(ctx)
	if err != nil {
		return Room{}, err
	}
	now := cmp.Or(string(head), "HEAD")
	added, err := l.repo.StagingArea().Added(ctx, now, MemoriesDir)
	if err != nil {
		return Room{}, err
	}
	staged := added
	if l.repo.Asked(ctx).Amend {
		if staged, err = l.repo.StagingArea().Added(ctx, "HEAD^", MemoriesDir); err != nil {
			return Room{}, err
		}
	}
	change := max(0, l.policy.LandMax-len(staged))
	brought, bound, err := l.brought(ctx, len(added))
	if err != nil {
		return Room{}, err
	}
	room := l.roomOfBranch(lore, brought, bound)
	if l.policy.Land == "branch" || room.Left < change {
		return room, nil
	}
	return Room{Left: change, said: room.said}, nil
}

// roomOfBranch is the room of a branch that has brought so many memories: a pull request of few files has
// room for few of them. The first one always has some, if somebody said it as such.
func (l *lander) roomOfBranch(lore *view.Lore, brought int, bound Bound) Room {
	room := Room{Left: max(0, l.policy.LandBranchMax-brought), Bound: bound}
	share := l.policy.LandShare
	if lore.Whole || share >= 1 || room.Left == 0 {
		return room
	}
	const enough = 1e-9 // of rounding: a quarter of four is one
	fit := int(share/(1-share)*float64(lore.Files()) + enough)
	if left := max(fit, 1) - brought; left < room.Left {
		return Room{Left: max(0, left), Bound: ByShare, said: fit == 0}
	}
	return room
}

// full reports whether nothing can land by itself, because the change or the branch has brought all
// that it may. It is asked before a pending memory is read. Where something was staged for the
// change at hand it says no: then what the user took out of the index must be noted.
func (l *lander) full(ctx context.Context, lore *view.Lore) bool {
	now := l.change(ctx)
	if slices.ContainsFunc(l.staged(), func(line stagedLine) bool { return line.change == now }) {
		return false
	}
	room, err := l.room(ctx, lore)
	return err == nil && room.Left == 0
}

// brought is how many memory files this branch adds with those that are staged, of which there are
// so many: since it left the default branch; on that one, since its upstream, else within a day.
func (l *lander) brought(ctx context.Context, staged int) (int, Bound, error) {
	standard := view.DefaultBranch(ctx, l.repo)
	if standard != "" && standard != l.repo.Branch {
		n, found, err := l.sinceFork(ctx, standard)
		if found || err != nil {
			return n, ByBranch, err
		}
	}
	since, err := l.repo.History().Upstream(ctx, l.repo.Branch)
	if err != nil {
		return 0, ByBranch, err
	}
	bound := map[bool]Bound{true: ByDay, false: ByPush}[since == ""]
	committed, err := l.repo.History().Brought(ctx, since, l.now().Add(-dayOfBudget), MemoriesDir)
	return len(committed) + staged, bound, err
}

// sinceFork counts from where the branch left the default branch, as it is here or as
// a remote had it last, whichever is nearer.
func (l *lander) sinceFork(ctx context.Context, standard string) (least int, found bool, err error) {
	h := l.repo.History()
	head, err := l.head(ctx)
	if err != nil || head == "" {
		return 0, false, err
	}
	for _, ref := range l.tipsOf(ctx, standard) {
		tip, err := h.Commit(ctx, ref)
		if errors.Is(err, gitops.ErrNoRevision) {
			continue
		}
		if err != nil {
			return 0, false, err
		}
		bases, err := h.MergeBases(ctx, head, tip)
		if err != nil {
			return 0, false, err
		}
		for _, base := range bases {
			added, err := l.repo.StagingArea().Added(ctx, string(base), MemoriesDir)
			if err != nil {
				return 0, false, err
			}
			if !found || len(added) < least {
				least, found = len(added), true
			}
		}
	}
	return least, found, nil
}

// tipsOf are the refs of the default branch: here, and as a remote had it last.
func (l *lander) tipsOf(ctx context.Context, standard string) []string {
	upstream, _ := l.repo.History().Upstream(ctx, standard) // "" where it cannot be told, too
	return []string{"refs/heads/" + standard, cmp.Or(upstream, "refs/remotes/origin/"+standard)}
}
