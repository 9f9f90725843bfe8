package review

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// withGlobal opens the project again with a store of the user's own.
func (d *desk) withGlobal() {
	d.Helper()
	env := workspacetest.Env(d.T, d.w.Repo.Root)
	env.Global = filepath.Join(d.TempDir(), "global")
	w, err := workspace.Open(d.Context(), env)
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { _ = w.Close() })
	d.w = w
}

// TestPromoteEdited: what was promoted after somebody edited it has another id in the
// user's own store, and is taken back from there too.
func TestPromoteEdited(t *testing.T) {
	d := newDesk(t)
	m := workspacetest.Sure(memory.Preference, "Answers are short")
	m.Title, m.Updated, m.Scope = "I prefer short answers", m.Created, memory.ScopeGlobal // the id stays
	d.pend(m)
	d.withGlobal()
	before := d.state()
	got, err := Promote(t.Context(), d.w, d.item(m, Options{}))
	if err != nil || cmp.Diff(before, d.state()) == "" {
		t.Fatalf("%+v %v", got, err)
	}
	d.undone(got, before)
	v := workspacetest.View(t, d.w, workspace.ViewOptions{})
	if n := len(v.Items); n != 1 {
		t.Errorf("%d memories are there", n)
	}
	if _, err := v.Find(t.Context(), string(m.ID)); errors.Is(err, workspace.ErrNotFound) {
		t.Error(err)
	}
}

// TestUndoOnEachBranch: what is taken away on several branches comes back on each of
// them, as it was there.
func TestUndoOnEachBranch(t *testing.T) {
	for name, decide := range map[string]func(*desk, Item) (Decision, error){
		"promote": func(d *desk, r Item) (Decision, error) { return Promote(d.Context(), d.w, r) },
		"reject":  func(d *desk, r Item) (Decision, error) { return Reject(d.Context(), d.w, r) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			m := workspacetest.Sure(memory.Preference, "I prefer short answers")
			m.Scope = memory.ScopeGlobal
			d.pend(m)
			other := *m
			other.Tags = []string{"tone"}
			workspacetest.Change(t, d.w,
				map[string][]byte{gitops.PendingPrefix("feat/x") + "/" + other.Path(): memory.Format(&other)})
			d.withGlobal()
			before := d.state()
			got, err := decide(d, d.item(m, Options{}))
			if err != nil || cmp.Diff(before, d.state()) == "" {
				t.Fatalf("%+v %v", got, err)
			}
			d.undone(got, before)
		})
	}
}
