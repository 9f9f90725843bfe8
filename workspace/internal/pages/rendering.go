package pages

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
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/folder"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// rendering is the pages of one set of memories.
type rendering struct {
	key     string // see renderingKey
	kinds   []projection.Kind
	some    bool // there are memories at all
	sound   bool // every file of the commit is a memory
	catalog *index.Catalog
	shown   []index.Item
	extra   []projection.File // that the catalog does not hold
	by      templates
	notice  func(format string, args ...any)

	mu    sync.Mutex
	whole []projection.File // see memories; nil before they are needed
	heads []projection.File // as whole, but those of the catalog without their texts
	asGit map[string]string // see nameAsGit
	pages map[projection.Kind][]byte
}

// rendering is for pages of some kinds, and renders nothing yet. The last one is kept: when something lands,
// the pages of the commit are rendered and then those of the working tree, and
// most often both have the same memories. Items must be in the catalog; extra
// memories are not there yet.
func (p *Set) rendering(kinds []projection.Kind, items []index.Item, extra []gitops.File, by templates) *rendering {
	some := len(extra) > 0
	var shown []index.Item
	for i := range items {
		f, ok := p.Index.Catalog().FactsOf(&items[i])
		some = some || ok
		m := f.Memory()
		if !ok || slices.ContainsFunc(kinds, func(k projection.Kind) bool { return k.Concerns(&m) }) {
			shown = append(shown, items[i])
		}
	}
	extra = lists.Without(extra, func(f gitops.File) bool {
		m, err := memory.Parse(f.Path, f.Data)
		return err != nil || !slices.ContainsFunc(kinds, func(k projection.Kind) bool { return k.Concerns(m) })
	})
	key := fmt.Sprint(kinds, some, by, renderingKey(p.Repo, shown, extra))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != nil && p.last.key == key {
		return p.last
	}
	p.last = &rendering{
		key: key, kinds: kinds, some: some, catalog: p.Index.Catalog(), shown: shown, extra: filesOf(p.Repo, extra),
		pages: map[projection.Kind][]byte{}, by: by, notice: p.Notice,
	}
	return p.last
}

// renderingKey names the memories of a rendering: their blobs, in order.
func renderingKey(repo *gitops.Repo, items []index.Item, extra []gitops.File) string {
	blobs := lists.Map(items, func(it index.Item) string { return it.Blob })
	for _, f := range extra {
		blobs = append(blobs, string(repo.Hash(f.Data)))
	}
	slices.Sort(blobs)
	return strings.Join(blobs, " ")
}

// page renders a page, once.
func (r *rendering) page(ctx context.Context, kind projection.Kind) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.pages[kind]; ok {
		return r.pages[kind]
	}
	page, ok := r.fromHeads(ctx, kind)
	if !ok {
		var err error
		page, err = projection.Render(kind, r.by[kind], r.named(r.memories(ctx)))
		if err != nil {
			r.notice("%s/%v; the page has the layout of cortex until that is mended", TemplatesDir, err)
		}
	}
	r.pages[kind] = page
	return page
}

// memories are those that have a part in one of the pages.
func (r *rendering) memories(ctx context.Context) []projection.File {
	if r.whole == nil {
		r.whole = r.files(ctx, true)
	}
	return r.whole
}

// files are the memories of a rendering, those of the catalog with or without their texts.
func (r *rendering) files(ctx context.Context, text bool) []projection.File {
	out := make([]projection.File, 0, len(r.extra)+len(r.shown))
	out = append(out, r.extra...)
	for i, m := range r.catalog.Memories(ctx, r.shown, text) {
		if m != nil {
			out = append(out, projection.File{Memory: m, Blob: r.shown[i].Blob})
		}
	}
	return out
}

// fromHeads renders a page and reads few texts, so that it costs by what the page shows.
// It is false where that is not possible.
func (r *rendering) fromHeads(ctx context.Context, kind projection.Kind) ([]byte, bool) {
	if r.by[kind] != "" || kind == projection.Plan || r.whole != nil {
		return nil, false
	}
	if r.heads == nil {
		r.heads = r.files(ctx, false)
	}
	whole := map[memory.ID]*memory.Memory{}
	for _, f := range r.extra {
		whole[f.ID] = f.Memory
	}
	blobs := make(map[memory.ID]int, len(r.shown))
	for i, f := range r.heads[len(r.extra):] {
		blobs[f.ID] = len(r.extra) + i
	}
	sound := true
	page, ok := projection.RenderHeads(kind, r.named(r.heads), func(id memory.ID) string {
		m := whole[id]
		if m == nil {
			if m, _ = r.catalog.Memory(ctx, r.heads[blobs[id]].Blob); m == nil {
				sound = false
				return ""
			}
		}
		return m.Text
	})
	return page, ok && sound
}

// errUnread keeps a page as it is: what a memory says that cannot be read now
// would be missing from a new one.
var errUnread = errors.New("the pages stay as they are while a memory cannot be read")

func unread(problems []index.Problem) error {
	for _, p := range problems {
		if p.Unread && strings.HasPrefix(p.Path, hookstate.MemoriesDir) {
			return fmt.Errorf("%w: %w", errUnread, p)
		}
	}
	return nil
}

// isCurrent reports whether a page is as it is rendered, or is not there because there are no memories.
func (r *rendering) isCurrent(ctx context.Context, kind projection.Kind, have []byte, there bool) bool {
	if !there {
		return !r.some
	}
	return bytes.Equal(NormalEOL(have), r.page(ctx, kind))
}

// write writes those pages out of date that replace says yes to.
func (r *rendering) write(ctx context.Context, t folder.Folder, skipped map[string]gitops.ObjectID,
	replace func(projection.Kind, []byte) bool,
) ([]Page, error) {
	var pages []Page
	for _, kind := range r.kinds {
		want := r.page(ctx, kind)
		have, there, err := t.Read(pathOf(kind))
		if err != nil {
			return pages, err
		}
		p := Page{Kind: kind, Path: pathOf(kind)}
		blob, left := skipped[p.Path]
		p.Missing = !there && !left
		if p.Current = r.isCurrent(ctx, kind, have, there); left && r.some {
			p.Current = string(blob) == index.BlobID(want, len(blob) == 64)
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
