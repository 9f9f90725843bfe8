package view

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
)

// DefaultBranch returns what the user set as cortex.defaultBranch, else where a
// remote's HEAD points, else main, master or trunk if there is such a branch,
// else "".
func DefaultBranch(ctx context.Context, repo *gitops.Repo) string {
	return defaultBranch(ctx, repo, func() ([]gitops.Branch, error) { return repo.Branches(ctx) })
}

// defaultBranch is [DefaultBranch] with another way to list the branches.
func defaultBranch(ctx context.Context, repo *gitops.Repo, list func() ([]gitops.Branch, error)) string {
	if settings, err := repo.Settings(ctx); err == nil {
		if b := settings.Value("cortex.defaultbranch"); b != "" {
			return b
		}
		for _, remote := range settings.Remotes() {
			if b := repo.Remotes().Head(ctx, remote); b != "" {
				return b
			}
		}
	}
	branches, err := list()
	if err != nil {
		return ""
	}
	for _, want := range []string{"main", "master", "trunk"} {
		if slices.ContainsFunc(branches, func(b gitops.Branch) bool { return b.Name == want }) {
			return want
		}
	}
	return ""
}

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
		base, err := baseOf(ctx, repo, head, rev)
		if err != nil {
			return "", err
		}
		if fork, err = newer(ctx, repo, fork, base); err != nil {
			return "", err
		}
	}
	return fork, nil
}

// Tip returns the newest commit of a branch, as it is here or as a remote had it last; where neither comes from
// the other, as it is here. It is "" where there is no such branch.
func Tip(ctx context.Context, repo *gitops.Repo, branch string) (tip gitops.ObjectID, err error) {
	for _, rev := range tipsOf(ctx, repo, branch, false) {
		id, _ := repo.History().Commit(ctx, rev) // "" where there is none
		if tip, err = newer(ctx, repo, tip, id); err != nil {
			return "", err
		}
	}
	return tip, nil
}

// baseOf is the newest commit that a commit shares with a branch; "" for none.
func baseOf(ctx context.Context, repo *gitops.Repo, head gitops.ObjectID, rev string) (gitops.ObjectID, error) {
	tip, err := repo.History().Commit(ctx, rev)
	if err != nil {
		return "", nil //nolint:nilerr // no such branch here
	}
	return firstBase(ctx, repo, head, tip)
}

// newer is the newer of two commits: the one that comes from the other. "" is older than any.
func newer(ctx context.Context, repo *gitops.Repo, a, b gitops.ObjectID) (gitops.ObjectID, error) {
	if a == "" {
		return b, nil
	}
	if b == "" {
		return a, nil
	}
	between, err := firstBase(ctx, repo, b, a)
	if between == a {
		return b, err
	}
	return a, err
}

func firstBase(ctx context.Context, repo *gitops.Repo, a, b gitops.ObjectID) (gitops.ObjectID, error) {
	bases, err := repo.History().MergeBases(ctx, a, b)
	if err != nil || len(bases) == 0 {
		return "", err
	}
	return bases[0], nil
}

// tipsOf are the refs of a branch: its own, unless only those of remotes are wanted,
// and those.
func tipsOf(ctx context.Context, repo *gitops.Repo, branch string, remotes bool) []string {
	var tips []string
	if !remotes {
		tips = append(tips, "refs/heads/"+branch)
	}
	if settings, err := repo.Settings(ctx); err == nil {
		tips = append(tips, lists.Map(settings.Remotes(), func(remote string) string {
			return "refs/remotes/" + remote + "/" + branch
		})...)
	}
	return tips
}
