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
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/folder"
	"github.com/git-cortex/cortex/workspace/internal/nearby"
)

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
func (p *Set) rendering(ctx context.Context, kinds []projection.Kind, items []index.Item, extra []gitops.File) *rendering {
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
	extra = slices.DeleteFunc(slices.Clone(extra), func(f gitops.File) bool {
		m, err := memory.Parse(f.Path, f.Data)
		return err != nil || !slices.ContainsFunc(kinds, func(k projection.Kind) bool { return k.Concerns(m) })
	})
	key := fmt.Sprint(kinds, some, renderingKey(p.Repo, shown, extra))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != nil && p.last.key == key {
		return p.last
	}
	r := &rendering{key: key, kinds: kinds, some: some, landed: parsed(extra), pages: map[projection.Kind][]byte{}}
	for _, m := range p.Index.Catalog().Memories(ctx, shown, true) {
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
		if p.Unread && strings.HasPrefix(p.Path, nearby.MemoriesDir) {
			return fmt.Errorf("%w: %w", errUnread, p)
		}
	}
	return nil
}

// write writes those pages out of date that replace says yes to.
func (r *rendering) write(t folder.Folder, skipped map[string]gitops.ObjectID, replace func(projection.Kind, []byte) bool) ([]Page, error) {
	var pages []Page
	for _, kind := range r.kinds {
		p := Page{Kind: kind, Path: folder.Dir + "/" + kind.File()}
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
