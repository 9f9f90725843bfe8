package pages

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// Join renders the pages that a merge, cherry-pick or rebase under way left between
// conflict markers, as with the strategies resolve and octopus, for which git calls no
// merge driver, and stages them, so that they no longer keep its user from
// committing. It does nothing while a memory is left unmerged: what that will say is for
// a person to decide. Otherwise it looks at a few files and does nothing.
func (p *Set) Join(ctx context.Context) error {
	if p.Repo.Root == "" {
		return nil
	}
	blocked, err := p.Repo.LandBlocked(ctx)
	if err != nil || blocked == "" {
		return err
	}
	left, err := p.unmerged(ctx)
	if err != nil || len(left) == 0 {
		return err
	}
	r, _, err := p.renderStaged(ctx, left, nil, func() []index.Item { return nil })
	if r == nil || err != nil {
		return err
	}
	var files []gitops.File
	for _, kind := range left {
		page := r.page(ctx, kind)
		files = append(files, gitops.File{Path: pathOf(kind), Data: page, Generated: true, Ours: memory.Conflicted})
	}
	_, err = p.Repo.StagingArea().Land(ctx, files)
	return err
}

// unmerged are the pages that are unmerged and stand between conflict markers; none while a
// memory or a template is unmerged too, or this branch keeps no pages.
func (p *Set) unmerged(ctx context.Context) ([]projection.Kind, error) {
	if !p.Maintained(ctx) {
		return nil, nil
	}
	t, err := p.Folder()
	if err != nil || t.Newer != nil {
		return nil, err
	}
	left := lists.Without(projection.Kinds(), func(k projection.Kind) bool {
		data, _, err := t.Read(pathOf(k)) // nil where there is none
		return err != nil || !memory.Conflicted(data)
	})
	if len(left) == 0 {
		return nil, nil
	}
	unmerged, err := p.Repo.StagingArea().Unmerged(ctx, folder.Dir)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(unmerged, isSource) {
		return nil, nil
	}
	return lists.Without(left, func(k projection.Kind) bool { return !slices.Contains(unmerged, pathOf(k)) }), nil
}

// isSource reports whether pages are made from the file at a path.
func isSource(path string) bool { return isMemoryPath(path) || KindOfTemplate(path) != "" }
