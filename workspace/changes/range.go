package changes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Range is the two states to compare.
type Range struct {
	Base, Head gitops.ObjectID // "" for a state before any commit
	Worktree   bool            // the files that are checked out, instead of Head
	Tip        gitops.ObjectID // of the branch that the head is to go into, as somebody named it; "" if nobody did

	alone bool // nobody named a base, and there may be none to compare with
}

// Errors of [Choose].
var (
	ErrShallow   = errors.New("this clone is shallow and lacks the commits that the two came from")
	ErrUnrelated = errors.New("they have no commit in common")
	ErrNoBase    = errors.New("which branch this one left is not known")
)

// Choose finds the states that words name: none for what HEAD brings since it left
// the default branch; "BASE..HEAD" or "BASE...HEAD" for what HEAD brings since it
// left BASE, where either may be left out; "BASE" alone for the same of HEAD; "OLD",
// "NEW" for these two as they are. With files, the newer state is the working tree.
func Choose(ctx context.Context, w *workspace.Workspace, words []string, files bool) (Range, error) {
	base, head := "", "HEAD"
	switch len(words) {
	case 0:
		if w.Repo.Head == "" {
			return Range{Worktree: files}, nil // no commit yet
		}
	case 1:
		var ok bool
		if base, head, ok = strings.Cut(words[0], ".."); ok {
			head = strings.TrimPrefix(head, ".")
		}
		head = cmp.Or(head, "HEAD")
	default:
		older, err := w.Repo.History().Commit(ctx, words[0])
		if err != nil {
			return Range{}, err
		}
		newer, err := w.Repo.History().Commit(ctx, words[1])
		return Range{Base: older, Head: newer, Tip: older}, err
	}
	newer, err := w.Repo.History().Commit(ctx, head)
	if err != nil {
		return Range{}, err
	}
	older, tip, err := fork(ctx, w, base, newer)
	if err != nil {
		return Range{}, err
	}
	return Range{Base: older, Head: newer, Tip: tip, Worktree: files, alone: base == "" && !files && older == newer},
		nil
}

// Since is the range of what a revision brings since it left the default branch.
func Since(ctx context.Context, w *workspace.Workspace, rev string) (Range, error) {
	head, err := w.Repo.History().Commit(ctx, rev)
	if err != nil {
		return Range{}, err
	}
	base, err := defaultFork(ctx, w, head)
	return Range{Base: base, Head: head}, err
}

// fork is the commit at which head left base, and the tip of base; with "" the default
// branch, and no tip.
func fork(ctx context.Context, w *workspace.Workspace, base string,
	head gitops.ObjectID,
) (at, tip gitops.ObjectID, err error) {
	if base == "" {
		at, err = defaultFork(ctx, w, head)
		return at, "", err
	}
	tip, err = w.Repo.History().Commit(ctx, base)
	if errors.Is(err, gitops.ErrNoRevision) && w.Repo.Shallow() {
		return "", "", fmt.Errorf("%q is not here: %w", base, ErrShallow)
	}
	if err != nil {
		return "", "", err
	}
	bases, err := w.Repo.History().MergeBases(ctx, tip, head)
	if err != nil {
		return "", "", err
	}
	if len(bases) == 0 {
		return "", "", lacking(w, fmt.Errorf("%s and %s: %w", base, short(head), ErrUnrelated))
	}
	return bases[0], tip, nil
}

// noteAlone says why there is nothing to compare on a default branch that no remote has.
func noteAlone(ctx context.Context, w *workspace.Workspace) {
	if at, err := view.Fork(ctx, w.Repo, gitops.ObjectID(w.Repo.Head)); err == nil && at == "" {
		w.Notice("%s is the default branch, and no remote has it, so there is nothing to compare it with; name two"+
			" states, such as: cortex diff HEAD~ HEAD", w.Repo.Branch)
	}
}

// defaultFork is the commit at which head left the default branch. On that branch
// itself it is what a remote has of it, or without a remote head.
func defaultFork(ctx context.Context, w *workspace.Workspace, head gitops.ObjectID) (gitops.ObjectID, error) {
	at, err := view.Fork(ctx, w.Repo, head)
	if err != nil || at != "" {
		return at, err
	}
	if string(head) == w.Repo.Head && OnDefaultBranch(ctx, w) {
		return head, nil
	}
	return "", lacking(w, ErrNoBase)
}

// OnDefaultBranch reports whether the default branch is checked out.
func OnDefaultBranch(ctx context.Context, w *workspace.Workspace) bool {
	return w.Repo.Branch != "" && view.DefaultBranch(ctx, w.Repo) == w.Repo.Branch
}

// lacking is err, unless the answer may lie in commits that this clone has not got.
func lacking(w *workspace.Workspace, err error) error {
	if w.Repo.Shallow() {
		return ErrShallow
	}
	return err
}

func short(id gitops.ObjectID) string { return string(id[:min(len(id), 10)]) }
