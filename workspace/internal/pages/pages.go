// Package pages keeps the generated pages of .cortex in step with the memories: in the
// working tree ([Set.Project], [Set.Refresh]) and in the commit that is being made
// ([Set.Staged], [Set.Stage]).
//
// What a page says is for package projection to tell. The promise of this one is that a
// page is written where it differs from a fresh rendering and nobody's words are lost by
// it, and that a commit costs by what it changes and not by how many memories there are.
package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// pathOf is the path of a page in the working tree.
func pathOf(kind projection.Kind) string { return folder.Dir + "/" + kind.File() }

// Page is a generated page of .cortex as it stands and as it should.
type Page struct {
	Kind    projection.Kind
	Path    string
	Current bool // the file says what a fresh rendering says
	Missing bool
	Edited  bool // by hand, between the markers of a surface: it stays
	Written bool
}

// Set keeps the generated pages in step with the memories: those of the
// working tree, and those of a commit that is being made. It is safe for concurrent
// use.
type Set struct {
	Repo       *gitops.Repo
	Index      *index.Index
	Folder     func() (folder.Folder, error)                                // of the working tree
	Landed     func(context.Context) ([]index.Item, []index.Problem, error) // its memory files
	Fetch      index.Fetch                                                  // from the repository
	Maintained func(context.Context) bool                                   // whether this branch keeps the pages
	Notice     func(format string, args ...any)

	mu   sync.Mutex
	last *rendering // see rendering
	made *commit    // see Follow; nil for none
}

// commit is the memories of a commit being made that the working tree has too, once
// landing is part of both.
type commit struct {
	items   []index.Item
	landing []gitops.File
}

// Project renders the pages of some kinds and writes those out of date that replace,
// given what is there (nil for no file), says yes to.
func (p *Set) Project(ctx context.Context, kinds []projection.Kind,
	replace func(projection.Kind, []byte) bool,
) ([]Page, error) {
	t, err := p.Folder()
	if err != nil {
		return nil, err
	}
	// Of files with the same id a page shows the one that a merge of pages would
	// keep, so it is rendered from all of them.
	items, problems, err := p.landed(ctx)
	if err != nil {
		return nil, err
	}
	if err := unread(problems); err != nil {
		return nil, err
	}
	return p.project(ctx, t, kinds, commit{items: items}, replace)
}

func (p *Set) project(ctx context.Context, t folder.Folder, kinds []projection.Kind, of commit,
	replace func(projection.Kind, []byte) bool,
) ([]Page, error) {
	skipped, err := p.skipped(ctx)
	if err != nil {
		return nil, err
	}
	r := p.rendering(kinds, of.items, of.landing, p.templatesHere(ctx, t))
	if err := p.nameAsGit(ctx, t, r); err != nil {
		return nil, err
	}
	return r.write(ctx, t, skipped, replace)
}

// landed are the memory files of the working tree, which are in the catalog then unless
// there is a problem.
func (p *Set) landed(ctx context.Context) ([]index.Item, []index.Problem, error) {
	items, problems, err := p.Landed(ctx)
	if err != nil {
		return nil, nil, err
	}
	items = lists.Without(items, func(it index.Item) bool { return it.Stage != index.Landed })
	more, err := p.Index.Fill(ctx, items, p.Fetch)
	if err != nil {
		return nil, nil, fmt.Errorf("reading memories: %w", err)
	}
	return items, append(problems, more...), nil
}

// skipped are the pages and templates that a sparse checkout leaves out of the working
// tree, as the index has them. Usually there are none.
func (p *Set) skipped(ctx context.Context) (map[string]gitops.ObjectID, error) {
	skipped, err := p.Repo.StagingArea().Skipped(ctx, folder.Dir)
	if err != nil || len(skipped) == 0 {
		return nil, err
	}
	pages := make(map[string]gitops.ObjectID)
	for _, e := range skipped {
		if shapes(e.Path) != "" {
			pages[e.Path] = e.Blob
		}
	}
	return pages, nil
}

// Refresh renders the pages of some kinds after a change of the working tree, where
// this branch maintains them. Nobody asked for that by name, so a page that
// was written or edited by hand stays, until somebody runs Project; and all do
// while a memory cannot be read.
func (p *Set) Refresh(ctx context.Context, kinds []projection.Kind) error {
	if len(kinds) == 0 || !p.Maintained(ctx) {
		return nil
	}
	_, err := p.Project(ctx, kinds, ofNobody)
	if errors.Is(err, errUnread) {
		p.Notice("%v", err)
		return nil
	}
	return err
}

// ofNobody reports whether nobody's words are in a page.
func ofNobody(kind projection.Kind, have []byte) bool {
	return len(have) == 0 || IsRendering(kind, have)
}

// Follow is Refresh once what Staged was given, and what it returned, has landed. Where the
// working tree had the memories of the commit, its files are not looked at again.
func (p *Set) Follow(ctx context.Context, kinds []projection.Kind) error {
	p.mu.Lock()
	made := p.made
	p.made = nil
	p.mu.Unlock()
	if made == nil {
		return p.Refresh(ctx, kinds)
	}
	if len(kinds) == 0 || !p.Maintained(ctx) {
		return nil
	}
	t, err := p.Folder()
	if err == nil {
		_, err = p.project(ctx, t, kinds, *made, ofNobody)
	}
	return err
}

// NormalEOL returns data with line feeds alone: it undoes what autocrlf did to a
// file whose attributes are not committed yet.
func NormalEOL(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// IsRendering reports whether a page is as some run of Project wrote it, of this version
// or an earlier one, so that replacing it loses nobody's words.
func IsRendering(kind projection.Kind, have []byte) bool {
	return projection.IsRendering(kind, NormalEOL(have))
}
