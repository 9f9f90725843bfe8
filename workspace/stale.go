package workspace

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/blobs"
)

// code is the files that the memories of a view are about, each read once. The
// zero value knows of none, and nothing has changed then.
type code struct {
	files Folder
	known *blobs.Known
	blobs map[string]string // by path, what was read; "" for a file that is gone
}

// changed reports whether a file that m is anchored to is not what it was. A file
// that is gone counts as changed.
func (c *code) changed(m *memory.Memory) bool {
	if c.files.Root == "" {
		return false
	}
	return slices.ContainsFunc(m.Anchors, c.differs)
}

// differs reports whether the file of an anchor is not what it was.
func (c *code) differs(a memory.Anchor) bool {
	blob, known := c.blobs[a.Path]
	if !known {
		blob, _ = c.known.ID(a.Path, func() (string, bool) { return c.files.Blob(a.Path) })
		if c.blobs == nil {
			c.blobs = map[string]string{}
		}
		c.blobs[a.Path] = blob
	}
	return blob == "" || !strings.HasPrefix(blob, a.Blob)
}
