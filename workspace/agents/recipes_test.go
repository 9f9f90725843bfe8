package agents

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// trapped is a transcript of a session whose one command fails with this output.
func trapped(t *testing.T, session, command, output string) string {
	t.Helper()
	var b strings.Builder
	for i, message := range []string{
		`"user","message":{"role":"user","content":"Start it."}`,
		`"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":` + quoted(t, command) + `}}]}`,
		`"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":` + quoted(t, output) + `}]}`,
	} {
		fmt.Fprintf(&b, `{"uuid":"u%d","parentUuid":null,"isSidechain":false,"sessionId":%q,"timestamp":"2026-11-03T09:00:00.000Z","type":%s}`+"\n", i, session, message)
	}
	path := filepath.Join(t.TempDir(), session+".jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func quoted(t *testing.T, s string) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// traps are the recipes that are pending, by the branch they are pending for.
func traps(t *testing.T, w *workspace.Workspace) map[string]*memory.Memory {
	t.Helper()
	snap, err := w.Journal.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	known, err := knownRecipes(t.Context(), snap, "pending")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*memory.Memory{}
	for _, k := range known {
		out[strings.Split(k.path, "/")[1]+" "+string(k.m.ID.Short())] = k.m
	}
	return out
}

func one(t *testing.T, w *workspace.Workspace) *memory.Memory {
	t.Helper()
	all := traps(t, w)
	if len(all) != 1 {
		t.Fatalf("%d recipes are pending: %v", len(all), all)
	}
	for _, m := range all {
		return m
	}
	return nil
}

// TestTrapsFold: a trap that one session met is a note of it. What several met, on
// whatever branch and with whatever command, is one memory that names them all; the
// third makes it landable. The same session counts once.
func TestTrapsFold(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Git(t, w, "branch", "feature/x")
	meet := func(session, command, branch string) *Captured {
		t.Helper()
		c, err := Capture(t.Context(), w, CaptureInput{Path: trapped(t, session, command, "Exit code 127\n(eval):1: command not found: podman"), Branch: branch})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for range 2 {
		if c := meet("s-1", "podman ps", ""); len(c.Added) != 0 || len(c.Session.Notes) != 1 {
			t.Fatalf("the first session added %d memories and has %d notes: %+v", len(c.Added), len(c.Session.Notes), c.Candidates)
		}
	}
	if c := meet("s-2", "podman compose up -d", "feature/x"); len(c.Added) != 1 || len(c.Session.Notes) != 0 {
		t.Fatalf("the second session added %d memories and has %d notes: %+v", len(c.Added), len(c.Session.Notes), c.Candidates)
	}
	first := one(t, w)
	if c := meet("s-2", "podman compose up -d", "feature/x"); len(c.Added) != 0 {
		t.Errorf("read again, the second session added %d memories", len(c.Added))
	}
	if m := one(t, w); m.ID != first.ID || len(m.Seen) != 2 || m.Confidence != recipe.Confidence(2) {
		t.Errorf("after two sessions: %+v", m)
	}
	meet("s-3", "sudo podman ps -a", "")
	m := one(t, w)
	if len(m.Seen) != 3 || m.Confidence < w.Config.LandConfidence || m.Priority <= first.Priority {
		t.Errorf("after three sessions: %+v", m)
	}
	if c, err := Capture(t.Context(), w, CaptureInput{Path: trapped(t, "s-4", "zig build", "zsh: command not found: zig")}); err != nil || len(c.Session.Notes) != 1 {
		t.Errorf("another trap: %d notes (%v)", len(c.Session.Notes), err)
	}
}

// TestTrapsKnown: a trap that has landed, or was dismissed, is not added again.
func TestTrapsKnown(t *testing.T) {
	const output = "zsh: command not found: podman"
	for _, how := range []string{"landed", "dismissed"} {
		w := workspacetest.New(t)
		for _, session := range []string{"s-0", "s-1"} {
			if _, err := Capture(t.Context(), w, CaptureInput{Path: trapped(t, session, "podman ps", output)}); err != nil {
				t.Fatal(err)
			}
		}
		m := one(t, w)
		if how == "landed" {
			workspacetest.Put(t, w, m)
		} else {
			workspacetest.Change(t, w, map[string][]byte{"dismissed/" + string(m.ID): memory.Format(m)}, gitops.PendingPrefix(w.Repo.Branch)+"/"+m.Path())
		}
		c, err := Capture(t.Context(), w, CaptureInput{Path: trapped(t, "s-2", "podman run x", output)})
		if err != nil || len(c.Added)+len(c.Session.Notes) != 0 {
			t.Errorf("%s: %d memories added and %d notes (%v)", how, len(c.Added), len(c.Session.Notes), err)
		}
	}
}
