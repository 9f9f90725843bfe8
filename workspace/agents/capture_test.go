package agents

import (
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

func TestSameStatement(t *testing.T) {
	const base = "Readings are stored in append only segment files, one file for each gauge and day"
	tagged := func(m *memory.Memory) *memory.Memory {
		m.Source.Layer = string(session.LayerTag)
		return m
	}
	decision := func(title string) *memory.Memory {
		return &memory.Memory{Type: memory.Decision, Title: title, Source: memory.Source{Layer: string(session.LayerAnswer)}}
	}
	for name, tt := range map[string]struct {
		have, m *memory.Memory
		want    bool
	}{
		"the same":           {decision(base), decision(base), true},
		"another order":      {decision(base), decision("One file for each gauge and day: readings are stored in append only segment files"), true},
		"a word more":        {decision(base), decision(base + ", always"), true},
		"a word less":        {decision(base + ", always"), decision(base), true},
		"a name more":        {decision(base), decision(base + ", by Ada"), false},
		"a name less":        {decision(base + ", by Ada"), decision(base), true},
		"another thing":      {decision(base), decision("Alerts go out by mail, because the office has no other line"), false},
		"another type":       {decision(base), &memory.Memory{Type: memory.Gotcha, Title: base, Source: memory.Source{Layer: string(session.LayerAnswer)}}, false},
		"another number":     {decision("The gauge listens on port 80 of the board"), decision("The gauge listens on port 81 of the board"), false},
		"another version":    {decision("We pin go1.26 for the release builds"), decision("We pin go1.27 for the release builds"), false},
		"the other way":      {decision("The gauge service calls the alert service"), decision("The alert service calls the gauge service"), false},
		"denied":             {decision("Retries are safe for the gauge endpoint"), decision("Retries are not safe for the gauge endpoint"), false},
		"of a tag":           {tagged(decision(base)), decision(base + ", always"), true},
		"tagged":             {decision(base), tagged(decision(base + ", always")), false},
		"by a person":        {decision(base), &memory.Memory{Type: memory.Decision, Title: base}, false},
		"no words":           {decision(""), decision(""), false},
		"one without a word": {decision(base), decision(""), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := restates(tt.have, tt.m); got != tt.want {
				t.Errorf("says the same: %v", got)
			}
		})
	}
}

// TestCaptureFoldsWhatIsKnown: what the view holds, pending or landed, is not
// added again, whatever session says it.
func TestCaptureFoldsWhatIsKnown(t *testing.T) {
	const tag = "Alerts go out by mail, because the office has no other line."
	w := workspacetest.New(t)
	first, err := Capture(t.Context(), w, CaptureInput{Path: workspacetest.Transcript(t, "s-1", tag)})
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Added) != 1 {
		t.Fatalf("added %d memories, want 1: %+v", len(first.Added), first.Candidates)
	}
	again, err := Capture(t.Context(), w, CaptureInput{Path: workspacetest.Transcript(t, "s-2", tag)})
	if err != nil || len(again.Added) != 0 {
		t.Errorf("while pending: added %d memories (%v)", len(again.Added), err)
	}
	w = workspacetest.New(t)
	workspacetest.Put(t, w, first.Added...)
	again, err = Capture(t.Context(), w, CaptureInput{Path: workspacetest.Transcript(t, "s-3", tag)})
	if err != nil || len(again.Added) != 0 {
		t.Errorf("after landing: added %d memories (%v)", len(again.Added), err)
	}
	if len(again.Candidates) == 0 || !strings.Contains(again.Candidates[0].Reason, ".cortex/memories/decision/") {
		t.Errorf("the reason does not name the twin: %+v", again.Candidates)
	}
	other, err := Capture(t.Context(), w, CaptureInput{Path: workspacetest.Transcript(t, "s-4", "Exports are CSV.")})
	if err != nil || len(other.Added) != 1 {
		t.Errorf("something else: added %d memories (%v)", len(other.Added), err)
	}
}

// TestCaptureOwnsWhatWasReceived: what this clone's own session says is its own,
// although a remote said it first.
func TestCaptureOwnsWhatWasReceived(t *testing.T) {
	path := workspacetest.Transcript(t, "s-1", "Alerts go out by mail, because the office has no other line.")
	other := workspacetest.New(t)
	first, err := Capture(t.Context(), other, CaptureInput{Path: path})
	if err != nil || len(first.Added) != 1 {
		t.Fatalf("%+v, %v", first, err)
	}
	m := first.Added[0]
	at := "pending/main/" + m.Path()
	for _, mark := range []string{journal.MarkOf(at, m.ID), journal.ReceivedFolder + m.ID.Short()} {
		w := workspacetest.New(t)
		workspacetest.Change(t, w, map[string][]byte{at: memory.Format(m), mark: {}})
		if _, err := Capture(t.Context(), w, CaptureInput{Path: path}); err != nil {
			t.Fatal(err)
		}
		v := workspacetest.View(t, w, workspace.ViewOptions{})
		if len(v.Items) != 1 || w.Journal.Marks(t.Context()).Memory(m.ID) {
			t.Errorf("%s: %d memories; received: %v", mark, len(v.Items), w.Journal.Marks(t.Context()))
		}
	}
}

// TestEditedStays: what a person has edited is not for the session to withdraw.
func TestEditedStays(t *testing.T) {
	w := workspacetest.New(t)
	as, edited := workspacetest.Sure(memory.Fix, "As it was captured"), workspacetest.Sure(memory.Fix, "Edited since")
	as.Source.Session, edited.Source.Session = "s-1", "s-1"
	edited.Updated = workspacetest.Clock()
	workspacetest.PutPending(t, w, as, edited)
	snap, err := w.Journal.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ids := []memory.ID{as.ID, edited.ID}
	if got, err := stillPending(t.Context(), snap, "main", "s-1", ids); err != nil || len(got) != 1 || got[0].ID != as.ID {
		t.Errorf("still pending: %v", got)
	}
	read := &Captured{Branch: "main", Result: &capture.Result{
		Session: &session.Session{Agent: "claude-code", ID: "s-1", Start: workspacetest.Clock()}, Withdrawn: ids,
	}}
	if err := newCapturer(w).commit(t.Context(), read); err != nil || read.Gone != 1 {
		t.Errorf("%d memories were withdrawn, %v", read.Gone, err)
	}
	left := workspacetest.View(t, w, workspace.ViewOptions{}).Entries(t.Context())
	if len(left) != 1 || left[0].Memory.ID != edited.ID {
		t.Errorf("left: %v", left)
	}
}

// TestCaptureKeepsVerdicts: what readers decided about a session stays in its
// record, whenever they did, and what they worded is not withdrawn.
func TestCaptureKeepsVerdicts(t *testing.T) {
	w := workspacetest.New(t)
	path := workspacetest.Transcript(t, "s-1", "Alerts go out by mail, because the office has no other line.")
	first, err := Capture(t.Context(), w, CaptureInput{Path: path})
	if err != nil || len(first.Added) != 1 {
		t.Fatalf("%+v, %v", first, err)
	}
	curated := memory.New(memory.Decision, "Alerts go out by mail alone", "", workspacetest.Clock())
	curated.Source = memory.Source{Session: "s-1", Layer: string(session.LayerCurated)}
	workspacetest.PutPending(t, w, curated)
	record := *first.Session
	record.Curated = 2
	record.Decide(session.Verdict{ID: first.Added[0].ID, Is: session.Became, Note: string(curated.ID)})
	workspacetest.Change(t, w, map[string][]byte{record.Path(): session.Format(&record)})

	stale := *first // as a capture has it that began before
	if err := newCapturer(w).commit(t.Context(), &stale); err != nil {
		t.Fatal(err)
	}
	if _, err := Capture(t.Context(), w, CaptureInput{Path: path}); err != nil {
		t.Fatal(err)
	}
	sessions, err := w.Journal.Sessions(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		if s.Curated != 2 || !s.DecidedOn(first.Added[0].ID) {
			t.Errorf("curated %d, decided %v", s.Curated, s.Decided)
		}
	}
	v := workspacetest.View(t, w, workspace.ViewOptions{})
	if _, err := v.Find(t.Context(), string(curated.ID)); err != nil {
		t.Errorf("what a reader worded: %v", err)
	}
}
