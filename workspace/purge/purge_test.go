package purge

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestHistories: branches are looked through where HEAD has no commit, and a history
// that cannot be read is an error: it may hold the text.
func TestHistories(t *testing.T) {
	w := workspacetest.New(t)
	m := workspacetest.Sure(memory.Decision, "The gauge opens with zanzibar4711")
	workspacetest.Put(t, w, m)
	workspacetest.Commit(t, w, "a leak")
	blob := workspacetest.Git(t, w, "rev-parse", "HEAD:"+workspace.MemoryPath(m.Path()))
	workspacetest.Git(t, w, "switch", "-q", "--orphan", "other")
	w = workspacetest.Open(t, w.Repo.Root)
	found, err := Find(t.Context(), w, "zanzibar4711")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"refs/heads/main"}, found.Refs); diff != "" {
		t.Error(diff)
	}
	if err := os.Remove(filepath.Join(w.Repo.CommonDir, "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	if found, err := Find(t.Context(), w, "zanzibar4711"); err == nil {
		t.Errorf("what cannot be read does not hold it: %+v", found)
	}
}
