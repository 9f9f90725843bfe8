package workspace_test

import (
	"errors"
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestNotesOfRemote: what a session of another clone noted is neither found nor shown here.
func TestNotesOfRemote(t *testing.T) {
	at := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	note := memory.New(memory.Gotcha, "The valve returns before its motor stops", "", at)
	note.Source = memory.Source{Agent: "claude-code", Session: "s-1", Layer: string(session.LayerPattern), Record: 9}
	s := &session.Session{Agent: "claude-code", ID: "s-1", Start: at, End: at, Notes: []*memory.Memory{note}}
	w := workspacetest.New(t)
	found := func() int {
		t.Helper()
		answer, err := w.Search(t.Context(), "valve motor", workspace.SearchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return len(answer.Sessions)
	}
	workspacetest.Change(t, w, map[string][]byte{s.Path(): session.Format(s)})
	if _, err := w.Note(t.Context(), note.ID.Short()); err != nil || found() != 1 {
		t.Errorf("of this clone: %v, %d found", err, found())
	}
	workspacetest.Change(t, w, map[string][]byte{journal.MarkOf(s.Path(), ""): {}})
	if _, err := w.Note(t.Context(), note.ID.Short()); !errors.Is(err, workspace.ErrNotFound) || found() != 0 {
		t.Errorf("of another clone: %v, %d found", err, found())
	}
}
