package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// readSoon is how many files that were never read a view reads that cannot wait.
const readSoon = 5000

// Landed returns the memory files of the tree that a view with these options is about, before
// the view makes one entry of files with the same id, and the files that are no memories.
func (r *Reader) Landed(ctx context.Context, opt Options) ([]index.Item, []index.Problem, error) {
	v := &View{}
	items, err := r.landed(ctx, v, opt)
	return items, v.Problems, err
}

// landed reads the files of the tree that the view is about.
func (r *Reader) landed(ctx context.Context, v *View, opt Options) ([]index.Item, error) {
	if opt.Branch == DetachedName {
		opt.At = cmp.Or(opt.At, "HEAD")
	}
	if opt.At == "" && !r.elsewhere(opt) && r.Repo.Root != "" {
		return r.ofWorktree(ctx, v, opt)
	}
	return r.ofCommit(ctx, v, opt)
}

// ofWorktree reads the memory files of the working tree.
func (r *Reader) ofWorktree(ctx context.Context, v *View, opt Options) ([]index.Item, error) {
	if v.source.name != nil {
		v.source.name.Ask(ctx)
	}
	haste := index.Haste{Most: math.MaxInt, Folders: opt.Folders}
	if opt.Soon {
		haste.Most = readSoon
	}
	tree, err := r.Index.ScanSome(ctx, r.Tree.Abs(hookstate.MemoriesDir), haste)
	if err != nil {
		v.source.name.Wait()
		return nil, fmt.Errorf("reading %s: %w", hookstate.MemoriesDir, err)
	}
	v.Problems = append(v.Problems, tree.Problems...)
	v.source.left = tree.Left
	v.code.files, v.code.known = r.Tree.Files(), facts.FilesOf(r.Repo, r.Now)
	v.code.moves = facts.RenamesOf(r.Repo, v.code.files)
	if r.Global.Here() {
		for i := range tree.Items {
			tree.Items[i].Stage = index.Global
		}
	}
	items, err := r.withSkipped(ctx, tree.Items)
	if err != nil {
		return items, err
	}
	whole := len(items) == len(tree.Items)
	if whole && len(tree.Problems) == 0 && tree.Left == 0 {
		v.source.files = slices.Clip(tree.Items)
	}
	if !whole {
		tree.State = "" // it does not name what was skipped
	}
	if v.source.name != nil {
		v.source.name.Of(ctx, tree.State, items)
		r.naming.Go(v.source.name.Done)
	}
	return items, nil
}

// withSkipped adds the memories that a sparse checkout leaves out of the
// working tree: they have landed all the same.
func (r *Reader) withSkipped(ctx context.Context, items []index.Item) ([]index.Item, error) {
	skipped, err := r.Repo.StagingArea().Skipped(ctx, hookstate.MemoriesDir)
	if err != nil || len(skipped) == 0 {
		return items, err
	}
	there := lists.SetOf(items, func(it index.Item) string { return it.Path })
	skipped = lists.Without(skipped, func(e gitops.Entry) bool { return there[e.Path] })
	return append(items, memoriesIn(skipped)...), nil
}

// memoriesIn are the memory files of a list.
func memoriesIn(entries []gitops.Entry) []index.Item {
	var items []index.Item
	for _, e := range entries {
		if strings.HasSuffix(e.Path, ".md") {
			items = append(items, index.Item{Blob: string(e.Blob), Path: e.Path, Stage: index.Landed})
		}
	}
	return items
}

// ofCommit lists the memory files of a revision or of the tip of a branch.
func (r *Reader) ofCommit(ctx context.Context, v *View, opt Options) ([]index.Item, error) {
	rev, entries, err := r.treeOf(ctx, opt)
	if errors.Is(err, gitops.ErrNoRevision) {
		return nil, r.noTree(ctx, rev, opt, err)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", rev, err)
	}
	v.source.rev = rev
	if v.source.name != nil {
		// A state without a name is one all the same.
		id, _, _ := r.Repo.History().TreeIDs(ctx, rev, hookstate.MemoriesDir)
		v.source.name.Known(string(id))
	}
	return memoriesIn(entries), nil
}

// noTree is the error where there is no commit to read; nil for a branch that is gone and that
// something is pending for, which has landed nothing.
func (r *Reader) noTree(ctx context.Context, rev string, opt Options, err error) error {
	switch {
	case opt.At != "":
		return err
	case r.waitsFor(ctx, opt.Branch):
		return nil
	case rev == "HEAD":
		return fmt.Errorf("%w: %s", ErrUnborn, r.Repo.Branch)
	}
	return fmt.Errorf("%q: %w", opt.Branch, ErrNoBranch)
}

// treeOf lists the memory files of a revision or branch: a local one, else one
// of a remote, named with the remote or, as git switch takes it, without.
func (r *Reader) treeOf(ctx context.Context, opt Options) (rev string, entries []gitops.Entry, err error) {
	revs, err := r.revisionsOf(ctx, opt)
	if err != nil {
		return opt.At, nil, err
	}
	for _, rev = range revs {
		if entries, err = r.Repo.Tree(ctx, rev, hookstate.MemoriesDir); !errors.Is(err, gitops.ErrNoRevision) {
			return rev, entries, err
		}
	}
	return cmp.Or(opt.At, opt.Branch, "HEAD"), nil, err
}

// revisionsOf are the revisions that options may mean, the likeliest first.
func (r *Reader) revisionsOf(ctx context.Context, opt Options) ([]string, error) {
	if opt.At != "" {
		rev, err := r.Revision(ctx, opt.At, false)
		return []string{rev}, err
	}
	if !r.elsewhere(opt) {
		return []string{"HEAD"}, nil
	}
	return []string{"refs/heads/" + opt.Branch, "refs/remotes/" + opt.Branch, "refs/remotes/origin/" + opt.Branch}, nil
}

// Revision is the revision that a word for a state names: the word itself if git knows
// it and it is no day as 2026-03-02, else the newest commit of HEAD that was made by the
// end of a time, as of that day, "yesterday" or "two weeks ago", or with begin before it
// began. What was made at the moment that a word names was made by its end.
func (r *Reader) Revision(ctx context.Context, word string, begin bool) (string, error) {
	if _, err := time.Parse(time.DateOnly, word); err != nil {
		if _, err := r.Repo.Tree(ctx, word, hookstate.MemoriesDir); !errors.Is(err, gitops.ErrNoRevision) {
			return word, nil
		}
	}
	from, by, err := query.Span(word, r.Now())
	if err != nil {
		return "", fmt.Errorf("%q: %w", word, gitops.ErrNoRevision)
	}
	if begin {
		by = from
	} else if by.Equal(from) {
		by = from.Add(time.Second)
	}
	id, err := r.Repo.History().Before(ctx, "HEAD", by.Add(-time.Second))
	if err == nil && id == "" {
		err = fmt.Errorf("%q: %w, and no commit of HEAD is that old", word, gitops.ErrNoRevision)
	}
	return string(id), err
}

// waitsFor reports whether anything is pending for a branch.
func (r *Reader) waitsFor(ctx context.Context, branch string) bool {
	snap, err := r.Journal.Snapshot(ctx)
	if err != nil {
		return false
	}
	entries, err := snap.List(ctx, gitops.PendingPrefix(r.Secrets.BranchIn(ctx, snap, branch)))
	return err == nil && len(entries) > 0
}
