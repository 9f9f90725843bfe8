package agents

import (
	"context"
	"testing"

	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestUnreadableJournal: a journal that cannot be read is an error for whoever asks it
// what an earlier reading of a session has left, and not a session that is new.
func TestUnreadableJournal(t *testing.T) {
	w := workspacetest.New(t)
	in := CaptureInput{
		Path:  workspacetest.Transcript(t, "s-1", "[MEMORY: decision] The tide tables are kept in UTC."),
		Agent: "claude-code", Session: "s-1",
	}
	first, err := Capture(t.Context(), w, in)
	if err != nil || len(first.Added) == 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	snap, err := w.Journal.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	x := newCapturer(w)
	if s, left, err := x.previously(t.Context(), snap, in, "main"); err != nil || s == nil || len(left) != len(first.Added) {
		t.Fatalf("the session is not known: %v, %d memories, %v", s, len(left), err)
	}

	broken, stop := context.WithCancel(t.Context())
	stop()
	if s, left, err := x.previously(broken, snap, in, "main"); err == nil {
		t.Errorf("previously: %v and %d memories, and no error", s, len(left))
	}
	if left, err := stillPending(broken, snap, "main", "s-1", first.Session.Kept()); err == nil {
		t.Errorf("stillPending: %d memories, and no error", len(left))
	}
	if folded, err := foldedIn(broken, snap, first.Session.Path()); err == nil {
		t.Errorf("foldedIn: %d ids, and no error", len(folded))
	}
	if err := (&reading{capturer: x, snap: snap, topic: "main"}).foldKnown(broken, first); err == nil {
		t.Error("foldKnown: no error")
	}
}
