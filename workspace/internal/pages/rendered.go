package pages

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/folder"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// renderedPages are the memories and pages of the commit that pages were last rendered
// for, as what differs from an earlier commit. What a commit brings is found out by
// comparing the index with that one, so that it costs by what changed: to list all
// memories of a large repository takes longer than the commit.
type renderedPages struct {
	base    gitops.ObjectID     // the commit, or the empty tree
	changes []gitops.Difference // memory files and pages, sorted by path
}

// maxKnownChanges is how many changes are noted at most. With more, the memories are
// listed again and compared with a later commit.
const maxKnownChanges = 200

// readRendered returns what was noted last; false where nothing was, or for other pages
// than this program renders.
func (p *Set) readRendered() (k renderedPages, ok bool) {
	words := facts.Read(p.Repo, facts.Pages)
	if len(words) < 2 || len(words) > 3*maxKnownChanges || words[0] != strconv.Itoa(projection.Layout) {
		return k, false
	}
	k.base = gitops.ObjectID(words[1])
	for w := range slices.Chunk(words[2:], 3) {
		if len(w) < 3 {
			return k, false
		}
		path, err := url.QueryUnescape(w[0])
		if err != nil {
			return k, false
		}
		before, after := gitops.ObjectID(w[1]), gitops.ObjectID(w[2])
		k.changes = append(k.changes, gitops.Difference{Path: path, Old: before, New: after})
	}
	return k, true
}

// remember notes the state of a commit for which pages were rendered.
func (p *Set) remember(k renderedPages) {
	words := []string{strconv.Itoa(projection.Layout), string(k.base)}
	for _, c := range k.changes {
		words = append(words, url.QueryEscape(c.Path), string(c.Old), string(c.New))
	}
	facts.Write(p.Repo, facts.Pages, words)
}

// since compares the commit being made, once landing is part of it, with a commit or
// tree.
func (p *Set) since(ctx context.Context, base gitops.ObjectID, landing []gitops.File) (renderedPages, error) {
	changes, err := p.Repo.StagingArea().Differences(ctx, base, folder.Dir)
	if err != nil {
		return renderedPages{}, err
	}
	k := renderedPages{base: base}
	k.changes = append(k.changes, lists.Where(changes, func(c gitops.Difference) bool {
		return shapes(c.Path) != "" || isMemoryPath(c.Path)
	})...)
	for _, f := range landing {
		k.set(f.Path, p.Repo.Hash(f.Data), "")
	}
	return k, nil
}

// set makes blob the object at path. Old is what the base has there, unless a change
// at that path is known.
func (k *renderedPages) set(path string, blob, old gitops.ObjectID) {
	i, known := slices.BinarySearchFunc(k.changes, path, func(c gitops.Difference, path string) int {
		return strings.Compare(c.Path, path)
	})
	if known {
		old = k.changes[i].Old
		k.changes = slices.Delete(k.changes, i, i+1)
	}
	if blob != old {
		k.changes = slices.Insert(k.changes, i, gitops.Difference{Path: path, Old: old, New: blob})
	}
}

// outdated are the kinds of pages that need to be rendered for the commit being made,
// and the state of the commit without the pages. Unless ok, nothing is known.
func (p *Set) outdated(ctx context.Context, landing []gitops.File) (kinds []projection.Kind, now renderedPages,
	ok bool,
) {
	known, ok := p.readRendered()
	if !ok {
		return nil, now, false
	}
	now, err := p.since(ctx, known.base, landing)
	if err != nil {
		return nil, now, false // the base may be gone
	}
	changes := differing(known.changes, now.changes)
	touched := lists.SetOf(changes, func(c gitops.Difference) projection.Kind { return shapes(c.Path) })
	changed, ok := p.versions(ctx, changes, landing)
	if !ok {
		return nil, now, false
	}
	kinds = append(kinds, lists.Where(p.kinds(), func(kind projection.Kind) bool {
		return touched[kind] || slices.ContainsFunc(changed, kind.Concerns)
	})...)
	return kinds, now, true
}

// versions are all versions of memories that changes take away or bring, with those that are
// about to land; ok is false where one cannot be read.
func (p *Set) versions(ctx context.Context, changes []gitops.Difference, landing []gitops.File) (
	changed []*memory.Memory, ok bool,
) {
	lands := lists.SetOf(landing, func(f gitops.File) string { return f.Path })
	var blobs []index.Item
	add := func(path string, blob gitops.ObjectID) {
		if blob != "" {
			blobs = append(blobs, index.Item{Blob: string(blob), Path: path, Stage: index.Landed})
		}
	}
	for _, c := range changes {
		if shapes(c.Path) != "" {
			continue
		}
		add(c.Path, c.Old)
		if !lands[c.Path] {
			add(c.Path, c.New)
		}
	}
	problems, err := p.Index.Fill(ctx, blobs, p.Fetch)
	if err != nil || unread(problems) != nil {
		return nil, false
	}
	changed = parsed(landing)
	for i := range blobs {
		if m, ok := p.Index.Catalog().HeadOf(ctx, &blobs[i]); ok {
			changed = append(changed, m)
		}
	}
	return changed, true
}

// parsed are the memories of files that are about to land.
func parsed(files []gitops.File) (out []*memory.Memory) {
	for _, f := range files {
		if m, err := memory.Parse(f.Path, f.Data); err == nil {
			out = append(out, m)
		}
	}
	return out
}

// filesOf are the memories of files that are about to land, with the objects that they
// will be.
func filesOf(repo *gitops.Repo, files []gitops.File) (out []projection.File) {
	for _, f := range files {
		if m, err := memory.Parse(f.Path, f.Data); err == nil {
			out = append(out, projection.File{Memory: m, Blob: string(repo.Hash(f.Data))})
		}
	}
	return out
}

// KindsOf are the kinds of some pages, and of those in which memories that land have a
// part.
func KindsOf(memories, pages []gitops.File) []projection.Kind {
	all := parsed(memories)
	return lists.Without(projection.Kinds(), func(k projection.Kind) bool {
		isOf := func(f gitops.File) bool { return kindOfPage(f.Path) == k }
		return !slices.ContainsFunc(all, k.Concerns) && !slices.ContainsFunc(pages, isOf)
	})
}

// differing are the changes from the state that before describes to that of after,
// which are described against the same base. They are sorted by path.
func differing(before, after []gitops.Difference) (out []gitops.Difference) {
	was := make(map[string]gitops.Difference, len(before))
	for _, c := range before {
		was[c.Path] = c
	}
	for _, c := range after {
		if old, known := was[c.Path]; known {
			c.Old = old.New
			delete(was, c.Path)
		}
		if c.Old != c.New {
			out = append(out, c)
		}
	}
	for _, c := range was { // it is as in the base again
		out = append(out, gitops.Difference{Path: c.Path, Old: c.New, New: c.Old})
	}
	lists.Sort(out, func(a, b gitops.Difference) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// shapes is the kind of the page that a path is of, or whose template it is; "" for another file.
func shapes(path string) projection.Kind { return cmp.Or(kindOfPage(path), KindOfTemplate(path)) }

// kindOfPage is the kind of the page at a path; "" for another file.
func kindOfPage(path string) projection.Kind {
	if kind, ok := projection.KindOf(path); ok && strings.Count(path, "/") == 1 {
		return kind
	}
	return ""
}

func isMemoryPath(path string) bool {
	return strings.HasPrefix(path, hookstate.MemoriesDir+"/") && strings.HasSuffix(path, ".md")
}
