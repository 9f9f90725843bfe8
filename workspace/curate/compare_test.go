package curate

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// decide puts decisions into the journal that an agent made a day apart, and returns them.
func decide(t *testing.T, w *workspace.Workspace, titles ...string) []*memory.Memory {
	t.Helper()
	var out []*memory.Memory
	for i, title := range titles {
		m := memory.New(memory.Decision, title, "", workspacetest.Clock().AddDate(0, 0, i))
		m.Source = memory.Source{Agent: "claude-code", Session: "s-9", Layer: "tag", Branch: "main"}
		out = append(out, m)
	}
	workspacetest.PutPending(t, w, out...)
	return out
}

func answerOf(t *testing.T, sheet *Sheet, pairs ...Pair) []byte {
	t.Helper()
	data, err := json.Marshal(Answer{Sheet: sheet.ID, Memories: []Worded{}, Pairs: pairs})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestCompare goes the whole way of two memories in different words of which one can hold: they stand on a
// worksheet, a reader names them, one links to the other, and no sheet has them again.
func TestCompare(t *testing.T) {
	w := workspacetest.New(t)
	all := decide(t, w,
		"The harbour office signs off every tariff before it is charged",
		"Gauges report once a minute over the radio link",
		"Whoever is on watch may charge a tariff without asking anybody",
		"Tide tables are printed on the first Monday of a month",
	)
	sheet, err := Next(t.Context(), w, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text := sheet.Text(); sheet.Session != "" || len(sheet.Compare) != 4 || strings.Count(text, "] new, decision") != 4 ||
		!strings.HasPrefix(text, "# Memories to compare") || sheet.Tokens > SheetTokens {
		t.Fatalf("%d tokens: %s", sheet.Tokens, text)
	}
	office, watch := string(all[0].ID), all[2].ID.Short()
	said := Pair{ID: office, Other: watch, Is: "contradicts", Reason: "the office signs, or nobody does"}
	out, err := Apply(t.Context(), w, answerOf(
		t, sheet, said,
		Pair{ID: "zzzzzzz", Other: watch, Is: "contradicts", Reason: "no such id"},
		Pair{ID: watch, Other: watch, Is: "contradicts", Reason: "itself"},
		Pair{ID: watch, Other: office, Is: "refines", Reason: "no such word"},
		Pair{ID: watch, Other: office, Is: "contradicts"},
		Pair{ID: all[1].ID.Short(), Other: all[3].ID.Short(), Is: "agrees", Reason: "other things"},
	))
	if err != nil {
		t.Fatal(err)
	}
	want := []Pair{{string(all[2].ID), office, said.Is, said.Reason}}
	if d := cmp.Diff(want, out.Pairs); d != "" || len(out.Refused) != 4 {
		t.Errorf("%s; refused: %v", d, out.Refused)
	}
	v, err := w.View(t.Context(), workspace.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found := v.Contradictions(t.Context())
	if len(found) != 1 || found[0].Newer.ID != all[2].ID || found[0].Older.ID != all[0].ID {
		t.Errorf("contradictions: %v", found)
	}
	if _, err := Next(t.Context(), w, Options{}); !errors.Is(err, ErrNothingWaits) {
		t.Errorf("again: %v", err)
	}
	decide(t, w, "Tariffs are charged in whole crowns")
	if sheet, err = Next(t.Context(), w, Options{}); err != nil {
		t.Fatal(err)
	}
	news := 0
	for _, l := range sheet.Compare {
		if l.New {
			news++
		}
	}
	if news != 1 || sheet.More {
		t.Errorf("%d are new: %s", news, sheet.body())
	}
	if out, err = Apply(t.Context(), w, answerOf(t, sheet, said)); err != nil || len(out.Refused) != 1 {
		t.Errorf("neither is new: %v, %v", out, err)
	}
}

// TestComparePersons: a reader's word changes no memory of a person; the other one of the pair says it.
func TestComparePersons(t *testing.T) {
	w := workspacetest.New(t)
	by := func(agent, title string, day int) *memory.Memory {
		m := memory.New(memory.Decision, title, "", workspacetest.Clock().AddDate(0, 0, day))
		m.Source = memory.Source{Agent: agent, Layer: "tag", Branch: "main"}
		return m
	}
	first, second := by(memory.Human, "The pier closes at ten at night", 1), by(memory.Human, "The pier never closes at night", 2)
	older := by("claude-code", "At night the pier is open to anglers alone", 0)
	workspacetest.PutPending(t, w, first, second, older)
	sheet, err := Next(t.Context(), w, Options{})
	if err != nil {
		t.Fatal(err)
	}
	pair := func(a, b *memory.Memory) Pair {
		return Pair{ID: string(a.ID), Other: string(b.ID), Is: "supersedes", Reason: "when the pier is open"}
	}
	out, err := Apply(t.Context(), w, answerOf(t, sheet, pair(second, first), pair(older, second)))
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Pairs) != 1 || len(out.Refused) != 1 ||
		!strings.Contains(out.Refused[0].Reason, "cortex link "+second.ID.Short()+" contradicts "+first.ID.Short()) {
		t.Fatalf("pairs %v, refused %v", out.Pairs, out.Refused)
	}
	v, err := w.View(t.Context(), workspace.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range v.Entries(t.Context()) {
		links := len(e.Memory.Linked(memory.Contradicts))
		if want := e.Memory.ID == older.ID; (links == 1) != want {
			t.Errorf("%s has %d links", e.Memory.Title, links)
		}
	}
}

// TestCompareBeside: memories stand on the sheet of a session as far as it has room, but for its candidates.
func TestCompareBeside(t *testing.T) {
	s := newStudy(t)
	for i := range 60 {
		m := memory.New(memory.Decision, strings.Repeat("buoys and lamps ", 8)+strings.Repeat("x", i+1), "", workspacetest.Clock().Add(time.Duration(i)*time.Hour))
		m.Source = memory.Source{Agent: "claude-code", Session: "s-9", Layer: "tag", Branch: "feature"}
		workspacetest.PutPending(t, s.w, m)
	}
	sheet := s.next(Options{})
	if n := len(sheet.Compare); n < 5 || n > 40 || sheet.More || sheet.Tokens > SheetTokens {
		t.Errorf("%d memories, more: %t, %d tokens", n, sheet.More, sheet.Tokens)
	}
	for _, l := range sheet.Compare {
		if l.ID == s.utc.ID {
			t.Error("a candidate is compared")
		}
	}
	if out := s.apply(s.answer(sheet)); len(out.Added) != 1 || len(out.Refused) > 0 {
		t.Errorf("added %v, refused %v", out.Added, out.Refused)
	}
}
