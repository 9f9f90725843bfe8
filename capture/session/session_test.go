package session

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

func sampleSession() *Session {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	return &Session{
		Agent: "claude-code", ID: "5a1e0f00-1111", Branch: "feature/alerts", Start: at, End: at.Add(time.Hour),
		Head: "abc", HeadNow: "def",
		Title: `Say "hi": a title`, Turns: 3, Errors: 1, Corrections: 2, Watched: true,
		Cursor: Cursor{
			Inode: 1<<63 + 5, Offset: 900, Hash: "00ff", Lines: 30, Context: 500, ContextLines: 10, Stable: 20,
			Before: 1772442000, TopicFiles: 1,
		},
		Modified: []string{"a/b.go", "c: d.txt"}, Read: []string{"x"},
		Commands: []string{"go test ./... | tail", "- [x] odd"},
		Failed:   []string{"go test: undefined: x"}, Again: []memory.ID{"0gt40bvwb1anm79w"},
		Requests: []Request{{0, "do: it"}},
		Topics: []Topic{
			{
				Record: 0, Start: at, Cue: "opening", Name: "Alerts: storms, and so on",
				Summary: [2]string{"do: it", "Chose X: Y"}, Files: []string{"a/b.go", "c: d.txt"},
			},
			{Record: 9, Depth: 1, Cue: "step", Name: "Part", Files: []string{"x"}},
		},
		Found: []Finding{{
			ID: "k7q2m9xw4d3h8t5v", Type: memory.Decision, Layer: LayerAnswer, Confidence: 0.95, Record: 4,
			Title: "Chose X: Y",
		}},
		Weak: []Finding{{Type: memory.Gotcha, Layer: LayerPattern, Confidence: 0.4, Record: 9, Title: "maybe"}},
		Plan: []Step{
			{Key: "1", Status: "completed", Text: "one"},
			{Status: "pending", Text: "two: three"},
			{Key: "x-2", Status: "in_progress", Text: "four"},
		},
		PlanText: "Title\ngoal\n- step", PlanRecord: 7, PlanID: "k7q2m9xw4d3h8t5v",
		Curated: 12,
		Decided: []Verdict{
			{"k7q2m9xw4d3h8t5v", Became, "0gt40bvwb1anm79w"},
			{"0gt40bvwb1anm79w", Dropped, "status: done"},
			{"3mfw0c1r5t9k2v7x", Left, ""},
		},
		Unknown: "topics: 3\nnested:\n  - a\n",
	}
}

func TestRoundTrip(t *testing.T) {
	want := sampleSession()
	data := Format(want)
	got, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s\n%s", d, data)
	}
	if got, err := Parse(
		[]byte(strings.ReplaceAll(string(data), "\n", "\r\n")),
	); err != nil || got.Title != want.Title {
		t.Errorf("with CRLF: %v", err)
	}
}

func TestPath(t *testing.T) {
	s := sampleSession()
	if got := s.Path(); got != "sessions/2026-03/claude-code-5a1e0f00-1111.md" {
		t.Error(got)
	}
	s.ID = "../../etc/passwd\n"
	if got := s.Path(); strings.Contains(
		strings.TrimPrefix(got, "sessions/2026-03/"), "/",
	) || strings.Contains(got, "..") {
		t.Error(got)
	}
}

func TestParseErrors(t *testing.T) {
	for _, data := range []string{"", "hello", "---\nagent: x\n", "---"} {
		if _, err := Parse([]byte(data)); err == nil {
			t.Errorf("%q was read", data)
		}
	}
}

// FuzzSession: what can be read is written and read again without change.
func FuzzSession(f *testing.F) {
	f.Add(Format(sampleSession()))
	f.Add(
		[]byte(
			"---\nagent: \"a\\u0000b\"\n# note\nx:\n  y\n---\n\n## Plan\n> a\n>\n> b\n## Steps\n- [?] : x\n- [x] a: b\n## Topics\n### line 1, -, pause: a\nAsked: b\n- c\n#### line 0, -, x: y\n## Found\n- - x\n",
		),
	)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			return
		}
		once := Format(s)
		again, err := Parse(once)
		if err != nil {
			t.Fatalf("own output cannot be read: %v\n%s", err, once)
		}
		if twice := Format(again); string(twice) != string(once) {
			t.Fatalf("not a fixed point:\n%q\n%q", once, twice)
		}
	})
}

// TestDecide: the last word about a finding counts, and the oldest verdicts go.
func TestDecide(t *testing.T) {
	const one, two memory.ID = "k7q2m9xw4d3h8t5v", "0gt40bvwb1anm79w"
	var s Session
	s.Decide(Verdict{one, Left, ""}, Verdict{two, Dropped, "status"}, Verdict{one, Became, string(two)})
	if d := cmp.Diff([]Verdict{{two, Dropped, "status"}, {one, Became, string(two)}}, s.Decided); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	other := Session{Curated: 7, Decided: []Verdict{{one, Left, ""}}}
	other.Adopt(&s)
	if other.Curated != 7 || len(other.Decided) != 2 || other.Decided[0].Is != Left {
		t.Errorf("adopted %+v", other)
	}
	for i := range MaxVerdicts + 5 {
		s.Decide(Verdict{ID: memory.NewID(memory.Fix, strings.Repeat("x", i+1), ""), Is: Left})
	}
	if len(s.Decided) != MaxVerdicts || s.DecidedOn(two) {
		t.Errorf("%d verdicts are kept", len(s.Decided))
	}
}
