package purge

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// hits are all places of a text in a repository: found in every object that it has, and told by
// commit where something leads to them.
type hits struct {
	blobs  map[gitops.ObjectID]verdict
	trees  bool                     // one has a name that tells of it
	said   []gitops.ObjectID        // commits whose message, author or committer has it
	tags   map[gitops.ObjectID]bool // annotated tags that have it
	names  map[string]gitops.ObjectID
	inside []gitops.ObjectID // commits that added or removed it in .cortex, or in the journal
	beyond []gitops.ObjectID // elsewhere
	called []gitops.ObjectID // that added or removed a name that tells of it
	loose  bool              // nothing leads to some of it, or git's logs alone

	drop   map[string]bool // paths of files of memories that have it
	rename map[string]bool // beginnings of ids, of memories with such a name
	pages  bool            // a generated page has it
}

// inspect looks through all objects of a repository, and if there is anything through its
// histories.
func inspect(ctx context.Context, h gitops.History, p *pattern) (*hits, error) {
	found := &hits{
		blobs: map[gitops.ObjectID]verdict{}, tags: map[gitops.ObjectID]bool{},
		drop: map[string]bool{}, rename: map[string]bool{},
	}
	buffer := make([]byte, chunk+p.longest())
	err := h.EachObject(ctx, func(o gitops.Object, content io.Reader) error {
		if o.Kind == "tree" {
			return found.tree(o, content, p)
		}
		v, err := p.in(content, buffer)
		if v.hit {
			found.add(o, v)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if found.names, err = h.Names(ctx); err != nil {
		return nil, err
	}
	if len(found.blobs) == 0 && !found.trees {
		return found, nil
	}
	return found, found.commits(ctx, h, p)
}

// inObjects reports whether an object has the text, commits apart.
func (f *hits) inObjects() bool { return f.trees || len(f.blobs)+len(f.tags) > 0 }

// namedFor are the refs whose names have the text.
func (f *hits) namedFor(p *pattern) []string {
	refs := slices.Sorted(maps.Keys(f.names))
	return lists.Without(refs, func(ref string) bool { return !p.holds([]byte(ref)) })
}

func (f *hits) add(o gitops.Object, v verdict) {
	switch o.Kind {
	case "blob":
		f.blobs[o.ID] = v
	case "commit":
		f.said = append(f.said, o.ID)
	case "tag":
		f.tags[o.ID] = true
	}
}

// tree looks at the names in a tree, which stand between its modes and its ids.
func (f *hits) tree(o gitops.Object, content io.Reader, p *pattern) error {
	if f.trees {
		return nil
	}
	data, err := io.ReadAll(content)
	if err != nil {
		return fmt.Errorf("reading a tree: %w", err)
	}
	for id := len(o.ID) / 2; len(data) > 0; {
		head, rest, ok := bytes.Cut(data, []byte{0})
		if !ok || len(rest) < id {
			return fmt.Errorf("the tree %s is damaged", o.ID)
		}
		if _, name, _ := bytes.Cut(head, []byte(" ")); p.named(string(name)) {
			f.trees = true
			return nil
		}
		data = rest[id:]
	}
	return nil
}

// commits finds the commits that added or removed what was found.
func (f *hits) commits(ctx context.Context, h gitops.History, p *pattern) error {
	seen := map[gitops.ObjectID]bool{}
	err := h.EachChange(ctx, []string{"--all", "--reflog"}, func(c gitops.Changed) {
		for _, id := range []gitops.ObjectID{c.Before, c.After} {
			if v := f.blobs[id]; v.hit {
				seen[id] = true
				f.content(c, v, p)
			}
		}
		if p.named(c.Path) {
			f.name(c)
		}
	})
	f.loose = len(seen) < len(f.blobs) || f.trees && len(f.called) == 0
	return err
}

// name notes a change of a file whose name has the text.
func (f *hits) name(c gitops.Changed) {
	f.called = last(f.called, c.Commit)
	if _, short, ok := ofSlug(path.Base(c.Path)); ok && inMemories(c.Path) {
		f.rename[short] = true
	}
}

// content notes a change of a file whose content has the text.
func (f *hits) content(c gitops.Changed, v verdict, p *pattern) {
	if !isOurs(c.Path) {
		f.beyond = last(f.beyond, c.Commit)
		return
	}
	f.inside = last(f.inside, c.Commit)
	f.pages = f.pages || page(c.Path)
	if inMemories(c.Path) && p.condemns(c.Path, v) {
		f.drop[c.Path] = true
	}
}

// isOurs reports whether a path is one of .cortex, or of a file of the journal that can hold words.
func isOurs(at string) bool {
	_, journal := kindOf(at)
	return journal || within(at, workspace.Dir)
}

// condemns reports whether the file of a memory goes from all histories, and is not edited there.
func (p *pattern) condemns(at string, v verdict) bool {
	if v.aside {
		return false
	}
	return v.own || len(p.ids) == 0 || p.named(at)
}

// last appends a commit that is not the last one already.
func last(ids []gitops.ObjectID, id gitops.ObjectID) []gitops.ObjectID {
	if len(ids) > 0 && ids[len(ids)-1] == id {
		return ids
	}
	return append(ids, id)
}

// inMemories reports whether a path is that of a memory's file, landed or in the journal.
func inMemories(at string) bool {
	parts := strings.Split(at, "/")
	if parts[0] == "dismissed" && len(parts) == 2 {
		_, err := memory.ParseID(parts[1])
		return err == nil
	}
	if !strings.HasSuffix(at, ".md") {
		return false
	}
	if parts[0] == "pending" && len(parts) >= 5 {
		_, err := memory.ParseType(parts[len(parts)-3])
		return err == nil
	}
	return strings.HasPrefix(at, workspace.MemoriesDir+"/")
}

// refs are those that hold what some commits did.
func (f *hits) holding(ctx context.Context, h gitops.History) ([]string, error) {
	all := slices.Concat(f.said, f.inside, f.beyond, f.called)
	if len(all) == 0 {
		return nil, nil
	}
	refs, err := h.RefsWith(ctx, all)
	return append(refs, f.tagged()...), err
}

// tagged are the refs of annotated tags that say it.
func (f *hits) tagged() []string {
	var refs []string
	for ref, id := range f.names {
		if f.tags[id] {
			refs = append(refs, ref)
		}
	}
	slices.Sort(refs)
	return refs
}
