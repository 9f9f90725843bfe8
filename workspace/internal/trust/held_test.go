package trust_test

import (
	"testing"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestEverHeld: one question tells of every content that the journal has ever had.
func TestEverHeld(t *testing.T) {
	w := workspacetest.New(t)
	if held := w.Repo.Journal().EverHeld(t.Context()); len(held) != 0 {
		t.Errorf("without a journal: %v", held)
	}
	texts := map[string]string{}
	for _, title := range []string{"Alerts go out by mail", "Pumps start at noon"} {
		m := workspacetest.Sure(memory.Decision, title)
		path := gitops.PendingPrefix("main") + "/" + m.Path()
		for _, text := range []string{title + " one\n", title + " two\n"} {
			workspacetest.Change(t, w, map[string][]byte{path: []byte(text)})
			texts[text] = path
		}
		workspacetest.Change(t, w, nil, path)
	}
	held := w.Repo.Journal().EverHeld(t.Context())
	for text := range texts {
		if !held[w.Repo.Hash([]byte(text))] {
			t.Errorf("%q is not among %v", text, held)
		}
	}
}
