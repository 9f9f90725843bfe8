package certify

import (
	"context"
	"errors"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// maxMerges bounds how many merges [Since] looks at, the newest ones.
const maxMerges = 100

// LostBetween returns the memories that merges between two commits lost or brought back, and
// that still are so in the newer one. What can be seen in the files themselves, such as
// markers and pages, is left to a check of these.
func LostBetween(ctx context.Context, w *workspace.Workspace, base, head gitops.ObjectID) ([]Finding, error) {
	if base == "" {
		return nil, nil
	}
	merges, err := w.Repo.History().Merges(ctx, base, head, workspace.Dir, maxMerges)
	if err != nil || len(merges) == 0 {
		return nil, err
	}
	state, err := newCertifier(w).at(ctx, string(head), head)
	if err != nil {
		return nil, err
	}
	var out []Finding
	for _, merge := range merges {
		problems, err := problemsOf(ctx, w, merge, state)
		if err != nil {
			return nil, err
		}
		for _, f := range problems {
			if !slices.ContainsFunc(out, f.sameAs) {
				f.Merge = string(merge)
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// problemsOf are those of a merge whose sides are here, as far as they are so in a later state.
func problemsOf(ctx context.Context, w *workspace.Workspace, merge gitops.ObjectID,
	now *mergeState,
) ([]Finding, error) {
	c, err := Merge(ctx, w, string(merge), nil)
	if errors.Is(err, ErrShallow) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return lists.Without(c.Problems, func(f Finding) bool { return !f.stillSo(now) }), nil
}

// stillSo reports whether what a merge did to a memory is so in a later state.
func (f *Finding) stillSo(now *mergeState) bool {
	switch held := now.has(f.ID); f.Kind {
	case "lost":
		return !held
	case "resurrected", "one-sided":
		return held
	}
	return false
}

func (f *Finding) sameAs(other Finding) bool { return other.ID == f.ID && other.Kind == f.Kind }

// Pages returns the pages that a commit should hold and that do not match its memories,
// if every branch keeps its pages up to date. On a default branch that alone keeps them, pages that are
// behind are none of them: where a server merges, the next commit of a clone renders them.
func Pages(ctx context.Context, w *workspace.Workspace, rev string) ([]Finding, error) {
	c := newCertifier(w)
	id, err := w.Repo.History().Commit(ctx, rev)
	if errors.Is(err, gitops.ErrNoRevision) && rev == "HEAD" {
		return nil, nil // no commit
	}
	if err != nil {
		return nil, err
	}
	// Pages depend on the folder of the commit, and on this very program, alone.
	_, folder, err := w.Repo.History().TreeIDs(ctx, string(id), workspace.Dir)
	if err != nil {
		return nil, err
	}
	key := facts.Build(w.Views.Program) + " " + string(folder)
	if _, right := facts.Kept[bool](w.Repo, facts.Matching, key); right {
		return nil, nil
	}
	if c.merged, err = c.at(ctx, rev, id); err != nil {
		return nil, err
	}
	if len(c.merged.other) == 0 {
		return nil, nil // neither pages nor settings: nobody keeps pages here
	}
	if err = c.judgePages(ctx); err != nil {
		return nil, err
	}
	if len(c.out.Problems)+len(c.out.Notes) == 0 {
		facts.Keep(w.Repo, facts.Matching, key, true)
	}
	out := c.out.Problems
	if w.MaintainsPages(ctx) {
		out = append(out, lists.Without(c.out.Notes, func(f Finding) bool { return f.behind })...)
	}
	for i := range out {
		out[i].Text = "it does not match the memories of this commit"
	}
	return out, nil
}
