package pages_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

const decisions, plan = workspace.Dir + "/decisions.md", workspace.Dir + "/active-plan.md"

// enabled is a workspace whose branch keeps the pages.
func enabled(t *testing.T) *workspace.Workspace {
	t.Helper()
	w := workspacetest.New(t)
	workspacetest.Git(t, w, "config", "cortex.enabled", "true")
	return w
}

// land commits a memory that was pending, as the hooks of git do.
func land(t *testing.T, w *workspace.Workspace, m *memory.Memory) {
	t.Helper()
	workspacetest.PutPending(t, w, m)
	workspacetest.Write(t, w, "x.txt", m.Title)
	workspacetest.Git(t, w, "add", "x.txt")
	if out, err := w.PreCommit(t.Context()); err != nil || len(out.Landed) != 1 || len(out.Refused) > 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	workspacetest.Git(t, w, "commit", "-q", "--no-verify", "-m", "x")
	if _, err := w.PostCommit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestEditedPage: a page that somebody else committed is not taken for one of the commit
// before, and is rendered from all memories.
func TestEditedPage(t *testing.T) {
	w := enabled(t)
	first := workspacetest.Sure(memory.Decision, "Segments hold the readings")
	land(t, w, first)
	edited := strings.Replace(workspacetest.Read(t, w, decisions), "Segments hold", "Files hold", 1)
	workspacetest.Write(t, w, decisions, edited)
	workspacetest.Git(t, w, "add", decisions)
	workspacetest.Git(t, w, "commit", "-q", "--no-verify", "-m", "edited")
	second := workspacetest.Sure(memory.Decision, "Alerts use the smoothed level")
	land(t, w, second)
	committed := workspacetest.Git(t, w, "show", "HEAD:"+decisions)
	if strings.Contains(committed, "Files hold") || !strings.Contains(committed, "# "+first.Title) || !strings.Contains(committed, "# "+second.Title) {
		t.Errorf("the page was not rendered from all memories:\n%s", committed)
	}
}

// TestRefresh: a page of an older layout is rendered anew, as one of this layout is, and
// one that somebody edited stays.
func TestRefresh(t *testing.T) {
	w := enabled(t)
	older, err := os.ReadFile(filepath.Join("..", "..", "..", "projection", "testdata", "layout-3", "active-plan.md"))
	if err != nil {
		t.Fatal(err)
	}
	m := workspacetest.Sure(memory.Plan, "Move the gauges")
	m.Text = "- [ ] list every gauge"
	workspacetest.Put(t, w, m)
	page, err := projection.Render(projection.Plan, "", []projection.File{{Memory: m, Blob: string(w.Repo.Hash(memory.Format(m)))}})
	if err != nil {
		t.Fatal(err)
	}
	want := string(page)
	edited := strings.Replace(string(older), "> In small steps:", "> In small steps, says Ada:", 1)
	for name, tt := range map[string]struct{ have, want string }{
		"none":         {"", want},
		"older layout": {string(older), want},
		"line ends":    {strings.ReplaceAll(string(older), "\n", "\r\n"), want},
		"edited":       {edited, edited},
		"by hand":      {"# My plan\n", "# My plan\n"},
	} {
		workspacetest.Write(t, w, plan, tt.have)
		if err := w.RefreshPages(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := workspacetest.Read(t, w, plan); got != tt.want {
			t.Errorf("%s: the page is\n%s", name, got)
		}
	}
}

// TestLineEnds: a page names memory files as git stores them, so that line ends of an
// editor leave the page of the working tree as it was committed. Where git keeps line ends
// as they are, so does the page.
func TestLineEnds(t *testing.T) {
	for name, tt := range map[string]struct{ attributes string }{
		"git changes them": {".cortex/memories/**/*.md text eol=lf\n"},
		"git keeps them":   {"* -text\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w := enabled(t)
			workspacetest.Write(t, w, ".gitattributes", tt.attributes)
			first := workspacetest.Sure(memory.Decision, "Segments hold the readings")
			land(t, w, first)
			path := view.MemoryPath(first.Path())
			text := strings.Replace(workspacetest.Read(t, w, path), "readings", "levels", 1)
			workspacetest.Write(t, w, path, strings.ReplaceAll(text, "\n", "\r\n"))
			workspacetest.Git(t, w, "add", ".")
			land(t, w, workspacetest.Sure(memory.Decision, "Alerts use the smoothed level"))
			for range 2 {
				if err := w.RefreshPages(t.Context()); err != nil {
					t.Fatal(err)
				}
				if status := workspacetest.Git(t, w, "status", "--porcelain"); status != "" {
					t.Errorf("after a commit: %s", status)
				}
			}
			if committed := workspacetest.Git(t, w, "show", "HEAD:"+decisions); !strings.Contains(committed, "hold the levels") {
				t.Errorf("the page is\n%s", committed)
			}
		})
	}
}

// TestFirstLanding: where the first memory of a repository lands beside files of memories
// that nobody has staged, and one that is none, the page of the working tree has them all.
func TestFirstLanding(t *testing.T) {
	w := enabled(t)
	waits := workspacetest.Sure(memory.Decision, "Segments hold the readings")
	workspacetest.Put(t, w, waits)
	workspacetest.Write(t, w, workspace.MemoriesDir+"/decision/2026-11/broken.md", "no memory\n")
	first := workspacetest.Sure(memory.Decision, "Alerts use the smoothed level")
	land(t, w, first)
	page := workspacetest.Read(t, w, decisions)
	if !strings.Contains(page, "# "+first.Title) || !strings.Contains(page, "# "+waits.Title) {
		t.Errorf("the page lacks memories of the working tree:\n%s", page)
	}
}
