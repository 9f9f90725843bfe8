package explore

import (
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestExplore asks everything about two memories of which one supersedes the
// other.
func TestExplore(t *testing.T) {
	ctx := t.Context()
	w := workspacetest.New(t)
	read, err := agents.Capture(ctx, w, agents.CaptureInput{Path: workspacetest.Transcript(t, "s-1",
		"Alerts go out by mail, because the office has no other line.")})
	if err != nil || len(read.Added) != 1 {
		t.Fatalf("captured %+v, %v", read, err)
	}
	alerts := read.Added[0]
	later := workspacetest.Sure(memory.Decision, "Alerts go out by text message")
	later.Links = []memory.Link{{Rel: memory.Supersedes, To: alerts.ID}}
	workspacetest.Put(t, w, alerts, later)
	workspacetest.Commit(t, w, "alerts")
	r, err := Related(ctx, w, string(alerts.ID), 1, 5, workspace.ViewOptions{})
	if err != nil || len(r.Chain) != 2 || len(r.Related) == 0 {
		t.Errorf("related %+v, %v", r, err)
	}
	g, err := Graph(ctx, w, GraphOptions{Of: string(alerts.ID)})
	if err != nil || len(g.Nodes) < 2 || len(g.Edges) == 0 {
		t.Errorf("graph %+v, %v", g, err)
	}
	for _, shape := range []any{r, g} {
		if text, err := json.Marshal(shape); err != nil || !strings.Contains(string(text), string(later.ID)) {
			t.Errorf("as JSON %s, %v", text, err)
		}
	}
	if memories, err := Graph(ctx, w, GraphOptions{Nodes: []string{"memory"}, Links: true}); err != nil ||
		len(memories.Nodes) != 2 || len(memories.Edges) != 1 {
		t.Errorf("graph of memories %+v, %v", memories, err)
	}
	commits, entry, err := Log(ctx, w, string(alerts.ID), 10)
	if err != nil || len(commits) != 2 || entry == nil {
		t.Errorf("log %v, %v, %v", commits, entry, err)
	}
	if _, _, err := Log(ctx, w, "zzzzzzz", 10); !errors.Is(err, workspace.ErrNotFound) {
		t.Errorf("log of nothing: %v", err)
	}
	for key, want := range map[string][]string{"session": {"s-1"}, "branch": {"main"}, "tag": nil} {
		if got := FilterValues(ctx, w, key); !slices.Equal(got, want) {
			t.Errorf("%s to filter by: %q", key, got)
		}
	}
	if topics, err := Topics(ctx, w, "s-"); err != nil || len(topics) != 1 || topics[0].Session != "s-1" ||
		topics[0].Files == nil {
		t.Errorf("topics %+v, %v", topics, err)
	}
	if _, err := Topics(ctx, w, "other"); !errors.Is(err, ErrNoSession) {
		t.Errorf("topics of no session: %v", err)
	}
}

// TestBroughtByItsOwnCommit: a memory whose file is called as a pattern has the commit of that
// file, not one of a file that the pattern matches.
func TestBroughtByItsOwnCommit(t *testing.T) {
	names := []string{"[a-z]auge.md", "g[a]uge.md"}
	if runtime.GOOS != "windows" {
		names = append(names, "*.md", "?auge.md")
	}
	for _, name := range names {
		w := workspacetest.New(t)
		theirs, ours := workspacetest.Sure(memory.Decision, "Theirs"), workspacetest.Sure(memory.Decision, "Ours")
		workspacetest.Write(t, w, workspace.MemoriesDir+"/decision/"+name, string(memory.Format(theirs)))
		workspacetest.Commit(t, w, "theirs")
		workspacetest.Write(t, w, workspace.MemoriesDir+"/decision/gauge.md", string(memory.Format(ours)))
		workspacetest.Commit(t, w, "ours")
		v, err := w.View(t.Context(), workspace.ViewOptions{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := v.Find(t.Context(), string(theirs.ID))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Brought(t.Context(), w, e); err != nil || got.Subject != "theirs" {
			t.Errorf("%s came with %q, %v", name, got.Subject, err)
		}
	}
}
