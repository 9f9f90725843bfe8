package certify

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/policy"
)

// mergeState is the content of one side, base or result of a merge.
type mergeState struct {
	rev      string          // as a person would type it
	commit   gitops.ObjectID // "" for the index
	held     map[memory.ID][]index.Item
	broken   []brokenFile
	paths    map[string]bool            // of all its files
	unmerged []string                   // paths that git left to its user
	other    map[string]gitops.ObjectID // config.yaml and the pages
}

// brokenFile is a memory file that cannot be read as one.
type brokenFile struct {
	index.Problem
	blob    string
	ids     []memory.ID // named in it, and therefore not removed
	markers bool
}

// has reports whether the state holds a memory, readable or not.
func (s *mergeState) has(id memory.ID) bool { return len(s.held[id]) > 0 || s.names(id) }

// version is the object of a memory's first file, "" without one.
func (s *mergeState) version(id memory.ID) string {
	if items := s.held[id]; len(items) > 0 {
		return items[0].Blob
	}
	return ""
}

// names reports whether a file that cannot be read carries the id.
func (s *mergeState) names(id memory.ID) bool {
	return slices.ContainsFunc(s.broken, func(b brokenFile) bool { return slices.Contains(b.ids, id) })
}

func (s *mergeState) hasBlob(path, blob string) bool {
	return slices.ContainsFunc(s.broken, func(b brokenFile) bool { return b.Path == path && b.blob == blob })
}

// at reads the state of a commit, once.
func (c *certifier) at(ctx context.Context, rev string, id gitops.ObjectID) (*mergeState, error) {
	if s, ok := c.states[id]; ok {
		named := *s
		named.rev = rev
		return &named, nil
	}
	entries, err := c.w.Repo.Tree(ctx, string(id), workspace.Dir)
	if err != nil {
		return nil, err
	}
	s, err := c.read(ctx, entries)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", rev, err)
	}
	s.rev, s.commit = rev, id
	c.states[id] = s
	return s, nil
}

// underWay reads the merge that is being made: the index, and in place of a
// path in conflict the file of the working tree.
func (c *certifier) underWay(ctx context.Context) (*mergeState, error) {
	entries, err := c.w.Repo.StagingArea().Staged(ctx, workspace.Dir)
	if err != nil {
		return nil, err
	}
	unmerged, err := c.w.Repo.StagingArea().Unmerged(ctx, workspace.Dir)
	if err != nil {
		return nil, err
	}
	t, err := c.w.Tree()
	if err != nil {
		return nil, err
	}
	for _, path := range unmerged {
		data, ok, _ := t.ReadCapped(path, 2*memory.MaxFile)
		if !ok {
			continue // judgeFiles reports the path as unresolved
		}
		blob := c.w.Repo.Hash(data)
		c.worktree[blob] = data
		entries = append(entries, gitops.Entry{Path: path, Blob: blob})
	}
	s, err := c.read(ctx, entries)
	if err != nil {
		return nil, fmt.Errorf("reading the merge under way: %w", err)
	}
	s.rev, s.unmerged = "index", unmerged
	return s, nil
}

// read sorts entries into memories, broken memory files, and other files.
func (c *certifier) read(ctx context.Context, entries []gitops.Entry) (*mergeState, error) {
	s := &mergeState{
		held: map[memory.ID][]index.Item{}, other: map[string]gitops.ObjectID{}, paths: map[string]bool{},
	}
	var items []index.Item
	blobs := map[string]string{}
	for _, e := range entries {
		s.paths[e.Path] = true
		switch {
		case isMemory(e.Path):
			items = append(items, index.Item{Blob: string(e.Blob), Path: e.Path, Stage: index.Landed})
			blobs[e.Path] = string(e.Blob)
		case e.Path == workspace.ConfigPath || isPage(e.Path):
			s.other[e.Path] = e.Blob
		}
	}
	problems, err := c.w.Index.Fill(ctx, items, c.blobs)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if f, ok := c.w.Index.Catalog().Facts(it.Blob); ok {
			s.held[f.ID] = append(s.held[f.ID], it)
		}
	}
	for _, p := range problems {
		s.broken = append(s.broken, brokenFile{Problem: p, blob: blobs[p.Path]})
	}
	return s, c.salvage(ctx, s.broken)
}

// isMemory reports whether a path is that of a landed memory.
func isMemory(p string) bool {
	return strings.HasPrefix(p, workspace.MemoriesDir+"/") && strings.HasSuffix(p, ".md")
}

// isPage reports whether a path is that of a page, or of its template.
func isPage(p string) bool {
	_, page := projection.KindOf(p)
	return page && (strings.Count(p, "/") == 1 || strings.HasPrefix(p, workspace.TemplatesDir+"/"))
}

// salvage finds the ids in broken files, so that a memory whose file cannot be
// read does not count as removed.
func (c *certifier) salvage(ctx context.Context, broken []brokenFile) error {
	byBlob := map[string][]*brokenFile{}
	for i := range broken {
		b := &broken[i]
		byBlob[b.blob] = append(byBlob[b.blob], b)
	}
	err := c.blobs(ctx, slices.Sorted(maps.Keys(byBlob)), func(blob string, data []byte) error {
		_, err := memory.ParseConflict(data)
		for _, b := range byBlob[blob] {
			b.ids, b.markers = idsNamed(data), err == nil
		}
		delete(byBlob, blob)
		return nil
	})
	if err == nil && len(byBlob) > 0 {
		return fmt.Errorf("%s: %w", broken[0].Path, gitops.ErrPartial)
	}
	return err
}

// idsNamed returns the ids in those lines of a file that look like frontmatter.
func idsNamed(data []byte) []memory.ID {
	var ids []memory.ID
	for line := range strings.Lines(string(data[:min(len(data), memory.MaxFile)])) {
		value, named := strings.CutPrefix(line, "id:")
		id, err := memory.ParseID(strings.TrimSpace(value))
		if named && err == nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// blobs reads blobs of the repository, and files of the working tree that are not
// in the object store yet.
func (c *certifier) blobs(ctx context.Context, blobs []string, yield func(string, []byte) error) error {
	var ids []gitops.ObjectID
	for _, b := range blobs {
		data, ok := c.worktree[gitops.ObjectID(b)]
		if !ok {
			ids = append(ids, gitops.ObjectID(b))
			continue
		}
		if err := yield(b, data); err != nil {
			return err
		}
	}
	return c.w.Repo.Blobs(ctx, ids, 0, func(id gitops.ObjectID, data []byte) error {
		if data == nil {
			return nil
		}
		return yield(string(id), data)
	})
}

// memories returns the memories of items in full, with the objects of their files.
func (c *certifier) memories(ctx context.Context, items []index.Item) ([]projection.File, error) {
	if _, err := c.w.Index.Fill(ctx, items, c.blobs); err != nil {
		return nil, err
	}
	var out []projection.File
	for _, it := range items {
		if m, ok := c.w.Index.Catalog().Memory(ctx, it.Blob); ok {
			out = append(out, projection.File{Memory: m, Blob: it.Blob})
		}
	}
	return out, nil
}

// pages reads the pages of the merge, and which branches keep them up to date.
func (c *certifier) pages(ctx context.Context) (mode string, pages map[string][]byte, err error) {
	mode, pages = policy.Default().Projections, map[string][]byte{}
	paths := map[string][]string{} // of each blob
	for path, blob := range c.merged.other {
		paths[string(blob)] = append(paths[string(blob)], path)
	}
	err = c.blobs(ctx, slices.Sorted(maps.Keys(paths)), func(blob string, data []byte) error {
		for _, path := range paths[blob] {
			if path != workspace.ConfigPath {
				pages[path] = data
			} else if config, err := policy.Parse(data); err == nil {
				mode = config.Projections
			}
		}
		return nil
	})
	return workspace.WherePages(ctx, c.w, mode), pages, err
}
