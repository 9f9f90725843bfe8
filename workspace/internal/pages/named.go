package pages

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// nameAsGit finds the memory files of the working tree of which git would make other
// objects, since it changes their line ends, and has the pages name those. Otherwise a page
// here would not be that of the commit for as long as an editor's line ends stay. It looks
// only at files that a page out of date does not name yet, and asks git only about those
// with carriage returns.
func (p *Set) nameAsGit(ctx context.Context, t folder.Folder, r *rendering) error {
	known, current, err := r.namedBy(ctx, t)
	if err != nil || current {
		return err
	}
	blobs := map[string]string{} // by path
	for i := range r.shown {
		it := &r.shown[i]
		if known[projection.Name(it.Blob)] || !r.names(it) {
			continue
		}
		data, _, _ := t.ReadCapped(it.Path, memory.MaxFile) // nil of what is no memory
		if bytes.IndexByte(data, '\r') >= 0 {
			blobs[it.Path] = it.Blob
		}
	}
	return p.askGit(ctx, blobs, r)
}

// namedBy are the memories that the pages of the working tree name, and whether all pages are as
// they are rendered.
func (r *rendering) namedBy(ctx context.Context, t folder.Folder) (known map[string]bool, current bool, err error) {
	known, current = map[string]bool{}, true
	for _, kind := range r.kinds {
		have, ok, err := t.Read(pathOf(kind))
		if err != nil {
			return nil, false, err
		}
		have = NormalEOL(have)
		current = current && r.isCurrent(ctx, kind, have, ok)
		for _, name := range projection.Named(kind, have) {
			known[name] = true
		}
	}
	return known, current, nil
}

// names reports whether a page names the memory of an item.
func (r *rendering) names(it *index.Item) bool {
	f, ok := r.catalog.FactsOf(it)
	m := f.Memory()
	return ok && slices.ContainsFunc(r.kinds, func(k projection.Kind) bool { return k.Names(&m) })
}

// askGit notes the objects that git has, or would make, of files by path.
func (p *Set) askGit(ctx context.Context, blobs map[string]string, r *rendering) error {
	if len(blobs) == 0 {
		return nil
	}
	paths := slices.Sorted(maps.Keys(blobs))
	staged, err := p.Repo.StagingArea().Staged(ctx, paths...)
	if err != nil {
		return err
	}
	paths = lists.Without(paths, func(path string) bool {
		return slices.Contains(staged, gitops.Entry{Path: path, Blob: gitops.ObjectID(blobs[path])})
	})
	if len(paths) == 0 {
		return nil
	}
	made, err := p.Repo.StagingArea().Made(ctx, paths)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asGit = map[string]string{}
	for i, path := range paths {
		r.asGit[blobs[path]] = string(made[i])
	}
	clear(r.pages)
	return nil
}

// named are files with the names that git has for them.
func (r *rendering) named(files []projection.File) []projection.File {
	if len(r.asGit) == 0 {
		return files
	}
	files = slices.Clone(files)
	for i := range files {
		if made, ok := r.asGit[files[i].Blob]; ok {
			files[i].Blob = made
		}
	}
	return files
}
