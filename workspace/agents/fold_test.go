package agents

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// later opens w again, so many days later.
func later(t *testing.T, w *workspace.Workspace, days int) *workspace.Workspace {
	t.Helper()
	env := workspacetest.Env(t, w.Repo.Root)
	env.Now = func() time.Time { return workspacetest.Clock().AddDate(0, 0, days) }
	x, err := workspace.Open(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// TestFoldOld: what nobody looked at for thirty days is no longer pending, but
// found in its session; what somebody used, pinned or wrote stays.
func TestFoldOld(t *testing.T) {
	w := workspacetest.New(t)
	for session, tag := range map[string]string{
		"s-old": "The relay drops mail above ten megabytes.", "s-used": "Segments are named by UTC day.", "s-seen": "The pump restarts at noon.",
	} {
		if _, err := Capture(t.Context(), w, CaptureInput{Path: workspacetest.Transcript(t, session, tag)}); err != nil {
			t.Fatal(err)
		}
	}
	pinned := workspacetest.Sure(memory.Fix, "Ask the relay twice when it answers 421")
	pinned.Pinned, pinned.Source.Session, pinned.Source.Agent = true, "s-old", "claude-code"
	workspacetest.PutPending(t, w, workspacetest.Sure(memory.Fix, "A person wrote that the gauge wants oil"), pinned)
	titles := func(w *workspace.Workspace) map[string]memory.ID {
		t.Helper()
		out := map[string]memory.ID{}
		v := workspacetest.View(t, w, workspace.ViewOptions{})
		for _, it := range v.Items {
			e, err := v.Entry(context.Background(), it)
			if err != nil {
				t.Fatal(err)
			}
			out[e.Memory.Title] = e.Memory.ID
		}
		return out
	}
	before := titles(w)
	if len(before) != 5 {
		t.Fatalf("pending: %v", before)
	}
	if n, err := foldOld(t.Context(), later(t, w, 20)); n != 0 || err != nil {
		t.Fatalf("after twenty days %d were folded (%v)", n, err)
	}
	if n, err := foldOld(t.Context(), later(t, w, 3650)); n != 0 || err != nil {
		t.Fatalf("by a clock that is ten years fast, in a journal that grew on one day, %d were folded (%v)", n, err)
	}
	for day := 17; day < 23; day++ {
		session := "s-day" + strconv.Itoa(day)
		if _, err := Capture(t.Context(), later(t, w, day), CaptureInput{Path: workspacetest.Transcript(t, session, "Pump "+strconv.Itoa(day)+" is read by register.")}); err != nil {
			t.Fatal(err)
		}
	}
	var used, seen memory.ID
	for title, id := range before {
		if strings.HasPrefix(title, "Segments") {
			used = id
		} else if strings.HasPrefix(title, "The pump") {
			seen = id
		}
	}
	workspacetest.Git(t, w, "config", "cortex.clone", "0123456789abcdef")
	x := later(t, w, 25) // a session recalls one, and a person skips another in a review
	x.Diary.NoteRecalls([]memory.ID{used})
	x.Diary.NoteLooked([]memory.ID{seen})
	if _, err := Capture(t.Context(), x, CaptureInput{Path: workspacetest.Transcript(t, "s-new", "Alerts go out by mail.")}); err != nil {
		t.Fatal(err)
	}
	x = later(t, w, 40)
	if n, err := foldOld(t.Context(), x); n != 1 || err != nil {
		t.Fatalf("after forty days %d were folded (%v), want 1", n, err)
	}
	after := titles(x)
	for title := range before {
		if _, there := after[title]; there == strings.HasPrefix(title, "The relay") {
			t.Errorf("%q: pending is %v", title, there)
		}
	}
	snap, err := x.Journal.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	records, err := journal.RecordPaths(t.Context(), snap)
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := snap.File(t.Context(), records["claude-code-s-old.md"])
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Parse(data)
	if err != nil || len(s.Decided) != 1 || s.Decided[0].Is != session.Folded || len(s.Notes) != 1 || !strings.Contains(s.Notes[0].Title, "ten megabytes") {
		t.Errorf("the record says %+v (%v)", s, err)
	}
	if !strings.Contains(string(data), " folded:") {
		t.Errorf("the record:\n%s", data)
	}
	if n, err := foldOld(t.Context(), x); n != 0 || err != nil {
		t.Errorf("again: %d (%v)", n, err)
	}
	// The transcript is read again, from its start: what was folded stays folded.
	c, err := Capture(t.Context(), x, CaptureInput{Path: workspacetest.Transcript(t, "s-old", "The relay drops mail above ten megabytes.")})
	if err != nil || len(c.Added) != 0 {
		t.Errorf("captured again: %d (%v)", len(c.Added), err)
	}
}
