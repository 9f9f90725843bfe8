package workspace

import (
	"context"

	"github.com/git-cortex/cortex/gitops"
)

// Fork returns the newest commit that a commit shares with the default branch, as
// that is here or as a remote had it last; if the default branch is checked out, and
// the commit is HEAD, as a remote had it. It is "" where there is none: no default
// branch is known, or nothing is shared with it.
func Fork(ctx context.Context, repo *gitops.Repo, head gitops.ObjectID) (gitops.ObjectID, error) {
	name := DefaultBranch(ctx, repo)
	if name == "" || head == "" {
		return "", nil
	}
	own := repo.Branch == name && string(head) == repo.Head
	var fork gitops.ObjectID
	for _, rev := range tipsOf(ctx, repo, name, own) {
		tip, err := repo.History().Commit(ctx, rev)
		if err != nil {
			continue // no such branch here
		}
		bases, err := repo.History().MergeBases(ctx, head, tip)
		if err != nil {
			return "", err
		}
		if len(bases) == 0 {
			continue
		}
		if fork == "" {
			fork = bases[0]
			continue
		}
		// The newer of two is the one that comes from the other.
		between, err := repo.History().MergeBases(ctx, bases[0], fork)
		if err != nil {
			return "", err
		}
		if len(between) > 0 && between[0] == fork {
			fork = bases[0]
		}
	}
	return fork, nil
}

// tipsOf are the refs of a branch: its own, unless only those of remotes are wanted,
// and those.
func tipsOf(ctx context.Context, repo *gitops.Repo, branch string, remotes bool) []string {
	var tips []string
	if !remotes {
		tips = append(tips, "refs/heads/"+branch)
	}
	if settings, err := repo.Settings(ctx); err == nil {
		for _, remote := range settings.Remotes() {
			tips = append(tips, "refs/remotes/"+remote+"/"+branch)
		}
	}
	return tips
}
