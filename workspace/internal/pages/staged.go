package pages

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
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
	kinds, now, known := p.outdated(ctx, landing)
	if known && len(kinds) == 0 {
		p.remember(now)
		return nil, nil
	}
	if !known || len(now.changes) > maxKnownChanges {
		kinds = p.kinds()
		now, known = p.sinceHead(ctx, landing)
	}
	r, there, err := p.renderStaged(ctx, kinds, landing, func() []index.Item { return p.seen(ctx, seen) })
	if r == nil || err != nil {
		return nil, err
	}
	out := p.changedPages(ctx, r, there, &now)
	if known && r.complete() {
		p.remember(now)
	}
	if slices.Contains(kinds, projection.Surface) {
		surfaces, err := p.surfacesOf(ctx, r)
		return append(out, surfaces...), err
	}
	return out, nil
}

// complete reports whether every memory was read, and there are some.
func (r *rendering) complete() bool { return r.sound && r.some }

// changedPages are the pages of a rendering that differ from those that are staged. They are
// noted in the state of the commit.
func (p *Set) changedPages(ctx context.Context, r *rendering, there map[string]gitops.ObjectID,
	now *renderedPages,
) []gitops.File {
	var out []gitops.File
	for _, kind := range r.kinds {
		path := pathOf(kind)
		old, ok := there[path]
		if kind == projection.Surface || !ok && !r.some {
			continue
		}
		data := r.page(ctx, kind)
		blob := p.Repo.Hash(data)
		now.set(path, blob, old)
		if blob != old {
			ours := func(have []byte) bool { return IsRendering(kind, have) }
			out = append(out, gitops.File{Path: path, Data: data, Generated: true, Staged: old, Ours: ours})
		}
	}
	return out
}

// sinceHead compares the commit being made with HEAD. Of paths in conflict nothing is known.
func (p *Set) sinceHead(ctx context.Context, landing []gitops.File) (now renderedPages, ok bool) {
	base := cmp.Or(gitops.ObjectID(p.Repo.Head), p.Repo.EmptyTree())
	now, err := p.since(ctx, base, landing)
	return now, err == nil
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
func (p *Set) renderStaged(ctx context.Context, kinds []projection.Kind, landing []gitops.File,
	look func() []index.Item,
) (*rendering, map[string]gitops.ObjectID, error) {
	var looking sync.WaitGroup
	var seen []index.Item
	looking.Go(func() { seen = look() }) // while git reads its index
	staged, err := p.Repo.StagingArea().Staged(ctx, folder.Dir)
	looking.Wait()
	if err != nil {
		return nil, nil, err
	}
	in := sortStaged(staged, landing)
	items, same := asSeen(in.items, seen, landing)
	problems, err := p.Index.Fill(ctx, items, p.Fetch)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the index: %w", err)
	}
	if err := unread(problems); err != nil {
		p.Notice("%v", err)
		return nil, nil, nil
	}
	r := p.rendering(kinds, items, landing, p.templatesOf(ctx, in.templates))
	r.sound = len(problems) == 0
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made = nil
	if same && r.sound {
		p.made = &commit{items, landing}
	}
	return r, in.pages, nil
}

// stagedFiles are the files of git's index that matter to pages.
type stagedFiles struct {
	pages     map[string]gitops.ObjectID // by path
	templates map[projection.Kind]gitops.ObjectID
	items     []index.Item // memories, but for those that are about to land
}

func sortStaged(staged []gitops.Entry, landing []gitops.File) stagedFiles {
	in := stagedFiles{pages: map[string]gitops.ObjectID{}, templates: map[projection.Kind]gitops.ObjectID{}}
	for _, e := range staged {
		switch {
		case kindOfPage(e.Path) != "":
			in.pages[e.Path] = e.Blob
		case KindOfTemplate(e.Path) != "":
			in.templates[KindOfTemplate(e.Path)] = e.Blob
		case isMemoryPath(e.Path):
			in.items = append(in.items, index.Item{Blob: string(e.Blob), Path: e.Path, Stage: index.Landed})
		}
	}
	in.items = lists.Without(in.items, func(it index.Item) bool { return landsAt(landing, it.Path) })
	return in
}

// landsAt reports whether a file is about to land at a path.
func landsAt(landing []gitops.File, path string) bool {
	return slices.ContainsFunc(landing, func(f gitops.File) bool { return f.Path == path })
}

// asSeen are the items of the index, those of files that were seen in the working tree as
// the catalog knows them already. Same says that there are no others in either, but where
// something is about to land; that is not so where nothing was seen, which nil says. Items
// are sorted by path.
func asSeen(items, seen []index.Item, landing []gitops.File) (known []index.Item, same bool) {
	if seen == nil {
		return items, false
	}
	at := make(map[string]int, len(seen)) // in seen, by path
	for i := range seen {
		if seen[i].Stage == index.Landed && !landsAt(landing, seen[i].Path) {
			at[seen[i].Path] = i
		}
	}
	same = len(items) == len(at)
	for i := range items {
		k, ok := at[items[i].Path]
		if ok && seen[k].Blob == items[i].Blob {
			items[i] = seen[k]
		} else {
			same = false
		}
	}
	return items, same
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
	if refused, err = p.Repo.StagingArea().Land(ctx, pages); err != nil {
		return nil, fmt.Errorf("staging the pages: %w", err)
	}
	refresh := p.Follow
	if len(refused) > 0 {
		refresh = p.Refresh
	}
	return refused, refresh(ctx, projection.Kinds())
}

// Unstage brings the staged pages in step with what is still staged after a
// landing was taken back. Pages that came with it alone go with it.
func (p *Set) Unstage(ctx context.Context) error {
	staged, err := p.Repo.StagingArea().Staged(ctx, folder.Dir)
	if err != nil {
		return err
	}
	alone, err := p.stagedAlone(ctx, staged)
	if err != nil {
		return err
	}
	if alone == nil {
		_, err := p.Stage(ctx)
		return err
	}
	if err := p.Repo.StagingArea().Unstage(ctx, alone); err != nil {
		return err
	}
	if err := p.removeEmpty(ctx, alone); err != nil {
		return err
	}
	return p.Refresh(ctx, projection.Kinds())
}

// stagedAlone are the staged pages where no memory is staged and HEAD has none of them; nil where
// that is not so.
func (p *Set) stagedAlone(ctx context.Context, staged []gitops.Entry) ([]string, error) {
	alone := []string{}
	for _, e := range staged {
		if strings.HasPrefix(e.Path, hookstate.MemoriesDir+"/") {
			return nil, nil
		}
		if kindOfPage(e.Path) != "" {
			alone = append(alone, e.Path)
		}
	}
	committed, err := p.Repo.PathsAt(ctx, "HEAD", alone)
	if err != nil || len(committed) > 0 {
		return nil, err
	}
	return alone, nil
}

// removeEmpty removes pages of the working tree in which nobody's words are, where there is no
// memory for them to show.
func (p *Set) removeEmpty(ctx context.Context, pages []string) error {
	items, _, err := p.landed(ctx)
	if err != nil {
		return err
	}
	isMemory := func(it index.Item) bool {
		_, ok := p.Index.Catalog().FactsOf(&it)
		return ok
	}
	if slices.ContainsFunc(items, isMemory) {
		return nil
	}
	t, err := p.Folder()
	if err != nil {
		return err
	}
	for _, page := range pages {
		data, _, err := t.Read(page)
		if err == nil && IsRendering(kindOfPage(page), data) {
			err = t.Remove(page, folder.Dir)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
