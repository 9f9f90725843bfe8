package agents

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// saying is a transcript of a session in which the user says one thing.
func saying(t *testing.T, session, words string) string {
	t.Helper()
	said, err := json.Marshal(words)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), session+".jsonl")
	text := fmt.Sprintf(`{"uuid":"u","parentUuid":null,"isSidechain":false,"sessionId":%q,"timestamp":"2026-11-03T09:00:00.000Z","type":"user","message":{"role":"user","content":%s}}`+"\n", session, said)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// pendingIn are the memories of the view.
func pendingIn(t *testing.T, w *workspace.Workspace) []*memory.Memory {
	t.Helper()
	var out []*memory.Memory
	for _, e := range workspacetest.View(t, w, workspace.ViewOptions{}).Entries(t.Context()) {
		out = append(out, e.Memory)
	}
	return out
}

// TestSaidAgain: a fact that a later session restates, of the branch or of another
// one in the view, is one memory that names both sessions; the same session counts
// once; one that differs in a number is another one.
func TestSaidAgain(t *testing.T) {
	w := workspacetest.New(t)
	read := func(session, words string) {
		t.Helper()
		if _, err := Capture(t.Context(), w, CaptureInput{Path: saying(t, session, words)}); err != nil {
			t.Fatal(err)
		}
	}
	const said = "We chose SQLite over PostgreSQL for the relay spool because zero configuration is critical on the boats."
	read("first-session", said)
	read("second-session", "As I said, we chose SQLite over PostgreSQL for the relay spool because zero configuration is critical on the boats.")
	read("second-session", "As I said, we chose SQLite over PostgreSQL for the relay spool because zero configuration is critical on the boats.")
	got := pendingIn(t, w)
	if len(got) != 1 || !slices.Equal(got[0].Seen, []string{recipe.SessionMark("first-session"), recipe.SessionMark("second-session")}) {
		t.Fatalf("pending: %v, seen %v", titles(got), got[0].Seen)
	}
	if got[0].Source.Session != "first-session" || got[0].Title != "We chose SQLite over PostgreSQL for the relay spool" && !strings.HasPrefix(got[0].Title, "We chose SQLite") {
		t.Errorf("the words of a person's decision changed: %q of %s", got[0].Title, got[0].Source.Session)
	}
	read("third-session", strings.ReplaceAll(said, "the relay spool", "the relay spool of 40 boats"))
	if got = pendingIn(t, w); len(got) != 2 {
		t.Errorf("what names a number more is taken for a restatement: %v", titles(got))
	}
}

func titles(list []*memory.Memory) []string {
	var out []string
	for _, m := range list {
		out = append(out, m.Title)
	}
	return out
}

// TestRestates: what is a restatement, and whose words stay.
func TestRestates(t *testing.T) {
	const short = "The gauge resets `counter` at every read, so it must never be read twice."
	const long = "The gauge resets `counter` at every read, so it must never be read twice in one tick of `pump`, or the pump starts early."
	of := func(typ memory.Type, layer, session, text string) *memory.Memory {
		m := memory.New(typ, text, "", time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC))
		m.Source = memory.Source{Layer: layer, Session: session, Agent: "claude-code"}
		return m
	}
	pattern, structure, tag, user := string(session.LayerPattern), string(session.LayerStructure), string(session.LayerTag), string(session.LayerUser)
	for _, x := range []struct {
		name    string
		have, m *memory.Memory
		want    bool
	}{
		{"the same words", of(memory.Gotcha, pattern, "s1", short), of(memory.Gotcha, structure, "s2", short), true},
		{"the same words, of another type", of(memory.Decision, user, "s1", short), of(memory.Gotcha, structure, "s2", short), false},
		{"within what is known", of(memory.Gotcha, pattern, "s1", long), of(memory.Gotcha, pattern, "s2", short), true},
		{"within, of another type", of(memory.Fix, pattern, "s1", long), of(memory.Gotcha, pattern, "s2", short), false},
		{"says more", of(memory.Gotcha, pattern, "s1", short), of(memory.Gotcha, pattern, "s2", long), false},
		{"says what a tag says", of(memory.Gotcha, tag, "s1", long), of(memory.Gotcha, pattern, "s2", short), true},
		{"a tag says it again", of(memory.Gotcha, pattern, "s1", short), of(memory.Gotcha, tag, "s2", short), false},
	} {
		if got := restates(x.have, x.m); got != x.want {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
	for _, pair := range pairs() {
		if got := restates(of(memory.Gotcha, pattern, "s1", pair[0]), of(memory.Gotcha, pattern, "s2", pair[1])); got {
			t.Errorf("%q is taken for %q", pair[1], pair[0])
		}
	}
}

// TestFoldAgain: what is said again stays as it is, and names both sessions.
func TestFoldAgain(t *testing.T) {
	have := memory.New(memory.Gotcha, "The gauge resets `counter` at every read of `pump`", "", workspacetest.Clock())
	have.Source = memory.Source{Layer: string(session.LayerStructure), Session: "one-session", Agent: "claude-code"}
	again := memory.New(memory.Gotcha, "The gauge resets `counter` at every read", "", workspacetest.Clock())
	again.Source = memory.Source{Layer: string(session.LayerStructure), Session: "two-session", Agent: "claude-code"}
	got, changed := foldRestated(have, again)
	if !changed || got.ID != have.ID || got.Title != have.Title || !slices.Equal(got.Seen, []string{recipe.SessionMark("one-session"), recipe.SessionMark("two-session")}) {
		t.Errorf("folded: %v %s %q, seen %v", changed, got.ID, got.Title, got.Seen)
	}
	if twice, changed := foldRestated(got, again); changed {
		t.Errorf("the same session counts twice: %v", twice.Seen)
	}
}

// TestOriginAgain: what is said again is a person's once a person says it.
func TestOriginAgain(t *testing.T) {
	from := func(title, origin string) *memory.Memory {
		m := memory.New(memory.Decision, title, "", workspacetest.Clock())
		m.Source = memory.Source{Agent: "claude-code", Session: title[:3] + origin, Layer: string(session.LayerPattern), Origin: origin}
		return m
	}
	const short = "The relay keeps its spool in SQLite on the boats"
	tests := map[string]struct {
		have, m *memory.Memory
		want    string
	}{
		"a person says it": {from(short, memory.OriginOutside), from(short, memory.OriginPerson), memory.OriginPerson},
		"an agent says it": {from(short, memory.OriginOutside), from(short, memory.OriginAgent), memory.OriginOutside},
		"it is read":       {from(short, memory.OriginPerson), from(short, memory.OriginOutside), memory.OriginPerson},
	}
	for name, test := range tests {
		got, _ := foldRestated(test.have, test.m)
		if got.Source.Origin != test.want {
			t.Errorf("%s: origin %q, want %q (%q)", name, got.Source.Origin, test.want, got.Title)
		}
	}
}
