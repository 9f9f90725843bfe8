package view_test

import (
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestStanding: a process that lives on derives nothing anew within a minute, but for a memory that is new
// and for what the journal says since.
func TestStanding(t *testing.T) {
	w := workspacetest.New(t)
	now := workspacetest.Clock()
	env := workspacetest.Env(t, w.Repo.Root)
	env.Lives, env.Now = true, func() time.Time { return now }
	w, err := workspace.Open(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	before, after := workspacetest.Sure(memory.Progress, "Half is done"), workspacetest.Sure(memory.Progress, "All is done")
	after.Links = []memory.Link{{Rel: memory.Supersedes, To: before.ID}}
	workspacetest.Put(t, w, before)
	stands := func() (float64, memory.Status) {
		t.Helper()
		v := workspacetest.View(t, w, workspace.ViewOptions{})
		e, err := v.Find(t.Context(), string(before.ID))
		if err != nil {
			t.Fatal(err)
		}
		return e.Effective, e.Status
	}
	first, _ := stands()
	now = now.Add(30 * time.Second)
	if again, _ := stands(); again != first {
		t.Errorf("within a minute %v, then %v", first, again)
	}
	now = now.Add(90 * 24 * time.Hour)
	faded, _ := stands()
	if faded >= first {
		t.Errorf("after a season %v is %v", first, faded)
	}
	workspacetest.PutPending(t, w, after)
	if _, status := stands(); status != memory.StatusSuperseded {
		t.Errorf("once it is superseded it is %s", status)
	}
	now = now.Add(-24 * time.Hour)
	if sooner, _ := stands(); sooner <= faded {
		t.Errorf("a day sooner %v is %v", faded, sooner)
	}
}
