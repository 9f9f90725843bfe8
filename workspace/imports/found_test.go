package imports_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/imports"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestFind: what is in the usual places is counted, and nothing is written.
func TestFind(t *testing.T) {
	w, home := workspacetest.New(t), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(w.Repo.Root, ".beads", "issues.jsonl"): `{"id":"b-1","title":"Drain first","status":"open","issue_type":"task","created_at":"2026-02-03T00:00:00Z"}` + "\n",
		filepath.Join(w.Repo.Root, "AGENTS.md"):              "# Rules\n\n## Style\n\nWrite short functions.\n",
		filepath.Join(home, ".engram", "engram.db"):          "no database of SQLite",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	found := imports.Find(t.Context(), w, home)
	if len(found) == 3 && found[2].Error != "" {
		found[2].Error = "said"
	}
	want := []imports.Found{
		{Kind: "notes", Source: "AGENTS.md", Added: 1},
		{Kind: "beads", Source: ".beads/issues.jsonl", Added: 1},
		{Kind: "store", Source: filepath.Join(home, ".engram", "engram.db"), Error: "said"},
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
	if left := workspacetest.View(t, w, workspace.ViewOptions{}).Entries(t.Context()); len(left) != 0 {
		t.Errorf("written: %+v", left)
	}
}
