package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/nearby"
)

// recalledAtOnce is how many memories are taken into a table for the first time.
const recalledAtOnce = 10_000

// RecallTable returns the table by which memories of a view are recalled. It is
// kept in the cache folder, one for each working tree, and made anew when other
// memories are in the view. What is superseded, and what came from a remote and
// nobody here accepted, is not in it. Of memories that no table has known before,
// as after a clone of many, each call adds a slice. The table of a view that leaves
// some out has no stamp. The caller closes it.
func (w *Workspace) RecallTable(ctx context.Context, v *View) (*recall.Table, error) {
	sum := sha256.New()
	var docs []recall.Doc
	var items []int
	for i := range v.Items {
		it := &v.Items[i]
		if it.Status == memory.StatusSuperseded || !v.Accepted(i) {
			continue
		}
		d := recall.Doc{Blob: it.Blob, Archived: it.Status == memory.StatusArchived}
		fmt.Fprintf(sum, "%s %v\n", d.Blob, d.Archived)
		docs, items = append(docs, d), append(items, i)
	}
	stamp := hex.EncodeToString(sum.Sum(nil))
	path := w.place().Table()
	earlier, err := recall.Open(path)
	if v.left > 0 {
		stamp = "" // of a part of the memories
	}
	if err == nil && stamp != "" && earlier.Stamp() == stamp {
		return earlier, nil
	}
	data := recall.Build(stamp, docs, earlier, recalledAtOnce, func(i int) *memory.Memory {
		m, ok := v.catalog.MemoryOf(ctx, &v.Items[items[i]])
		if !ok {
			return nil
		}
		return m
	})
	_ = earlier.Close()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("writing the table of triggers: %w", err)
	}
	if err := atomicfile.WritePath(path, data, atomicfile.Options{NoSync: true}); err != nil {
		w.Notice("the table of triggers was not kept: %v", err)
	}
	return recall.Read(string(data))
}

// RecallState returns a fingerprint of the files that the table of a working tree
// depends on. It is read before the view that the table is made of, see [Workspace.KeepFresh].
func (w *Workspace) RecallState() string { return w.place().State() }

// KeepFresh says that a table is of the state of before.
func (w *Workspace) KeepFresh(state string, t *recall.Table) error {
	return w.place().KeepFresh(state, t, w.Config.Recall)
}

func (w *Workspace) place() nearby.Place {
	return nearby.Place{Root: w.Repo.Root, Git: w.Repo.GitDir, Common: w.Repo.CommonDir}
}
