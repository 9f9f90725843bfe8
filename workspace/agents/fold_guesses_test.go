package agents

import (
	"os"
	"slices"
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

// TestFoldGuesses: what versions before notes kept as a memory, and nobody stands behind, is a
// note of its session from the next hook on; what somebody said, another session said again, a
// commit gives a good reason for, and what a person restored stays.
func TestFoldGuesses(t *testing.T) {
	w := workspacetest.New(t)
	read := func(w *workspace.Workspace, id string, day int) {
		t.Helper()
		if _, err := Capture(t.Context(), w, CaptureInput{Path: onDay(t, id, day)}); err != nil {
			t.Fatal(err)
		}
	}
	read(w, "s10", 10)
	found := func(typ memory.Type, title string) *memory.Memory {
		return memory.New(typ, title, "Because the relay was full.", time.Date(2026, 11, 10, 10, 0, 0, 0, time.UTC))
	}
	guess, words, section := found(memory.Learned, "The relay buffers mail"), found(memory.Preference, "Show me the gauge"), found(memory.Decision, "Buoys send at dawn")
	rule, reason, again := found(memory.Preference, "Always keep the gauge in litres"), found(memory.Fix, "Pumps stop at noon"), found(memory.Learned, "Sluices open inwards")
	again.Seen = []string{"s10", "s11"}
	putGuess(t, w, "s10", guess, 0.88, session.LayerPattern)
	putGuess(t, w, "s10", words, 0.55, session.LayerUser)
	putGuess(t, w, "s10", section, 0.7, session.LayerStructure)
	putGuess(t, w, "s10", rule, 0.7, session.LayerUser)
	putGuess(t, w, "s10", reason, 0.87, session.LayerStructure)
	putGuess(t, w, "s10", again, 0.55, session.LayerPattern)
	pending := func(w *workspace.Workspace) string {
		t.Helper()
		var out []string
		for _, m := range []*memory.Memory{guess, words, section, rule, reason, again} {
			for _, it := range workspacetest.View(t, w, workspace.ViewOptions{}).Items {
				if strings.Contains(it.Path, m.ID.Short()) {
					out = append(out, m.Title)
				}
			}
		}
		return strings.Join(out, ", ")
	}
	const stays = "Always keep the gauge in litres, Sluices open inwards"
	if n, err := foldGuesses(t.Context(), later(t, w, 0)); n != 4 || err != nil {
		t.Fatalf("%d were folded (%v), want 4", n, err)
	}
	x := later(t, w, 0)
	if got := pending(x); got != stays {
		t.Fatalf("%q are pending, want %q", got, stays)
	}
	notes, err := x.Journal.Notes(t.Context())
	whole := func(m *memory.Memory) bool { return string(memory.Format(m)) == string(memory.Format(guess)) }
	if err != nil || len(notes) != 4 || !slices.ContainsFunc(notes, whole) {
		t.Errorf("%d notes (%v), want 4, as the memories were", len(notes), err)
	}
	workspacetest.PutPending(t, x, guess) // as cortex restore does
	if n, err := foldGuesses(t.Context(), later(t, w, 0)); n != 0 || err != nil {
		t.Errorf("what a person restored: %d were folded (%v)", n, err)
	}
	read(later(t, w, 0), "s10", 10)
	if notes, err := later(t, w, 0).Journal.Notes(t.Context()); err != nil || len(notes) != 4 {
		t.Errorf("after the session was read again %d notes (%v), want 4", len(notes), err)
	}
}
