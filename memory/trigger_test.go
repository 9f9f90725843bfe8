package memory

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTriggers(t *testing.T) {
	m := New(Fix, "`make` needs gmake here", "", time.Date(2026, 11, 20, 14, 3, 11, 0, time.UTC))
	m.Triggers = []string{
		Trigger(TriggerError, "*** missing separator.  Stop."), Trigger(TriggerCommand, "make"), Trigger(TriggerTool, " "),
		"symbol: from: a newer version", "no kind",
	}
	back, err := Parse("m.md", Format(m))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"error: *** missing separator. Stop.", "command: make", "symbol: from: a newer version", "no kind"}
	if diff := cmp.Diff(want, back.Triggers); diff != "" {
		t.Error(diff)
	}
	for kind, want := range map[TriggerKind][]string{
		TriggerError: {"*** missing separator. Stop."}, TriggerCommand: {"make"}, TriggerTool: nil, "symbol": {"from: a newer version"},
	} {
		if diff := cmp.Diff(want, back.TriggersOf(kind)); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
}

// TestTriggersMerge: two clones that saw the same trap in different sessions
// end with both sessions.
func TestTriggersMerge(t *testing.T) {
	base := New(Fix, "`make` needs gmake here", "", time.Date(2026, 11, 20, 14, 3, 11, 0, time.UTC))
	base.Triggers, base.Seen = []string{"command: make"}, []string{"s1"}
	ours, theirs := *base, *base
	ours.Seen, theirs.Seen = []string{"s1", "s3"}, []string{"s1", "s2"}
	text := func(_, ours, _ string) (string, bool) { return ours, true }
	m, err := Merge(base, &ours, &theirs, text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"s1", "s2", "s3"}, m.Seen); diff != "" {
		t.Error(diff)
	}
}
