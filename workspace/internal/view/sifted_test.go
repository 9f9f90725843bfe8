package view_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestSifted: what is kept of many memories is what a look at all of them says, also once one of them has other words
// under the same id, or another rule is asked for.
func TestSifted(t *testing.T) {
	w := workspacetest.New(t)
	var all []*memory.Memory
	for i := range 1100 {
		all = append(all, workspacetest.Sure(memory.Decision, fmt.Sprintf("Keep gauge %d in a segment of its own", i)))
	}
	workspacetest.Put(t, w, all...)
	looked := 0
	about := func(word string) int {
		w, err := w.Refresh(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		v := workspacetest.View(t, w, workspace.ViewOptions{})
		entries := v.Read(t.Context(), v.Items, false)
		looked = 0
		found := v.Sifted(entries, word, func(m *memory.Memory) bool {
			looked++
			return strings.Contains(m.Title, word)
		})
		return len(found)
	}
	expect := func(word string, want int, again bool) {
		t.Helper()
		if got := about(word); got != want || (looked > 0) != again {
			t.Errorf("%s: %d memories, want %d; %d looked at", word, got, want, looked)
		}
	}
	expect("gauge 7 ", 1, true)
	expect("gauge 7 ", 1, false)
	changed := *all[5]
	changed.Title = "Keep gauge 7 beside the others"
	path := filepath.Join(w.Repo.Root, filepath.FromSlash(view.MemoryPath(all[5].Path())))
	if err := os.WriteFile(path, memory.Format(&changed), 0o666); err != nil {
		t.Fatal(err)
	}
	expect("gauge 7 ", 2, true)
	expect("segment", 1099, true)
	expect("gauge 7 ", 2, true) // one rule is kept
}
