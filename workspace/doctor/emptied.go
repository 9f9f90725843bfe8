package doctor

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// emptiedFile is a memory file without a word in it, and what it was.
type emptiedFile struct {
	path string
	was  []byte
}

// emptiedRead is how many versions of an empty file are looked at.
const emptiedRead = 20

// emptied finds memory files that are empty, as a merge of many branches can leave
// them, and of which the history knows what they were.
func (d *doctor) emptied(ctx context.Context, v *workspace.View) ([]emptiedFile, error) {
	var out []emptiedFile
	for _, p := range v.Problems {
		if !d.isEmpty(p.Path) {
			continue // the view tells what is wrong with it
		}
		versions, err := d.w.Repo.History().Versions(ctx, "HEAD", []string{p.Path}, "", emptiedRead)
		if err != nil {
			return nil, err
		}
		was, err := d.lastMemory(ctx, versions)
		if err != nil {
			return nil, err
		}
		if was != nil {
			out = append(out, emptiedFile{p.Path, was})
		}
	}
	return out, nil
}

// isEmpty reports whether there is nothing in a file whose path git takes for no pattern.
func (d *doctor) isEmpty(path string) bool {
	data, ok, _ := d.tree.Read(path)
	return ok && len(bytes.TrimSpace(data)) == 0 && !strings.ContainsAny(path, `*?[\`)
}

// lastMemory returns the newest of versions that is a memory, nil for none.
func (d *doctor) lastMemory(ctx context.Context, versions []gitops.Version) (was []byte, err error) {
	var blobs []gitops.ObjectID
	for _, v := range versions {
		blobs = append(blobs, lists.Where([]gitops.ObjectID{v.Blob, v.Before}, func(b gitops.ObjectID) bool {
			return b != ""
		})...)
	}
	err = d.w.Repo.Blobs(ctx, blobs, memory.MaxFile, func(_ gitops.ObjectID, data []byte) error {
		if _, err := memory.Parse("a version", data); err == nil && was == nil {
			was = data
		}
		return nil
	})
	return was, err
}

// refill gives empty files back what they were.
func (d *doctor) refill(name string, emptied []emptiedFile) workspace.Check {
	paths := make([]string, len(emptied))
	for i, f := range emptied {
		paths[i] = f.path
	}
	c := workspace.Fault(name, "cortex doctor --fix", "%s",
		andMore(paths[0]+" is empty, and the history has a memory there", len(paths)))
	if !d.fix {
		return c
	}
	for _, f := range emptied {
		if _, err := d.tree.Write(f.path, f.was); err != nil {
			return c.Mended("", err)
		}
	}
	return c.Mended(fmt.Sprintf("brought back %s", andMore(paths[0], len(paths))), nil)
}
