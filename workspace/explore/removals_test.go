package explore_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestRemoved: the commit is named that took a file or a dependency away, but neither where a file has another
// name nor what only the working tree lacks.
func TestRemoved(t *testing.T) {
	w := workspacetest.New(t)
	const withSvelte = `{"dependencies":{\n"svelte":"4",\n"left-pad":"1"}}`
	workspacetest.Write(t, w, "package.json", strings.ReplaceAll(withSvelte, `\n`, "\n"))
	for _, name := range []string{"gone.go", "moved.go", "dirty.go"} {
		workspacetest.Write(t, w, name, "package pier // "+strings.Repeat(name+" ", 20)+"\n")
	}
	workspacetest.Git(t, w, "add", ".")
	workspacetest.Git(t, w, "commit", "-q", "-m", "begin")
	remember := func(text string, files ...string) memory.ID {
		out, err := w.Remember(t.Context(), workspace.Note{Text: text, Type: memory.Decision, Files: files})
		if err != nil {
			t.Fatal(err)
		}
		return out.Entry.Memory.ID
	}
	on := remember("Tides come from three files", "gone.go", "moved.go", "dirty.go")
	use := remember("Use Svelte for the pages of the pier")
	workspacetest.Git(t, w, "rm", "-q", "gone.go")
	workspacetest.Git(t, w, "mv", "moved.go", "other.go")
	workspacetest.Write(t, w, "package.json", "{\"dependencies\":{\n\"left-pad\":\"1\"}}")
	workspacetest.Git(t, w, "add", "package.json")
	workspacetest.Git(t, w, "commit", "-q", "-m", "remove")
	workspacetest.Git(t, w, "rm", "-q", "dirty.go")
	w, err := w.Refresh(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	commit := workspacetest.Git(t, w, "rev-parse", "HEAD")[:12]
	v := workspacetest.View(t, w, workspace.ViewOptions{})
	for id, what := range map[memory.ID]string{on: "gone.go", use: "svelte"} {
		e, err := v.Find(t.Context(), string(id))
		if err != nil {
			t.Fatal(err)
		}
		got := explore.Show(t.Context(), w, e).Removed
		if len(got) != 1 || !strings.EqualFold(got[0].What, what) || got[0].Commit != commit || got[0].Time.IsZero() {
			t.Errorf("%s: %v, want %s in %s", e.Memory.Title, lists.Map(got, explore.Removal.String), what, commit)
		}
	}
	behind, err := explore.Why(t.Context(), w, explore.Place{Path: "gone.go"}, 0, workspace.ViewOptions{})
	if err != nil || len(behind.Causes) == 0 || len(behind.Causes[0].Removed) != 1 {
		t.Errorf("behind gone.go: %+v, %v", behind, err)
	}
}

// TestUnused: what the latest twenty sessions did not use is counted, and a pinned memory is not.
func TestUnused(t *testing.T) {
	w := workspacetest.New(t)
	old := workspacetest.Clock().AddDate(0, 0, -40)
	for _, pinned := range []bool{false, true} {
		m := memory.New(memory.Decision, "Lamps burn until sunrise", map[bool]string{true: "All year."}[pinned], old)
		m.Source, m.Pinned = memory.Source{Agent: "claude-code", Session: "s-0", Layer: "tag", Branch: "main"}, pinned
		workspacetest.PutPending(t, w, m)
	}
	for i := range 21 {
		start := old.Add(time.Duration(i+1) * 24 * time.Hour)
		s := &session.Session{Agent: "claude-code", ID: fmt.Sprint("s-", i), Branch: "main", Start: start, End: start.Add(time.Hour)}
		workspacetest.Change(t, w, map[string][]byte{s.Path(): session.Format(s)})
	}
	if n := explore.Unused(t.Context(), w); n != 1 {
		t.Errorf("%d are unused", n)
	}
}
