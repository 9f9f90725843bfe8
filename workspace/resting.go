package workspace

import (
	"context"
	"slices"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// rest keeps that git's hooks have nothing to do after a landing of pre-commit, by the files as they were
// before it. The hooks start no cortex as long as none of them changes.
type rest struct {
	lander *lander
	read   *hookstate.Resting
}

// restBefore is the rest before a landing; nil where hooks cannot tell, or post-commit failed and has to
// show that it does not any more.
func restBefore(ctx context.Context, w *Workspace) *rest {
	place := hookstate.Place{Worktree: w.Repo.Worktree()}
	read := place.Rest(w.Repo.Branch, w.Repo.Head)
	if read == nil || len(w.Diary.Troubles([]string{"post-commit"}, false)) > 0 {
		return nil
	}
	if w.lander.landsSome(ctx) {
		read.Watch(w.lander.refsOfRoom(ctx)...)
	}
	return &rest{w.lander, read}
}

// didNothing reports whether nothing landed, and no page was staged.
func (out *Landing) didNothing() bool {
	return out.Blocked == "" && len(out.Landed)+len(out.Pages)+len(out.Refused) == 0
}

// KeepRest keeps that git's hooks have nothing to do, if that is so after a landing of
// [Workspace.PreCommit].
func (out *Landing) KeepRest(ctx context.Context) {
	if out.rest == nil || !out.didNothing() {
		return
	}
	if until, ok := out.rest.lander.rests(ctx); ok && ctx.Err() == nil {
		out.rest.read.Keep(until)
	}
}

// landsSome reports whether something may land with a commit if there is room.
func (l *lander) landsSome(ctx context.Context) bool {
	return l.policy.Land == "commit" && l.someSure(ctx)
}

// refsOfRoom are the refs on which it depends what the branch has brought, but for the branch itself.
func (l *lander) refsOfRoom(ctx context.Context) []string {
	standard := view.DefaultBranch(ctx, l.repo)
	refs := []string{
		"refs/heads/main", "refs/heads/master", "refs/heads/trunk",
		"refs/heads/" + standard, "refs/remotes/origin/" + standard,
	}
	for _, branch := range []string{standard, l.repo.Branch} {
		if upstream, _ := l.repo.History().Upstream(ctx, branch); upstream != "" {
			refs = append(refs, upstream)
		}
	}
	settings, err := l.repo.Settings(ctx)
	if err != nil {
		return refs
	}
	return append(refs,
		lists.Map(settings.Remotes(), func(r string) string { return "refs/remotes/" + r + "/HEAD" })...)
}

// rests reports whether there is nothing to do after the commit being made: nothing is to be taken off the
// journal, and nothing is staged. Until then nothing can land either: the zero time where no time ends that.
func (l *lander) rests(ctx context.Context) (until time.Time, ok bool) {
	if !l.settled(ctx) {
		return until, false
	}
	if !l.landsSome(ctx) {
		return until, true
	}
	brought, _, err := l.brought(ctx, 0)
	if err != nil || brought < l.policy.LandBranchMax {
		return time.Unix(0, 0), true // the next commit may change enough files
	}
	return l.fullUntil(ctx)
}

// fullUntil is when a branch that has brought all that it may has room again at the earliest, as on a default
// branch; the zero time where no time brings that. The count is another one where HEAD is amended.
func (l *lander) fullUntil(ctx context.Context) (until time.Time, ok bool) {
	if l.repo.Asked(ctx).Amend {
		return time.Unix(0, 0), true
	}
	oldest, err := l.repo.History().OldestBrought(ctx, l.now().Add(-dayOfBudget), MemoriesDir)
	if err != nil || oldest.IsZero() {
		return until, err == nil
	}
	return oldest.Add(dayOfBudget), true
}

// settled reports whether below .cortex the commit being made is as HEAD, and no memory leaves the
// journal by it.
func (l *lander) settled(ctx context.Context) bool {
	snap, err := l.journal.Snapshot(ctx)
	if err != nil {
		return false
	}
	here := l.secrets.Branch(ctx, l.repo.Branch)
	if !onlyFor(ctx, snap, here) {
		return false // post-commit looks whether another branch was merged
	}
	if gone, err := l.landedAt(ctx, snap, gitops.PendingPrefix(here)); err != nil || len(gone) > 0 {
		return false
	}
	differ, err := l.repo.StagingArea().Differences(ctx, gitops.ObjectID(l.repo.Head), Dir)
	return err == nil && len(differ) == 0
}

// onlyFor reports whether nothing is pending for a branch but here.
func onlyFor(ctx context.Context, snap *gitops.Snapshot, here string) bool {
	folders, err := snap.Folders(ctx, "pending")
	return err == nil && !slices.ContainsFunc(folders, func(folder string) bool {
		branch, _ := gitops.DecodeBranch(folder)
		return branch != "" && branch != here
	})
}
