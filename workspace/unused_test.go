package workspace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestUnused: a memory is possibly outdated once as many sessions as the policy says did not use it, and
// not before; one that was changed meanwhile or is pinned is not.
func TestUnused(t *testing.T) {
	w := workspacetest.New(t)
	old := workspacetest.Clock().AddDate(0, 0, -40)
	decision := func(title string, change func(*memory.Memory)) *memory.Memory {
		m := memory.New(memory.Decision, title, "", old)
		m.Source = memory.Source{Agent: "claude-code", Session: "s-0", Layer: "tag", Branch: "main", Origin: memory.OriginAgent}
		change(m)
		return m
	}
	workspacetest.PutPending(t, w,
		decision("Tides are read from the northern gauge", func(*memory.Memory) {}),
		decision("Lamps burn until sunrise", func(m *memory.Memory) { m.Updated = old.AddDate(0, 0, 35) }),
		decision("Ferries leave on the hour", func(m *memory.Memory) { m.Pinned = true }),
	)
	record := func(i int) {
		start := old.Add(time.Duration(i) * 24 * time.Hour)
		s := &session.Session{Agent: "claude-code", ID: fmt.Sprint("s-", i), Branch: "main", Start: start, End: start.Add(time.Hour)}
		workspacetest.Change(t, w, map[string][]byte{s.Path(): session.Format(s)})
	}
	unused := func() (titles []string) {
		view := workspacetest.View(t, w, workspace.ViewOptions{})
		for _, e := range view.List(t.Context(), workspace.ListOptions{Code: true}) {
			if e.Unused {
				titles = append(titles, e.Memory.Title)
			}
		}
		return titles
	}
	for i := range 20 {
		record(i)
	}
	if got := unused(); len(got) > 0 {
		t.Errorf("after 19 sessions without use: %q", got)
	}
	record(20)
	if got := unused(); len(got) != 1 || got[0] != "Tides are read from the northern gauge" {
		t.Errorf("after 20 sessions without use: %q", got)
	}
	b, _, err := w.Brief(t.Context(), workspace.BriefOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.Text, "[POSSIBLY OUTDATED]"); n != 1 {
		t.Errorf("%d marks in %s", n, b.Text)
	}
}
