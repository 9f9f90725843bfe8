package view_test

import (
	"fmt"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestKeptContradictions: among many memories contradictions are the same whether they are found or kept,
// and are found anew after one of the memories changed.
func TestKeptContradictions(t *testing.T) {
	w := workspacetest.New(t)
	for i := range 120 {
		workspacetest.Put(t, w, workspacetest.Sure(memory.Decision, fmt.Sprintf("Use gauge%d for basin%d", i, i)))
	}
	older := workspacetest.Sure(memory.Rejected, "Use Kafka for the alarms")
	newer := workspacetest.Sure(memory.Decision, "Use Kafka for the alarms that we have")
	newer.Created = older.Created.AddDate(0, 0, 1)
	workspacetest.Put(t, w, older)
	workspacetest.Put(t, w, newer)
	workspacetest.Commit(t, w, "all")
	check := func(when string, want int) {
		t.Helper()
		v := workspacetest.View(t, workspacetest.Open(t, w.Repo.Root), workspace.ViewOptions{})
		pairs := v.Contradictions(t.Context())
		if len(pairs) != want {
			t.Fatalf("%s: %d contradictions, want %d", when, len(pairs), want)
		}
		for _, p := range pairs {
			if p.Newer.Title != newer.Title || p.Older.Title != older.Title {
				t.Errorf("%s: %q and %q", when, p.Newer.Title, p.Older.Title)
			}
		}
	}
	check("found", 1)
	check("kept", 1)
	newer.Links = []memory.Link{{Rel: memory.Supersedes, To: older.ID}}
	workspacetest.Put(t, w, newer)
	check("settled by a link", 0)
	check("kept that it is", 0)
}
