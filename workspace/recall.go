package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/folder"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// recalledAtOnce is how many memories are taken into a table for the first time.
const recalledAtOnce = 10_000

// RecallTable returns the table by which memories of a view are recalled. It is
// kept in the cache folder, one for each working tree, and made by what changed when
// other memories are in the view. What is superseded or muted, and what came from a remote and
// nobody here accepted, is not in it. Of memories that no table has known before,
// as after a clone of many, each call adds a slice. The table of a view that leaves
// some out has no stamp. The caller closes it.
func (w *Workspace) RecallTable(ctx context.Context, v *View) (*recall.Table, error) {
	docs, items := make([]recall.Doc, 0, len(v.Items)), make([]int, 0, len(v.Items))
	var names []byte
	muted := Muted(ctx, w.Repo)
	for i := range v.Items {
		it := &v.Items[i]
		if it.Status == memory.StatusSuperseded || !v.Accepted(i) || slices.Contains(muted, v.ID(i)) {
			continue
		}
		d := recall.Doc{Blob: it.Blob, Archived: it.Status == memory.StatusArchived}
		names = append(strconv.AppendBool(append(append(names, d.Blob...), ' '), d.Archived), '\n')
		docs, items = append(docs, d), append(items, i)
	}
	sum := sha256.Sum256(names)
	stamp := hex.EncodeToString(sum[:])
	if !v.Whole() {
		stamp = "" // of a part of the memories
	}
	t, err := recall.Renew(w.place().Table(), stamp, docs, recalledAtOnce, func(i int) *memory.Memory {
		m, ok := v.Catalog().MemoryOf(ctx, &v.Items[items[i]])
		if !ok {
			return nil
		}
		return m
	})
	if t != nil && err != nil { // it is of use all the same
		w.Notice("%v", err)
		err = nil
	}
	return t, err
}

// Former returns the files of the working tree that have another name now, as far as a briefing or
// a list has found out: their present names by the old ones.
func (w *Workspace) Former() map[string]string {
	if w.Repo.Root == "" {
		return nil
	}
	return facts.Former(w.Repo, folder.Folder{Root: w.Repo.Root})
}

// RecallState returns a fingerprint of the files that the table of a working tree
// depends on. It is read before the view that the table is made of, see [Workspace.KeepFresh].
func (w *Workspace) RecallState() string { return w.place().State() }

// KeepFresh says that a table is of the state of before.
func (w *Workspace) KeepFresh(state string, t *recall.Table) error {
	moments := w.Config.Recall
	if Asks(w) {
		moments = append(slices.Clone(moments), AskMoment)
	}
	return w.place().KeepFresh(state, t, moments)
}

// AskMoment stands beside the moments of recall where a session is asked what it settled.
const AskMoment = diary.AskMoment

// AskSetting is the user's setting by which no session is asked what it settled: "false".
const AskSetting = "cortex.ask"

// Asks reports whether a session may be asked what it settled: neither the team nor the user
// has turned that off.
func Asks(w *Workspace) bool {
	settings, err := w.Repo.Settings(context.Background())
	return err == nil && w.Config.Ask != "off" && settings.Value(AskSetting) != "false"
}

func (w *Workspace) place() hookstate.Place {
	return hookstate.Place{Worktree: w.Repo.Worktree()}
}
