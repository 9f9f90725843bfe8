package memory_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

func TestFormatParseRoundTrip(t *testing.T) {
	m := memory.New(memory.Decision, "Chose Bluge: over \"SQLite\" #1", "Bluge needs no cgo.\n\n- a\n", time.Date(2026, 11, 20, 14, 3, 11, 5, time.UTC))
	m.Confidence = 0.95
	m.Tags = []string{"search", "on", "1.0", "a, b", "C++"}
	m.Files = []string{"index/search.go"}
	m.Links = []memory.Link{{Rel: memory.Supersedes, To: "3mfw0c1r00000000"}}
	m.Anchors = []memory.Anchor{{Path: "index/search.go", Blob: "9f2c0000"}}
	m.Source = memory.Source{Agent: "claude-code", Session: "0b2c", Commit: "1234567", Record: 412}
	m.Unknown = "# a note\nreviewed_by:\n  - ann\n"
	data := memory.Format(m)
	got, err := memory.Parse("x.md", data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if diff := cmp.Diff(m, got); diff != "" {
		t.Errorf("round trip (-want +got):\n%s\n%s", diff, data)
	}
	if again := memory.Format(got); string(again) != string(data) {
		t.Errorf("not a fixed point:\n%s\n%s", data, again)
	}
}

// TestCut: what is cut is not longer than was asked for, and ends at a word where it can.
func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"because it is faster", 20, "because it is faster"},
		{"because it is faster", 18, "because it is …"},
		{"because it is faster", 15, "because it is …"},
		{"because it is faster", 2, "…"},
		{"because it is faster", 0, "…"},
		{"first, second, third", 9, "first …"},
		{"ääää ööö üüü", 11, "ääää ööö …"},
		{"onelongwordwithoutaspace", 10, "onelongw …"},
		{"", 0, ""},
	} {
		if got := memory.Cut(tt.text, tt.limit); got != tt.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", tt.text, tt.limit, got, tt.want)
		}
	}
}
