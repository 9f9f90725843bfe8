package view

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/policy"
)

// ReviewerError says that whoever makes commits here accepts no memory.
type ReviewerError struct {
	Reviewers []string
	Mail      string // of whoever makes commits here; "" where git knows none
}

func (e *ReviewerError) Error() string {
	return fmt.Sprintf("only reviewers of config.yaml accept memories (%s), and git's user.email here is %s",
		memory.OneLine(strings.Join(e.Reviewers, ", ")), cmp.Or(e.Mail, "not set"))
}

// MayAccept is a [*ReviewerError] where whoever makes commits here is no reviewer, by the settings of
// the commit at which HEAD left the default branch: a branch names none itself, nor does what is not
// committed. Of a default branch that no remote has, the settings are those of HEAD.
func MayAccept(ctx context.Context, repo *gitops.Repo) error {
	head := gitops.ObjectID(repo.Head)
	base, err := Fork(ctx, repo, head)
	if err != nil {
		return err
	}
	judge, err := policy.At(ctx, repo, cmp.Or(base, head))
	if mail := repo.History().Committer(ctx); !judge.Reviews(mail) {
		return &ReviewerError{judge.Reviewers, mail}
	}
	return err
}
