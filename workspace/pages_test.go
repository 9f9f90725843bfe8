package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestPagesOfCommits: whatever a commit brings, changes or removes, its pages are those
// that its memories give, although they are made from those of the commit before (which
// TestCostsByWhatChanged of internal/pages shows).
func TestPagesOfCommits(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Git(t, w, "config", "cortex.enabled", "true")
	var landed []*memory.Memory
	for round := range 8 {
		m := workspacetest.Sure([]memory.Type{memory.Decision, memory.Decision, memory.Rejected, memory.Plan}[round%4],
			fmt.Sprintf("Round %d decides", round))
		m.Text = fmt.Sprintf("The text of round %d.\n\n- [ ] a step", round)
		if round == 4 {
			m.Links = []memory.Link{{Rel: memory.Supersedes, To: landed[0].ID}}
		}
		workspacetest.PutPending(t, w, m)
		landed = append(landed, m)
		switch path := view.MemoryPath(landed[1%len(landed)].Path()); round {
		case 3: // edited by hand
			edited := *landed[1]
			edited.Text = "Another text."
			workspacetest.Write(t, w, path, string(memory.Format(&edited)))
		case 5:
			if err := os.Remove(filepath.Join(w.Repo.Root, filepath.FromSlash(path))); err != nil {
				t.Fatal(err)
			}
		}
		workspacetest.Write(t, w, "x.txt", fmt.Sprint(round))
		workspacetest.Git(t, w, "add", "-A")
		if out, err := w.PreCommit(t.Context()); err != nil || len(out.Landed) != 1 || len(out.Refused) > 0 {
			t.Fatalf("round %d: %+v, %v", round, out, err)
		}
		workspacetest.Git(t, w, "commit", "-q", "--no-verify", "-m", "x")
		if _, err := w.PostCommit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if left := workspacetest.Git(t, w, "status", "--porcelain"); left != "" {
			t.Fatalf("round %d: left\n%s", round, left)
		}
		pages, err := w.Project(t.Context(), true, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pages {
			if !p.Current {
				t.Errorf("round %d: %s is not what its memories give:\n%s", round, p.Path,
					workspacetest.Read(t, w, p.Path))
			}
		}
	}
}
