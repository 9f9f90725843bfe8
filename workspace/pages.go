package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// Page is a generated page of .cortex as it stands and as it should.
type Page struct {
	Kind    projection.Kind
	Path    string
	Current bool // the file says what a fresh rendering says
	Missing bool
	Written bool
}

// pages keeps the generated pages in step with the memories: those of the
// working tree, and those of a commit that is being made. It is for any number of
// goroutines.
type pages struct {
	repo    *gitops.Repo
	index   *index.Index
	tree    *worktree
	views   *viewer
	notices *notices
	kept    string // where they are kept: "branch", "default-branch" or "off"

	mu   sync.Mutex
	last *rendering // see rendering
}

// MaintainsPages reports whether this branch keeps the pages up to date: always
// with "branch", on the default branch alone with "default-branch".
func (w *Workspace) MaintainsPages(ctx context.Context) bool { return w.pages.maintained(ctx) }

func (p *pages) maintained(ctx context.Context) bool {
	switch p.kept {
	case "branch":
		return true
	case "default-branch":
		return p.repo.Branch != "" && p.repo.Branch == DefaultBranch(ctx, p.repo)
	}
	return false
}

// DefaultBranch returns what the user set as cortex.defaultBranch, else where a
// remote's HEAD points, else main, master or trunk if there is such a branch,
// else "".
func DefaultBranch(ctx context.Context, repo *gitops.Repo) string {
	return defaultBranch(ctx, repo, func() ([]gitops.Branch, error) { return repo.Branches(ctx) })
}

// defaultBranch is [DefaultBranch] with another way to list the branches.
func defaultBranch(ctx context.Context, repo *gitops.Repo, list func() ([]gitops.Branch, error)) string {
	settings, err := repo.Settings(ctx)
	if err == nil {
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
		for _, b := range branches {
			if b.Name == want {
				return want
			}
		}
	}
	return ""
}

// Project renders the pages from the landed memories of the working tree.
// With check nothing is written. Pages that this branch does not maintain are
// left alone unless force is set.
func (w *Workspace) Project(ctx context.Context, check, force bool) ([]Page, error) {
	if !force && !w.pages.maintained(ctx) {
		_, err := w.Tree()
		return nil, err
	}
	defer w.tree.writing()()
	return w.pages.project(ctx, projection.Kinds(), func(projection.Kind, []byte) bool { return !check })
}

// project renders the pages of some kinds and writes those out of date that replace,
// given what is there (nil for no file), says yes to.
func (p *pages) project(ctx context.Context, kinds []projection.Kind, replace func(projection.Kind, []byte) bool) ([]Page, error) {
	t, err := p.tree.folder()
	if err != nil {
		return nil, err
	}
	// Of files with the same id a page shows the one that a merge of pages would
	// keep, so it is rendered from all of them.
	v := &View{}
	items, err := p.views.landed(ctx, v, ViewOptions{})
	if err != nil {
		return nil, err
	}
	items = slices.DeleteFunc(items, func(it index.Item) bool { return it.Stage != index.Landed })
	problems, err := p.index.Fill(ctx, items, p.views.fetch(nil, nil))
	if err != nil {
		return nil, fmt.Errorf("reading memories: %w", err)
	}
	if err := unread(append(v.Problems, problems...)); err != nil {
		return nil, err
	}
	skipped, err := p.skipped(ctx)
	if err != nil {
		return nil, err
	}
	return p.rendering(ctx, kinds, items, nil).write(t, skipped, replace)
}

// skipped are the pages that a sparse checkout leaves out of the working
// tree, as the index has them. Usually there are none.
func (p *pages) skipped(ctx context.Context) (map[string]gitops.ObjectID, error) {
	skipped, err := p.repo.StagingArea().Skipped(ctx, Dir)
	if err != nil || len(skipped) == 0 {
		return nil, err
	}
	pages := make(map[string]gitops.ObjectID)
	for _, e := range skipped {
		if _, ok := projection.KindOf(e.Path); ok {
			pages[e.Path] = e.Blob
		}
	}
	return pages, nil
}

// rendering is the pages of one set of memories.
type rendering struct {
	key    string // see renderingKey
	kinds  []projection.Kind
	some   bool // there are memories at all
	sound  bool // every file of the commit is a memory
	landed []*memory.Memory

	mu    sync.Mutex
	pages map[projection.Kind][]byte
}

// rendering is for pages of some kinds, and renders nothing yet. The last one is kept: when something lands,
// the pages of the commit are rendered and then those of the working tree, and
// most often both have the same memories. Items must be in the catalog; extra
// memories are not there yet. Only memories that have a part in these pages are read.
func (p *pages) rendering(ctx context.Context, kinds []projection.Kind, items []index.Item, extra []gitops.File) *rendering {
	some := len(extra) > 0
	var shown []index.Item
	for i := range items {
		f, ok := p.index.Catalog().FactsOf(&items[i])
		some = some || ok
		m := f.Memory()
		if !ok || slices.ContainsFunc(kinds, func(k projection.Kind) bool { return k.Concerns(&m) }) {
			shown = append(shown, items[i])
		}
	}
	extra = slices.DeleteFunc(slices.Clone(extra), func(f gitops.File) bool {
		m, err := memory.Parse(f.Path, f.Data)
		return err != nil || !slices.ContainsFunc(kinds, func(k projection.Kind) bool { return k.Concerns(m) })
	})
	key := fmt.Sprint(kinds, some, renderingKey(p.repo, shown, extra))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != nil && p.last.key == key {
		return p.last
	}
	r := &rendering{key: key, kinds: kinds, some: some, landed: landed(extra), pages: map[projection.Kind][]byte{}}
	for _, m := range p.index.Catalog().Memories(ctx, shown, true) {
		if m != nil {
			r.landed = append(r.landed, m)
		}
	}
	p.last = r
	return r
}

// renderingKey names the memories of a rendering: their blobs, in order.
func renderingKey(repo *gitops.Repo, items []index.Item, extra []gitops.File) string {
	blobs := make([]string, 0, len(items)+len(extra))
	for _, it := range items {
		blobs = append(blobs, it.Blob)
	}
	for _, f := range extra {
		blobs = append(blobs, string(repo.Hash(f.Data)))
	}
	slices.Sort(blobs)
	return strings.Join(blobs, " ")
}

func (r *rendering) page(kind projection.Kind) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.pages[kind]; !ok {
		r.pages[kind] = projection.Render(kind, r.landed)
	}
	return r.pages[kind]
}

// errUnread keeps a page as it is: what a memory says that cannot be read now
// would be missing from a new one.
var errUnread = errors.New("the pages stay as they are while a memory cannot be read")

func unread(problems []index.Problem) error {
	for _, p := range problems {
		if p.Unread && strings.HasPrefix(p.Path, MemoriesDir) {
			return fmt.Errorf("%w: %w", errUnread, p)
		}
	}
	return nil
}

// write writes those pages out of date that replace says yes to.
func (r *rendering) write(t Folder, skipped map[string]gitops.ObjectID, replace func(projection.Kind, []byte) bool) ([]Page, error) {
	var pages []Page
	for _, kind := range r.kinds {
		p := Page{Kind: kind, Path: Dir + "/" + kind.File()}
		want := r.page(kind)
		have, ok, err := t.Read(p.Path)
		if err != nil {
			return pages, err
		}
		blob, left := skipped[p.Path]
		p.Missing = !ok && !left
		p.Current = ok && bytes.Equal(NormalEOL(have), want) || !ok && left && string(blob) == index.BlobID(want, len(blob) == 64)
		if !ok && !r.some {
			p.Current = true // nothing to say yet, and no page that says it
		}
		if !p.Current && replace(kind, have) {
			if p.Written, err = t.Write(p.Path, want); err != nil {
				return pages, err
			}
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// NormalEOL returns data with line feeds alone: it undoes what autocrlf did to a
// file whose attributes are not committed yet.
func NormalEOL(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// RefreshPages renders the pages after a change of the working tree, where
// this branch maintains them. Nobody asked for that by name, so a page that
// was written or edited by hand stays, until somebody runs Project; and all do
// while a memory cannot be read.
func (w *Workspace) RefreshPages(ctx context.Context) error {
	return w.pages.refresh(ctx, projection.Kinds())
}

func (p *pages) refresh(ctx context.Context, kinds []projection.Kind) error {
	if len(kinds) == 0 || !p.maintained(ctx) {
		return nil
	}
	_, err := p.project(ctx, kinds, func(kind projection.Kind, have []byte) bool {
		return len(have) == 0 || IsRendering(kind, have)
	})
	if errors.Is(err, errUnread) {
		p.notices.add("%v", err)
		return nil
	}
	return err
}

// staged renders the pages for the commit being made: from the memories
// in the index and those about to land. While one cannot be read there are none.
func (p *pages) staged(ctx context.Context, landing []gitops.File) ([]gitops.File, error) {
	kinds, now, ok := p.outdated(ctx, landing)
	if ok && len(kinds) == 0 {
		p.remember(now)
		return nil, nil
	}
	if !ok || len(now.changes) > maxKnownChanges {
		base := gitops.ObjectID(p.repo.Head)
		if base == "" {
			base = p.repo.EmptyTree()
		}
		kinds = projection.Kinds()
		var err error
		now, err = p.since(ctx, base, landing)
		ok = err == nil // of paths in conflict nothing is noted
	}
	r, there, err := p.renderStaged(ctx, kinds, landing)
	if r == nil || err != nil {
		return nil, err
	}
	var out []gitops.File
	for _, kind := range kinds {
		path := Dir + "/" + kind.File()
		old, ok := there[path]
		if !ok && !r.some {
			continue
		}
		data := r.page(kind)
		blob := p.repo.Hash(data)
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

// renderStaged is the rendering of the commit being made, nil while a memory cannot be
// read, and the pages that are staged.
func (p *pages) renderStaged(ctx context.Context, kinds []projection.Kind, landing []gitops.File) (*rendering, map[string]gitops.ObjectID, error) {
	staged, err := p.repo.StagingArea().Staged(ctx, Dir)
	if err != nil {
		return nil, nil, err
	}
	there := map[string]gitops.ObjectID{}
	var items []index.Item
	for _, e := range staged {
		switch {
		case kindOfPage(e.Path) != "":
			there[e.Path] = e.Blob
		case isMemoryPath(e.Path) && !slices.ContainsFunc(landing, func(f gitops.File) bool { return f.Path == e.Path }):
			items = append(items, index.Item{Blob: string(e.Blob), Path: e.Path, Stage: index.Landed})
		}
	}
	problems, err := p.index.Fill(ctx, items, p.views.fetch(nil, nil))
	if err != nil {
		return nil, nil, fmt.Errorf("reading the index: %w", err)
	}
	if err := unread(problems); err != nil {
		p.notices.add("%v", err)
		return nil, nil, nil
	}
	r := p.rendering(ctx, kinds, items, landing)
	r.sound = len(problems) == 0
	return r, there, nil
}

// stage brings the pages of the commit that is being made in step with its
// memories, where this branch keeps them, and lands nothing else.
func (p *pages) stage(ctx context.Context) (refused []gitops.Refusal, err error) {
	if !p.maintained(ctx) || p.tree.journal.refusal() != nil {
		return nil, nil
	}
	pages, err := p.staged(ctx, nil)
	if err != nil || len(pages) == 0 {
		return nil, err
	}
	if refused, err = p.repo.Land(ctx, pages); err != nil {
		return nil, fmt.Errorf("staging the pages: %w", err)
	}
	return refused, p.refresh(ctx, projection.Kinds())
}

// pageState is one page as it stands in the index and in the working tree.
type pageState struct {
	staged gitops.Entry // without a blob where it is not in the index
	data   []byte
	there  bool
}

func (s pageState) equal(other pageState) bool {
	return s.staged == other.staged && s.there == other.there && bytes.Equal(s.data, other.data)
}

// state returns the states of the pages, in the order of [projection.Kinds].
func (p *pages) state(ctx context.Context) ([]pageState, error) {
	t, err := p.tree.folder()
	if err != nil {
		return nil, err
	}
	out := make([]pageState, 0, 3)
	var paths []string
	for _, kind := range projection.Kinds() {
		s := pageState{staged: gitops.Entry{Path: Dir + "/" + kind.File()}}
		if s.data, s.there, err = t.Read(s.staged.Path); err != nil {
			return nil, err
		}
		out, paths = append(out, s), append(paths, s.staged.Path)
	}
	staged, err := p.repo.StagingArea().Staged(ctx, paths...)
	for _, e := range staged {
		for i := range out {
			if out[i].staged.Path == e.Path {
				out[i].staged = e
			}
		}
	}
	return out, err
}

// putBack makes the pages what they were before something landed, if they are as
// that left them.
func (p *pages) putBack(ctx context.Context, before, after []pageState) (done bool, err error) {
	now, err := p.state(ctx)
	if err != nil || !slices.EqualFunc(now, after, pageState.equal) {
		return false, err
	}
	t, err := p.tree.folder()
	if err != nil {
		return false, err
	}
	var staged []gitops.Entry
	for i, was := range before {
		if was.staged != now[i].staged {
			staged = append(staged, was.staged)
		}
		switch {
		case was.there:
			_, err = t.Write(was.staged.Path, was.data)
		case now[i].there:
			err = t.Remove(was.staged.Path, Dir)
		}
		if err != nil {
			return false, err
		}
	}
	return true, p.repo.StagingArea().Restage(ctx, staged)
}

// unstage brings the staged pages in step with what is still staged after a
// landing was taken back. Pages that came with it alone go with it.
func (p *pages) unstage(ctx context.Context) error {
	staged, err := p.repo.StagingArea().Staged(ctx, Dir)
	if err != nil {
		return err
	}
	var alone []string
	for _, e := range staged {
		if strings.HasPrefix(e.Path, MemoriesDir+"/") {
			_, err := p.stage(ctx)
			return err
		}
		if _, ok := projection.KindOf(e.Path); ok && strings.Count(e.Path, "/") == 1 {
			alone = append(alone, e.Path)
		}
	}
	committed, err := p.repo.PathsAt(ctx, "HEAD", alone)
	if err != nil {
		return err
	}
	if len(committed) > 0 {
		_, err := p.stage(ctx)
		return err
	}
	if err := p.repo.StagingArea().Unstage(ctx, alone); err != nil {
		return err
	}
	v, err := p.views.view(ctx, ViewOptions{Local: true})
	if err != nil {
		return err
	}
	t, err := p.tree.folder()
	if err != nil {
		return err
	}
	for _, page := range alone {
		data, ok, err := t.Read(page)
		if kind, known := projection.KindOf(page); err == nil && ok && known && v.Count(index.Landed) == 0 && IsRendering(kind, data) {
			err = t.Remove(page, Dir)
		}
		if err != nil {
			return err
		}
	}
	return p.refresh(ctx, projection.Kinds())
}

// IsRendering reports whether a page is as some run of Project wrote it, so
// that replacing it loses nobody's words.
func IsRendering(kind projection.Kind, have []byte) bool {
	have = NormalEOL(have)
	records, err := projection.Parse(kind, have)
	return err == nil && bytes.Equal(projection.Render(kind, records), have)
}
