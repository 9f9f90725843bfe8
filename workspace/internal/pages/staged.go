package pages

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/folder"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// Staged renders the pages for the commit being made: from the memories
// in the index and those about to land. While one cannot be read there are none. Seen are
// the memory files of the working tree, nil if they have not been looked at.
func (p *Set) Staged(ctx context.Context, landing []gitops.File, seen []index.Item) ([]gitops.File, error) {
	p.mu.Lock()
	p.made = nil
	p.mu.Unlock()
	kinds, now, ok := p.outdated(ctx, landing)
	if ok && len(kinds) == 0 {
		p.remember(now)
		return nil, nil
	}
	if !ok || len(now.changes) > maxKnownChanges {
		base := gitops.ObjectID(p.Repo.Head)
		if base == "" {
			base = p.Repo.EmptyTree()
		}
		kinds = projection.Kinds()
		var err error
		now, err = p.since(ctx, base, landing)
		ok = err == nil // of paths in conflict nothing is noted
	}
	r, there, err := p.renderStaged(ctx, kinds, landing, func() []index.Item { return p.seen(ctx, seen) })
	if r == nil || err != nil {
		return nil, err
	}
	var out []gitops.File
	for _, kind := range kinds {
		path := folder.Dir + "/" + kind.File()
		old, ok := there[path]
		if !ok && !r.some {
			continue
		}
		data := r.page(ctx, kind)
		blob := p.Repo.Hash(data)
		now.set(path, blob, old)
		if blob != old {
			out = append(out, gitops.File{Path: path, Data: data, Generated: true, Staged: old, Ours: func(have []byte) bool { return IsRendering(kind, have) }})
		}
	}
	if ok && r.sound && r.some {
		p.remember(now)
	}
	return out, nil
}

// seen are the memory files of the working tree, nil where one cannot be read.
func (p *Set) seen(ctx context.Context, before []index.Item) []index.Item {
	if before != nil {
		return before
	}
	if items, problems, err := p.landed(ctx); err == nil && len(problems) == 0 {
		return items
	}
	return nil
}

// renderStaged is the rendering of the commit being made, nil while a memory cannot be
// read, and the pages that are staged.
func (p *Set) renderStaged(ctx context.Context, kinds []projection.Kind, landing []gitops.File, look func() []index.Item) (*rendering, map[string]gitops.ObjectID, error) {
	var looking sync.WaitGroup
	var seen []index.Item
	looking.Go(func() { seen = look() }) // while git reads its index
	staged, err := p.Repo.StagingArea().Staged(ctx, folder.Dir)
	looking.Wait()
	if err != nil {
		return nil, nil, err
	}
	there, by := map[string]gitops.ObjectID{}, map[projection.Kind]gitops.ObjectID{}
	var items []index.Item
	for _, e := range staged {
		switch {
		case kindOfPage(e.Path) != "":
			there[e.Path] = e.Blob
		case kindOfTemplate(e.Path) != "":
			by[kindOfTemplate(e.Path)] = e.Blob
		case isMemoryPath(e.Path) && !slices.ContainsFunc(landing, func(f gitops.File) bool { return f.Path == e.Path }):
			items = append(items, index.Item{Blob: string(e.Blob), Path: e.Path, Stage: index.Landed})
		}
	}
	items, same := asSeen(items, seen, landing)
	problems, err := p.Index.Fill(ctx, items, p.Fetch)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the index: %w", err)
	}
	if err := unread(problems); err != nil {
		p.Notice("%v", err)
		return nil, nil, nil
	}
	templates, err := p.templatesOf(ctx, by)
	if err != nil {
		return nil, nil, err
	}
	r := p.rendering(kinds, items, landing, templates)
	r.sound = len(problems) == 0
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made = nil; same && r.sound {
		p.made = &commit{items, landing}
	}
	return r, there, nil
}

// asSeen are the items of the index, those of files that were seen in the working tree as
// the catalog knows them already. Same says that there are no others in either, but where
// something is about to land; that is not so where nothing was seen, which nil says. Items
// are sorted by path.
func asSeen(items, seen []index.Item, landing []gitops.File) (known []index.Item, same bool) {
	if seen == nil {
		return items, false
	}
	byPath := func(a, b index.Item) int { return strings.Compare(a.Path, b.Path) }
	other := func(it index.Item) bool {
		return it.Stage != index.Landed || slices.ContainsFunc(landing, func(f gitops.File) bool { return f.Path == it.Path })
	}
	if slices.ContainsFunc(seen, other) || !slices.IsSortedFunc(seen, byPath) {
		seen = slices.DeleteFunc(slices.Clone(seen), other)
		slices.SortFunc(seen, byPath)
	}
	if same = slices.EqualFunc(items, seen, func(a, b index.Item) bool { return a.Path == b.Path && a.Blob == b.Blob }); same {
		return seen, true
	}
	for i := range items {
		for len(seen) > 0 && seen[0].Path < items[i].Path {
			seen = seen[1:]
		}
		if len(seen) > 0 && seen[0].Path == items[i].Path && seen[0].Blob == items[i].Blob {
			items[i] = seen[0]
		}
	}
	return items, false
}

// Stage brings the pages of the commit that is being made in step with its
// memories, where this branch keeps them, and lands nothing else.
func (p *Set) Stage(ctx context.Context) (refused []gitops.Refusal, err error) {
	if !p.Maintained(ctx) {
		return nil, nil
	}
	if t, err := p.Folder(); err != nil || t.Newer != nil {
		return nil, err
	}
	pages, err := p.Staged(ctx, nil, nil)
	if err != nil || len(pages) == 0 {
		return nil, err
	}
	if refused, err = p.Repo.Land(ctx, pages); err != nil {
		return nil, fmt.Errorf("staging the pages: %w", err)
	}
	if len(refused) > 0 {
		return refused, p.Refresh(ctx, projection.Kinds())
	}
	return refused, p.Follow(ctx, projection.Kinds())
}

// Unstage brings the staged pages in step with what is still staged after a
// landing was taken back. Pages that came with it alone go with it.
func (p *Set) Unstage(ctx context.Context) error {
	staged, err := p.Repo.StagingArea().Staged(ctx, folder.Dir)
	if err != nil {
		return err
	}
	var alone []string
	for _, e := range staged {
		if strings.HasPrefix(e.Path, hookstate.MemoriesDir+"/") {
			_, err := p.Stage(ctx)
			return err
		}
		if _, ok := projection.KindOf(e.Path); ok && strings.Count(e.Path, "/") == 1 {
			alone = append(alone, e.Path)
		}
	}
	committed, err := p.Repo.PathsAt(ctx, "HEAD", alone)
	if err != nil {
		return err
	}
	if len(committed) > 0 {
		_, err := p.Stage(ctx)
		return err
	}
	if err := p.Repo.StagingArea().Unstage(ctx, alone); err != nil {
		return err
	}
	items, _, err := p.landed(ctx)
	if err != nil {
		return err
	}
	some := slices.ContainsFunc(items, func(it index.Item) bool {
		_, ok := p.Index.Catalog().FactsOf(&it)
		return ok
	})
	t, err := p.Folder()
	if err != nil {
		return err
	}
	for _, page := range alone {
		data, ok, err := t.Read(page)
		if kind, known := projection.KindOf(page); err == nil && ok && known && !some && IsRendering(kind, data) {
			err = t.Remove(page, folder.Dir)
		}
		if err != nil {
			return err
		}
	}
	return p.Refresh(ctx, projection.Kinds())
}
