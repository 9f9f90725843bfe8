package workspace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// TestLifeOfAMemory follows memories from a transcript to the pages, to what is
// said of them, and to their removal, in one workspace.
func TestLifeOfAMemory(t *testing.T) {
	ctx := t.Context()
	w := newWorkspace(t)
	w.git(t, "config", "cortex.enabled", "true")
	w.git(t, "config", "cortex.clone", "0123456789abcdef")
	dir := filepath.Dir(tagTranscript(t, "s-1", "Alerts go out by mail, because the office has no other line."))
	done, err := w.Backfill(ctx, BackfillInput{Paths: []string{dir}})
	if err != nil || done.Added != 1 || done.Done != 1 {
		t.Fatalf("backfill %+v, %v", done, err)
	}
	landing, err := w.PreCommit(ctx)
	if err != nil || len(landing.Landed) != 1 || len(landing.Pages) == 0 {
		t.Fatalf("landing %+v, %v", landing, err)
	}
	w.git(t, "commit", "-q", "-m", "alerts")
	if w, err = w.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	if n, err := w.PostCommit(ctx); err != nil || n != 1 {
		t.Errorf("%d memories were taken off the journal, %v", n, err)
	}
	v := w.view(t, ViewOptions{})
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
	later := linked(sure(memory.Decision, "Alerts go out by text message", 1, 0), memory.Supersedes, alerts)
	w.put(t, later)
	r, err := w.Related(ctx, string(alerts.ID), 1, 5, ViewOptions{})
	if err != nil || len(r.Chain) != 2 || len(r.Related) == 0 {
		t.Errorf("related %+v, %v", r, err)
	}
	g, err := w.Graph(ctx, GraphOptions{Of: string(alerts.ID)})
	if err != nil || len(g.Nodes) < 2 || len(g.Edges) == 0 {
		t.Errorf("graph %+v, %v", g, err)
	}
	for _, shape := range []any{r, g} {
		if text, err := json.Marshal(shape); err != nil || !strings.Contains(string(text), string(later.ID)) {
			t.Errorf("as JSON %s, %v", text, err)
		}
	}
	commits, entry, err := w.Log(ctx, string(alerts.ID), 10)
	if err != nil || len(commits) < 2 || entry == nil {
		t.Errorf("log %v, %v, %v", commits, entry, err)
	}
	if got := w.FilterValues(ctx, "session"); len(got) != 1 || got[0] != "s-1" {
		t.Errorf("sessions to filter by: %q", got)
	}
	if got := w.FilterValues(ctx, "branch"); len(got) != 1 || got[0] != "main" {
		t.Errorf("branches to filter by: %q", got)
	}
	gone, err := w.Forget(ctx, string(alerts.ID))
	if err != nil || !strings.Contains(gone.Kept, DismissedPath(alerts.ID)) {
		t.Errorf("forgotten %+v, %v", gone, err)
	}
	if again, err := w.Capture(ctx, CaptureInput{Path: tagTranscript(t, "s-2", "Alerts go out by mail, because the office has no other line.")}); err != nil || len(again.Added) != 0 {
		t.Errorf("captured again after it was forgotten: %+v, %v", again, err)
	}
}

// TestSessionStart: the briefing is handed over once, and what it held is not
// given again at a prompt.
func TestSessionStart(t *testing.T) {
	ctx := t.Context()
	w := newWorkspace(t)
	w.put(t, sure(memory.Decision, "The gauge is read by poll, since the board has no interrupts", 1, 3))
	hook := func(event, prompt string) string {
		t.Helper()
		out, err := w.AgentHook(ctx, event, "claude-code", HookPayload{SessionID: "s", Prompt: prompt})
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if out := hook("session-start", ""); !strings.Contains(out, "1 memory") || strings.Contains(out, "gauge") {
		t.Errorf("before init: %s", out)
	}
	w.git(t, "config", "cortex.enabled", "true")
	var err error
	if w, err = w.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(w.tree.abs(".claude"), 0o777); err != nil {
		t.Fatal(err)
	}
	if out := hook("session-start", ""); !strings.Contains(out, "gauge is read by poll") {
		t.Errorf("the briefing: %s", out)
	}
	if copied, err := os.ReadFile(w.tree.abs(BriefingFile)); err != nil || !strings.Contains(string(copied), "gauge is read by poll") {
		t.Errorf("its copy: %s, %v", copied, err)
	}
	if out := hook("user-prompt-submit", "is the gauge read by poll or interrupts?"); out != "" {
		t.Errorf("given again: %s", out)
	}
	if out := hook("user-prompt-submit", "hello"); out != "" {
		t.Errorf("an answer to nothing: %s", out)
	}
}

// TestGlobalStore: what the user remembers everywhere is shown here, and removed
// there.
func TestGlobalStore(t *testing.T) {
	ctx := t.Context()
	w := newWorkspace(t)
	env := w.env
	env.Global = filepath.Join(t.TempDir(), "global")
	if _, err := OpenGlobal(ctx, env, false); err == nil {
		t.Error("a store that was never made was opened")
	}
	store, err := OpenGlobal(ctx, env, true)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := store.Remember(ctx, Note{Type: memory.Preference, Text: "I like short functions."})
	if err != nil || kept.Entry.Stage != index.Global {
		t.Errorf("remembered %+v, %v", kept.Entry, err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	here, err := Open(ctx, env)
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	if v := here.view(t, ViewOptions{}); v.Count(index.Global) != 1 {
		t.Errorf("%d global memories are shown", v.Count(index.Global))
	}
	if _, err := here.Forget(ctx, string(kept.Entry.Memory.ID)); err != nil {
		t.Fatal(err)
	}
	if v := here.view(t, ViewOptions{}); v.Count(index.Global) != 0 {
		t.Errorf("%d global memories are left", v.Count(index.Global))
	}
}
