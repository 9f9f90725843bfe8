package agents

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// onDay is the transcript of a session that began on a day of November.
func onDay(t *testing.T, id string, day int) string {
	t.Helper()
	path := workspacetest.Transcript(t, id, "Gauge "+id+" is read by register.")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "2026-11-03T", "2026-11-"+strconv.Itoa(day)+"T")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// putGuess puts a finding into the record of a session, and the memory into what is pending.
func putGuess(t *testing.T, w *workspace.Workspace, id string, m *memory.Memory, confidence float64, layer session.Layer) {
	t.Helper()
	m.Source.Agent, m.Source.Session, m.Source.Layer, m.Confidence = "claude-code", id, string(layer), confidence
	workspacetest.PutPending(t, w, m)
	err := w.Journal.Update(t.Context(), func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{When: w.Now(), Message: "record", Put: map[string][]byte{}}
		path := "sessions/2026-11/claude-code-" + id + ".md"
		data, ok, err := snap.File(t.Context(), path)
		if err != nil || !ok {
			t.Fatalf("no record %s (%v)", path, err)
		}
		s, err := session.Parse(data)
		if err != nil {
			return c, err
		}
		s.Found = append(s.Found, session.Finding{ID: m.ID, Type: m.Type, Layer: layer, Confidence: confidence, Title: m.Title})
		c.Put[path] = session.Format(s)
		return c, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFoldWeak: what capture only guessed folds once five sessions that began later are
// on record; what is surer, what somebody used or said again, what a session found when it
// went on, and what a person restored stays.
func TestFoldWeak(t *testing.T) {
	w := workspacetest.New(t)
	read := func(w *workspace.Workspace, id string, day int) {
		t.Helper()
		if _, err := Capture(t.Context(), w, CaptureInput{Path: onDay(t, id, day)}); err != nil {
			t.Fatal(err)
		}
	}
	read(w, "s10", 10)
	found := func(day int, typ memory.Type, title string) *memory.Memory {
		return memory.New(typ, title, "", time.Date(2026, 11, day, 10, 0, 0, 0, time.UTC))
	}
	weak, used := found(10, memory.Learned, "The relay buffers mail"), found(10, memory.Learned, "Segments carry a day")
	sure, said := found(10, memory.Learned, "Pumps stop at noon"), found(10, memory.Preference, "Keep the gauge in litres")
	fresh, again := found(13, memory.Learned, "Sluices open inwards"), found(10, memory.Learned, "Buoys send at dawn")
	again.Seen = []string{"s10", "s11"}
	putGuess(t, w, "s10", weak, 0.55, session.LayerPattern)
	putGuess(t, w, "s10", used, 0.55, session.LayerPattern)
	putGuess(t, w, "s10", sure, 0.60, session.LayerPattern)
	putGuess(t, w, "s10", said, 0.55, session.LayerUser)
	putGuess(t, w, "s10", fresh, 0.55, session.LayerPattern)
	putGuess(t, w, "s10", again, 0.55, session.LayerPattern)
	pending := func(w *workspace.Workspace) string {
		t.Helper()
		var out []string
		for _, x := range []struct {
			name string
			m    *memory.Memory
		}{{"weak", weak}, {"used", used}, {"sure", sure}, {"said", said}, {"fresh", fresh}, {"again", again}} {
			for _, it := range workspacetest.View(t, w, workspace.ViewOptions{}).Items {
				if strings.Contains(it.Path, x.m.ID.Short()) {
					out = append(out, x.name)
				}
			}
		}
		return strings.Join(out, " ")
	}
	for day := 11; day < 15; day++ {
		read(later(t, w, 0), "s"+strconv.Itoa(day), day)
	}
	workspacetest.Git(t, w, "config", "cortex.clone", "0123456789abcdef")
	x := later(t, w, 0)
	if got := pending(x); got != "weak used sure said fresh again" {
		t.Fatalf("after four sessions %q are pending", got)
	}
	x.Diary.NoteRecalls([]memory.ID{used.ID})
	read(x, "s15", 15)
	x = later(t, w, 0)
	if got := pending(x); got != "used sure said fresh again" {
		t.Fatalf("after five sessions %q are pending", got)
	}
	workspacetest.PutPending(t, x, weak) // as cortex restore does
	if n, err := foldGuesses(t.Context(), later(t, w, 0)); n != 0 || err != nil {
		t.Errorf("what a person restored: %d were folded (%v)", n, err)
	}
	read(later(t, w, 0), "s17", 17)
	if got := pending(later(t, w, 0)); got != "weak used sure said fresh again" {
		t.Errorf("after a restore %q are pending", got)
	}
}

// TestWeakIn: sessions that began later are counted, subagents with the session that
// started them and not beside it.
func TestWeakIn(t *testing.T) {
	at := func(id string, day int) *session.Session {
		return &session.Session{ID: id, Start: workspacetest.Clock().AddDate(0, 0, day), Found: []session.Finding{
			{ID: memory.ID(strings.Repeat(strconv.Itoa(day), 10)), Layer: session.LayerPattern, Confidence: 0.5},
		}}
	}
	sessions := []*session.Session{at("f", 6), at("e/1", 5), at("e", 5), at("d", 4), at("c", 3), at("b/1", 2), at("b", 2), at("a", 1), at("a", 1)}
	got, began := guessesIn(sessions)
	if len(got) != 1 || !got["1111111"] {
		t.Errorf("weak: %v, want those of the first day", got)
	}
	if n := begunAfter(began, sessions[3].Start.Add(time.Hour)); n != 2 {
		t.Errorf("%d sessions began after the fourth day, want 2", n)
	}
	undated := at("g", 0)
	undated.Start = time.Time{}
	if got, _ := guessesIn(append(sessions[:7:7], undated)); len(got) != 0 {
		t.Errorf("weak without a date: %v", got)
	}
}
