package view

import (
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// code is the files that the memories of a view are about, each read once. The
// zero value knows of none, and nothing has changed then.
type code struct {
	files folder.Folder
	known *facts.FileIDs
	moves *facts.Renames
	blobs map[string]string // by path, what was read; "" for a file that is gone
}

// changed reports whether a file that m is anchored to is not what it was. A file
// that is gone counts as changed; one that was only renamed does not.
func (c *code) changed(ctx context.Context, m *memory.Memory) bool {
	if c.files.Root == "" {
		return false
	}
	c.moves.Learn(ctx, m)
	return slices.ContainsFunc(m.Anchors, c.differs)
}

// differs reports whether the file of an anchor is not what it was.
func (c *code) differs(a memory.Anchor) bool {
	blob, known := c.blobs[a.Path]
	if !known {
		if path, ok := c.moves.Place(a.Path); ok {
			blob, _ = c.known.ID(path, func() (string, bool) { return c.files.Blob(path) })
		}
		if c.blobs == nil {
			c.blobs = map[string]string{}
		}
		c.blobs[a.Path] = blob
	}
	return blob == "" || !strings.HasPrefix(blob, a.Blob)
}

// MarkStale fills in which memories are about code that changed. It reads every file that one
// is anchored to, so call it only where that is asked for.
func (v *View) MarkStale(ctx context.Context) {
	for i := range v.Items {
		if m, ok := v.catalog.Head(ctx, v.Items[i].Blob); ok {
			v.Items[i].Stale = v.code.changed(ctx, m)
		}
	}
}
