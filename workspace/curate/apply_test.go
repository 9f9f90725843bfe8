package curate

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// study is a repository with a session that was captured: two candidates wait,
// and its transcript is not on this machine.
type study struct {
	*testing.T
	w          *workspace.Workspace
	record     *session.Session
	gauge, utc *memory.Memory
}

func newStudy(t *testing.T) *study {
	t.Helper()
	s := &study{T: t, w: workspacetest.New(t)}
	candidate := func(typ memory.Type, layer session.Layer, line int, title, text string) *memory.Memory {
		m := memory.New(typ, title, text, workspacetest.Clock())
		m.Source = memory.Source{Agent: "claude-code", Session: "s-1", Layer: string(layer), Branch: "feature", Record: line}
		return m
	}
	s.gauge = candidate(memory.Gotcha, session.LayerPattern, 12, "Gauges sleep after 60 s", "So poll them every 30 s, says the harbour office.")
	s.gauge.Tags, s.gauge.Triggers = []string{"gauge"}, []string{"error: gauge asleep"}
	s.utc = candidate(memory.Preference, session.LayerUser, 20, "Times are kept in UTC", "")
	s.record = &session.Session{
		Agent: "claude-code", ID: "s-1", Branch: "main", Start: workspacetest.Clock(), End: workspacetest.Clock(),
		Cursor: session.Cursor{Offset: 900, Lines: 40}, Requests: []session.Request{{Record: 3, Text: "Why are the gauges late?"}},
		Found: []session.Finding{{ID: s.gauge.ID, Type: s.gauge.Type, Layer: session.LayerPattern, Confidence: 0.8, Record: 11, Title: s.gauge.Title}},
	}
	workspacetest.PutPending(t, s.w, s.gauge, s.utc)
	workspacetest.Change(t, s.w, map[string][]byte{s.record.Path(): session.Format(s.record)})
	return s
}

// read sets how many lines of the transcript the session record has read.
func (s *study) read(lines int) {
	s.Helper()
	s.record.Cursor.Lines = lines
	workspacetest.Change(s.T, s.w, map[string][]byte{s.record.Path(): session.Format(s.record)})
}

func (s *study) next(opt Options) *Sheet {
	s.Helper()
	sheet, err := Next(s.Context(), s.w, opt)
	if err != nil {
		s.Fatal(err)
	}
	return sheet
}

// answer is an answer that words the first candidate and drops the second.
func (s *study) answer(sheet *Sheet) []byte {
	s.Helper()
	sure := 1.0
	data, err := json.Marshal(Answer{Sheet: sheet.ID, Memories: []Worded{{
		Type: "gotcha", Title: "Gauges sleep after 60 s and must be polled every 30 s", From: []string{s.gauge.ID.Short()},
		Evidence: []Evidence{{12, "poll them every 30 s, says the harbour office"}}, Land: true, Why: "a poll once a minute finds them asleep", Confidence: &sure,
	}}, Dropped: []Dropped{{s.utc.ID.Short(), "said in the code"}}})
	if err != nil {
		s.Fatal(err)
	}
	return data
}

func (s *study) apply(data []byte) *Outcome {
	s.Helper()
	out, err := Apply(s.Context(), s.w, data)
	if err != nil {
		s.Fatal(err)
	}
	return out
}

// pending are the titles of what is pending.
func (s *study) pending() string {
	s.Helper()
	v := workspacetest.View(s.T, s.w, workspace.ViewOptions{Local: true})
	var titles []string
	for _, it := range v.Items {
		if e, err := v.Entry(s.Context(), it); err == nil && e.Stage == index.Pending {
			titles = append(titles, e.Memory.Title)
		}
	}
	return strings.Join(titles, "; ")
}

func (s *study) recordNow() *session.Session {
	s.Helper()
	sessions, err := s.w.Journal.Sessions(s.Context(), 10)
	if err != nil {
		s.Fatal(err)
	}
	for _, r := range sessions {
		if r.ID == "s-1" {
			return r
		}
	}
	s.Fatal("there is no record")
	return nil
}

// TestApply: a memory stands in the place of its candidate and knows what that
// knew; both are noted in the record and can be restored.
func TestApply(t *testing.T) {
	s := newStudy(t)
	sheet := s.next(Options{})
	if sheet.Source != "record" || len(sheet.Candidates) != 2 || len(sheet.Passages) != 1 || sheet.More {
		t.Fatalf("%+v", sheet)
	}
	out := s.apply(s.answer(sheet))
	if len(out.Added) != 1 || out.Became != 1 || len(out.Dropped) != 1 || out.Left != 0 || len(out.Refused) != 0 {
		t.Fatalf("%+v", out)
	}
	m := out.Added[0]
	if m.Source.Layer != "curated" || m.Source.Record != 12 || m.Source.Branch != "feature" || m.Confidence != MaxConfidence ||
		len(m.Tags) != 1 || len(m.Triggers) != 1 || len(m.Linked(memory.DerivedFrom)) != 1 {
		t.Errorf("%s", memory.Format(m))
	}
	if got := s.pending(); got != m.Title {
		t.Errorf("pending: %s", got)
	}
	r := s.recordNow()
	if r.Curated != 40 || len(r.Decided) != 2 || r.Decided[0].Is != session.Became || r.Decided[1].Note != "said in the code" {
		t.Errorf("record: curated %d, %+v", r.Curated, r.Decided)
	}
	if _, err := Next(t.Context(), s.w, Options{}); !errors.Is(err, ErrNothingWaits) {
		t.Errorf("next: %v", err)
	}
	if again := s.apply(s.answer(sheet)); len(again.Added)+len(again.Dropped) != 0 || len(again.Refused) != 2 {
		t.Errorf("applied twice: %+v", again)
	}
}

// TestApplyRefused: an answer that cannot be used changes nothing.
func TestApplyRefused(t *testing.T) {
	s := newStudy(t)
	sheet := s.next(Options{})
	before := s.pending()
	for name, data := range map[string]string{
		"not JSON":          "I cannot help with that.",
		"another sheet":     `{"sheet":"0123456789abcdef","memories":[]}`,
		"a path as a sheet": `{"sheet":"../../../../x","memories":[]}`,
		"cut off":           string(s.answer(sheet)[:60]),
	} {
		_, err := Apply(t.Context(), s.w, []byte(data))
		var refused *RefusedError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := keptPath(s.w, sheet.ID)
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(kept), "60 s", "90 s", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Apply(t.Context(), s.w, s.answer(sheet)); err == nil {
		t.Error("a sheet that was changed is believed")
	}
	if after := s.pending(); after != before {
		t.Errorf("pending: %s, before %s", after, before)
	}
}

// TestApplyParts: parts of an answer that do not hold are refused alone.
func TestApplyParts(t *testing.T) {
	s := newStudy(t)
	sheet := s.next(Options{})
	var a Answer
	if err := json.Unmarshal(s.answer(sheet), &a); err != nil {
		t.Fatal(err)
	}
	same, invented := a.Memories[0], a.Memories[0]
	same.Title = "Gauges sleep after 60 s, and the harbour office says so"
	invented.Title = "Gauges of Hansen sleep after 60 s"
	a.Memories = append(a.Memories, same, invented)
	a.Dropped = append(a.Dropped, Dropped{"zzzzzzz", "other id"}, Dropped{s.utc.ID.Short(), "again"}, Dropped{s.gauge.ID.Short(), "also"})
	a.Dropped[0].Reason = " "
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	out := s.apply(data)
	var reasons []string
	for _, r := range out.Refused {
		reasons = append(reasons, r.Reason)
	}
	got := strings.Join(reasons, "; ")
	for _, want := range []string{"is named twice", "the name Hansen", "no reason is given", "zzzzzzz is not an id", "it is named twice"} {
		if !strings.Contains(got, want) {
			t.Errorf("refused for %s, not for %q", got, want)
		}
	}
	if len(out.Added) != 1 || len(out.Dropped) != 1 || out.Left != 0 {
		t.Errorf("%+v", out)
	}
}

// TestApplyMended: what was refused can be mended and applied again, alone, to the
// same sheet.
func TestApplyMended(t *testing.T) {
	s := newStudy(t)
	sheet := s.next(Options{})
	good := s.answer(sheet)
	bad := []byte(strings.Replace(string(good), "Gauges sleep after 60 s and", "Gauges of Hansen sleep after 60 s and", 1))
	if out := s.apply(bad); len(out.Added) != 0 || len(out.Dropped) != 1 || out.Left != 1 || len(out.Refused) != 1 {
		t.Fatalf("%+v", out)
	}
	var a Answer
	if err := json.Unmarshal(good, &a); err != nil {
		t.Fatal(err)
	}
	a.Dropped = nil
	mended, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	if out := s.apply(mended); len(out.Added) != 1 || out.Became != 1 || len(out.Refused) != 0 {
		t.Errorf("%+v", out)
	}
	r := s.recordNow()
	for _, v := range r.Decided {
		if v.ID == s.gauge.ID && v.Is != session.Became || v.ID == s.utc.ID && v.Is != session.Dropped {
			t.Errorf("the record says %+v", r.Decided)
		}
	}
}

// TestApplyChosen: what the user chose of several is not dropped on a reader's word.
func TestApplyChosen(t *testing.T) {
	s := newStudy(t)
	chosen := memory.New(memory.Decision, "Readings: keep them in UTC", "", workspacetest.Clock())
	chosen.Source = memory.Source{Agent: "claude-code", Session: "s-1", Layer: string(session.LayerAnswer), Branch: "feature", Record: 20}
	workspacetest.PutPending(t, s.w, chosen)
	sheet := s.next(Options{})
	out := s.apply([]byte(fmt.Sprintf(`{"sheet":%q,"memories":[],"dropped":[{"id":%q,"reason":"status"}]}`, sheet.ID, chosen.ID.Short())))
	if len(out.Dropped) != 0 || len(out.Refused) != 1 || out.Refused[0].Reason != "the user chose it: it stays" {
		t.Errorf("%+v", out)
	}
}

// TestApplyLate: a candidate that was edited, removed or landed since stays as it is, and
// one that nothing happened to is decided all the same.
func TestApplyLate(t *testing.T) {
	for name, tc := range map[string]struct {
		since   func(s *study, path string)
		pending bool // the candidate
	}{
		"edited": {func(s *study, path string) {
			edited := *s.gauge
			edited.Text, edited.Updated = "I know better.", workspacetest.Clock()
			workspacetest.Change(s.T, s.w, map[string][]byte{path: memory.Format(&edited)})
		}, true},
		"removed": {func(s *study, path string) { workspacetest.Change(s.T, s.w, nil, path) }, false},
		"landed": {func(s *study, path string) {
			workspacetest.Put(s.T, s.w, s.gauge)
			workspacetest.Commit(s.T, s.w, "landed")
			workspacetest.Change(s.T, s.w, nil, path)
			s.w = workspacetest.Open(s.T, s.w.Repo.Root)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStudy(t)
			sheet := s.next(Options{})
			answer := s.answer(sheet)
			tc.since(s, gitops.PendingPrefix("main")+"/"+s.gauge.Path())
			out := s.apply(answer)
			if len(out.Added) != 0 || len(out.Refused) != 1 || !strings.Contains(out.Refused[0].Reason, "was edited or was removed") || len(out.Dropped) != 1 {
				t.Errorf("%+v", out)
			}
			want := ""
			if tc.pending {
				want = s.gauge.Title
			}
			if got := s.pending(); got != want {
				t.Errorf("pending: %q, want %q", got, want)
			}
		})
	}
}

// TestApplyKnown: what the view says already is not said again.
func TestApplyKnown(t *testing.T) {
	s := newStudy(t)
	known := memory.New(memory.Gotcha, "Gauges sleep after 60 s and must be polled every 30 s", "", workspacetest.Clock())
	known.Text = "Poll them."
	workspacetest.Put(t, s.w, known)
	out := s.apply(s.answer(s.next(Options{})))
	if len(out.Added) != 0 || len(out.Refused) != 1 || !strings.Contains(out.Refused[0].Reason, "it is known, from .cortex/memories/gotcha/") {
		t.Errorf("%+v", out.Refused)
	}
}

// TestApplyTwin: a memory that says what a candidate of its sheet says stands for that one too,
// whether the answer names it or gives it to another memory.
func TestApplyTwin(t *testing.T) {
	for name, other := range map[string]bool{"named nowhere": false, "named by another": true} {
		s := newStudy(t)
		s.record.Requests = append(s.record.Requests, session.Request{Record: 29, Text: "Gauges sleep after 60 s, so poll them every 30 s, says the harbour office."})
		workspacetest.Change(t, s.w, map[string][]byte{s.record.Path(): session.Format(s.record)})
		a := Answer{}
		if err := json.Unmarshal(s.answer(s.next(Options{})), &a); err != nil {
			t.Fatal(err)
		}
		twin := a.Memories[0]
		twin.Title, twin.Text = "Gauges sleep after 60 s", "So poll them every 30 s, says the harbour office now."
		twin.Evidence = []Evidence{{30, "poll them every 30 s, says the harbour office"}}
		want := 1
		if other {
			twin.From = nil
			a.Memories, want = append(a.Memories, twin), 2
		} else {
			twin.From = []string{s.utc.ID.Short()}
			a.Memories, a.Dropped = []Worded{twin}, nil
		}
		data, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		out := s.apply(data)
		stays := strings.Contains(s.pending(), s.utc.Title) // the user's own words, of which the twin says nothing
		if len(out.Added) != want || len(out.Refused) != 0 || stays == other || !other && out.Became != 1 {
			t.Errorf("%s: added %d, refused %+v, pending %s", name, len(out.Added), out.Refused, s.pending())
		}
	}
}

// TestApplyReceived: what rests on a session that came from a remote is as little
// trusted as that.
func TestApplyReceived(t *testing.T) {
	s := newStudy(t)
	path := gitops.PendingPrefix("main") + "/" + s.gauge.Path()
	workspacetest.Change(t, s.w, map[string][]byte{journal.MarkOf(path, s.gauge.ID): nil, journal.MarkOf(s.record.Path(), ""): nil})
	sheet := s.next(Options{})
	if !sheet.Received {
		t.Fatal("the sheet does not know that it was received")
	}
	m := s.apply(s.answer(sheet)).Added[0]
	marks := s.w.Journal.Marks(t.Context())
	if !marks.Memory(m.ID) || marks.Memory(s.gauge.ID) {
		t.Errorf("marks %v", marks)
	}
}

// TestNextLong: a long session is told on one sheet up to its end; one that is too long for
// that has several, and each goes on where the one before it ended.
func TestNextLong(t *testing.T) {
	if n := sheetsOf(t, 60); n != 1 {
		t.Errorf("a long session has %d sheets", n)
	}
	if n := sheetsOf(t, 600); n < 2 || n > 8 {
		t.Errorf("a session that does not end has %d sheets", n)
	}
}

// sheetsOf is the number of sheets of a session of so many long passages.
func sheetsOf(t *testing.T, passages int) int {
	t.Helper()
	s := newStudy(t)
	s.read(passages)
	var lines []string
	for i := range passages {
		who, content := "user", fmt.Sprintf("Question %d: %s", i, strings.Repeat("why do the gauges sleep ", 60))
		if i%2 == 1 {
			who = "assistant"
		}
		text, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf(`{"type":%q,"uuid":"u%d","sessionId":"s-1","timestamp":"2026-11-20T10:00:00Z","message":{"role":%q,"content":%s}}`, who, i, who, text))
	}
	file := filepath.Join(t.TempDir(), "s-1.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := Options{Session: "s-", Transcript: file}
	from, sheets := 0, 0
	for ; sheets < 20; sheets++ {
		sheet, err := Next(t.Context(), s.w, opt)
		if errors.Is(err, ErrNothingWaits) {
			break
		}
		if err != nil || sheet.From <= from || sheet.Tokens > SheetTokens || sheet.Source != "transcript" {
			t.Fatalf("sheet %d: lines %d to %d after %d, %d tokens, %v", sheets, sheet.From, sheet.To, from, sheet.Tokens, err)
		}
		from = sheet.From
		s.apply([]byte(fmt.Sprintf(`{"sheet":%q,"memories":[],"dropped":[]}`, sheet.ID)))
	}
	return sheets
}

// TestNextLongTurn: a turn that is longer than a sheet comes to an end, also when
// candidates wait in its last part or in a part that was read already. Each sheet
// of it begins with what the user asked.
func TestNextLongTurn(t *testing.T) {
	for name, line := range map[string]int{"in the last part": 798, "in a part that was read": 12} {
		s := newStudy(t)
		s.read(800)
		lines := []string{`{"type":"user","uuid":"u0","sessionId":"s-1","timestamp":"2026-11-20T10:00:00Z","message":{"role":"user","content":"Which gauges sleep?"}}`}
		for i := 1; i < 400; i++ {
			body := ""
			for j := range 30 {
				body += fmt.Sprintf("Pump %d of station %d sends its level in winter. ", 100*i+j, 7*j+i)
			}
			lines = append(lines, fmt.Sprintf(`{"type":"assistant","uuid":"u%d","sessionId":"s-1","timestamp":"2026-11-20T10:00:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"git commit -m 'gauge: poll pump %d' -m '%s'"}}]}}`, i, i, i, body),
				fmt.Sprintf(`{"type":"user","uuid":"r%d","sessionId":"s-1","timestamp":"2026-11-20T10:00:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"[main 1a2b3c4] gauge"}]}}`, i, i))
		}
		file := filepath.Join(t.TempDir(), "s-1.jsonl")
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		late := memory.New(memory.Gotcha, "Gauges sleep at night", "So poll them by day.", workspacetest.Clock())
		late.Source = memory.Source{Agent: "claude-code", Session: "s-1", Layer: string(session.LayerPattern), Branch: "main", Record: line}
		opt, sheets, seen := Options{Session: "s-1", Transcript: file}, 0, false
		for ; sheets < 20; sheets++ {
			if sheets == 2 {
				workspacetest.PutPending(t, s.w, late)
			}
			sheet, err := Next(t.Context(), s.w, opt)
			if errors.Is(err, ErrNothingWaits) {
				break
			}
			if err != nil || len(sheet.Passages) < 2 || sheet.Passages[0].Line != 1 {
				t.Fatalf("%s, sheet %d: %v, not the prompt and what follows", name, sheets, err)
			}
			for _, c := range sheet.Candidates {
				seen = seen || c.ID == late.ID
			}
			s.apply([]byte(fmt.Sprintf(`{"sheet":%q,"memories":[],"dropped":[]}`, sheet.ID)))
		}
		if sheets == 20 || !seen {
			t.Errorf("%s: %d sheets, candidate seen: %v", name, sheets, seen)
		}
	}
}
