package workspace_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestLifeOfAMemory follows memories from a transcript to the pages, to what is
// said of them, and to their removal, in one workspace.
func TestLifeOfAMemory(t *testing.T) {
	ctx := t.Context()
	w := workspacetest.New(t)
	workspacetest.Git(t, w, "config", "cortex.enabled", "true")
	workspacetest.Git(t, w, "config", "cortex.clone", "0123456789abcdef")
	dir := filepath.Dir(workspacetest.Transcript(t, "s-1", "Alerts go out by mail, because the office has no other"+
		" line."))
	done, err := agents.Backfill(ctx, w, agents.BackfillInput{Paths: []string{dir}})
	if err != nil || done.Added != 1 || done.Done != 1 {
		t.Fatalf("backfill %+v, %v", done, err)
	}
	workspacetest.Write(t, w, "main.go", "package main\n")
	workspacetest.Git(t, w, "add", "main.go")
	landing, err := w.PreCommit(ctx)
	if err != nil || len(landing.Landed) != 1 || len(landing.Pages) == 0 {
		t.Fatalf("landing %+v, %v", landing, err)
	}
	workspacetest.Git(t, w, "commit", "-q", "-m", "alerts")
	if w, err = w.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	if n, err := w.PostCommit(ctx); err != nil || n != 1 {
		t.Errorf("%d memories were taken off the journal, %v", n, err)
	}
	v := workspacetest.View(t, w, workspace.ViewOptions{})
	if v.Count(index.Landed) != 1 || v.Count(index.Pending) != 0 {
		t.Fatalf("%d landed, %d pending", v.Count(index.Landed), v.Count(index.Pending))
	}
	alerts := v.Entries(ctx)[0].Memory
	pages, err := w.Project(ctx, true, true)
	if err != nil || len(pages) == 0 {
		t.Fatalf("pages %v, %v", pages, err)
	}
	for _, p := range pages {
		if !p.Current {
			t.Errorf("%s is not current after a commit", p.Path)
		}
	}
	gone, err := w.Forget(ctx, string(alerts.ID))
	if err != nil || !strings.Contains(gone.Kept, journal.DismissedPath(alerts.ID)) {
		t.Errorf("forgotten %+v, %v", gone, err)
	}
	if again, err := agents.Capture(ctx, w,
		agents.CaptureInput{Path: workspacetest.Transcript(t, "s-2", "Alerts go out by mail, because the office has"+
			" no other line.")}); err != nil || len(again.Added) != 0 {
		t.Errorf("captured again after it was forgotten: %+v, %v", again, err)
	}
}

// TestGlobalStore: what the user remembers everywhere is shown here, and removed
// there.
func TestGlobalStore(t *testing.T) {
	ctx := t.Context()
	w := workspacetest.New(t)
	env := workspacetest.Env(t, w.Repo.Root)
	env.Global = filepath.Join(t.TempDir(), "global")
	if _, err := workspace.OpenGlobal(ctx, env, false); err == nil {
		t.Error("a store that was never made was opened")
	}
	store, err := workspace.OpenGlobal(ctx, env, true)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := store.Remember(ctx, workspace.Note{Type: memory.Preference, Text: "I like short functions."})
	if err != nil || kept.Entry.Stage != index.Global {
		t.Errorf("remembered %+v, %v", kept.Entry, err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	here, err := workspace.Open(ctx, env)
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	if v := workspacetest.View(t, here, workspace.ViewOptions{}); v.Count(index.Global) != 1 {
		t.Errorf("%d global memories are shown", v.Count(index.Global))
	}
	if _, err := here.Forget(ctx, string(kept.Entry.Memory.ID)); err != nil {
		t.Fatal(err)
	}
	if v := workspacetest.View(t, here, workspace.ViewOptions{}); v.Count(index.Global) != 0 {
		t.Errorf("%d global memories are left", v.Count(index.Global))
	}
}
