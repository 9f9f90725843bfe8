package passage

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTitles: a title is a whole sentence or clause with a subject of its own,
// never cut within one.
func TestTitles(t *testing.T) {
	for _, x := range []struct{ md, want string }{
		{"The gauge reader drops readings older than an hour.", "The gauge reader drops readings older than an hour"},
		{
			"The gauge reader drops readings that are older than an hour because the harbour office only looks at the current level of the water.",
			"The gauge reader drops readings that are older than an hour",
		},
		{
			"`Store.Get` (see the two callers in cache/store.go and in cache/loader.go, both of them old) never returns an expired entry.",
			"`Store.Get` never returns an expired entry",
		},
		{"So the exporter must be restarted after every change of its limits.", "The exporter must be restarted after every change of its limits"},
		{"No broker is needed for the outbox table.", "No broker is needed for the outbox table"},
		{"## Frost alerts\n\nThis is sent once per night and orchard.", "Frost alerts: This is sent once per night and orchard"},
		{"It fails.\n\nThe frost job fails without a sensor because `probe` returns nil.", "The frost job fails without a sensor because `probe` returns nil"},
		{"If the tide table of a harbour is missing, the planner falls back to the nearest one that is known.", "If the tide table of a harbour is missing, the planner falls back to the nearest one that is known"},
		{"It does not work like that at all.", ""},
		{"Fixed.", ""},
		{"KTD2. The frost job keeps its own sensors for the winter.", "The frost job keeps its own sensors for the winter"},
		{"→ The gauge is silent → the alarm of the harbour never rings.", "The gauge is silent → the alarm of the harbour never rings"},
		{"Found it: the gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"The key insight: the gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"Only calls `notify` at night. The gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"## Alarm by mail\n\nDoes not call `notify` at night.", "Alarm by mail: Does not call `notify` at night"},
		{"To accept the key of a harbour and to hand it on. The gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"Check in gauge.go:17-18. The gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"- Is the gauge of the harbour asleep? (`g.level == 0`)\n- The gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"- Gauges:\n  - the gauge of a harbour sleeps while the harbour itself is closed to ships", "Gauges: the gauge of a harbour sleeps while the harbour itself is closed to ships"},
		{"1. `probe` finds no sensor after the frost (likely).", "`probe` finds no sensor after the frost (likely)"},
		{"I verified it all in the source of the gauge. The gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"One more gap has surfaced in the recovery of the harbour office this week: the export of a day needs a table of its own in the tide store.", "The export of a day needs a table of its own in the tide store"},
		{"- The level is read once an hour\n- The light of the gauge is red\n\nThe tide store keeps the level of each hour.", "The tide store keeps the level of each hour"},
		{"- **Case matters in names:** the gauge looks for `Outer` and nothing else in its list", "Case matters in names: the gauge looks for `Outer` and nothing else in its list"},
		{"- **A gauge without a key stops the whole harbour:** `probe` asks for the key of every gauge in the list, one after the other, and waits for each of them to answer it", "A gauge without a key stops the whole harbour"},
		{"The tide store is written twice for every ship:\n- by the gauge\n- by the harbour office", "The tide store is written twice for every ship"},
		{"Why the lock of the harbour opens at night. The gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"Before the first ship of the day. The gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"Installs gauges and generates their keys. The gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"Comment 2 — the gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"The bug is that the gauge sleeps while the harbour is open.", "The gauge sleeps while the harbour is open"},
		{"The gauge of `outer` is written by the harbour office but never read by anybody else than by the lock itself in the night. This makes the whole of it correct.", "The gauge of `outer` is written by the harbour office"},
		{"- Put it beside the lock of the outer harbour\n- The gauge sleeps while the harbour is closed\n", "The gauge sleeps while the harbour is closed"},
		{"- **`probe()`**: takes the level of the outer harbour for that of the gauge", "`probe()` takes the level of the outer harbour for that of the gauge"},
		{"## Before opening the harbour\n\nThis is done.", ""},
		{"The approach is correct. The gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"The second gauge sleeps while the harbour is closed.", "The second gauge sleeps while the harbour is closed"},
		{"For comparison, the gauge sleeps while the harbour is closed.", "The gauge sleeps while the harbour is closed"},
		{"Conclusion: the frost job keeps its own sensors for the winter.", "The frost job keeps its own sensors for the winter"},
	} {
		got := ""
		for _, p := range Of(x.md, Handover, 0, time.Time{}, nil) {
			if got = p.Title(); got != "" {
				break
			}
		}
		if got != x.want {
			t.Errorf("%q is titled %q, want %q", x.md, got, x.want)
		}
	}
}

// TestWithoutReply: a text begins with what can be read without the question that it answers.
func TestWithoutReply(t *testing.T) {
	for text, want := range map[string]string{
		"No. The gauge sleeps at night.":                        "The gauge sleeps at night.",
		"To answer your question: the gauge sleeps at night.":   "The gauge sleeps at night.",
		"Notes:\n- the gauge sleeps\n- the lock is open":        "- the gauge sleeps\n- the lock is open",
		"What changed:\n- the gauge sleeps\n- the lock is open": "- the gauge sleeps\n- the lock is open",
		"Gauges:\n- they sleep at night\n- they wake at noon":   "Gauges:\n- they sleep at night\n- they wake at noon",
		"No gauge sleeps at night. The lock is open.":           "No gauge sleeps at night. The lock is open.",
		"`gauge.go` alone. The lock is open.":                   "`gauge.go` alone. The lock is open.",
		"No.":                                                   "No.",
	} {
		p := Passage{Text: text}
		if got := p.Opened(text); got != want {
			t.Errorf("%q is opened as %q, want %q", text, got, want)
		}
	}
}

// TestReports: what says only how far the work is, is no statement; nor is a
// line whose rest was code.
func TestReports(t *testing.T) {
	text := "Done, committed as `fbab1228` on `next`. " +
		"The gauge sleeps at night because the harbour is closed. The check calls it like this:"
	want := []string{"The gauge sleeps at night because the harbour is closed."}
	if d := cmp.Diff(want, Facts(text)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if idle("The cache key includes the commit `deadbee` so that two branches never share it.") {
		t.Error("a reason is lost with the commit that it names")
	}
}

// TestLed: bold words that begin a sentence stay a part of it.
func TestLed(t *testing.T) {
	for _, x := range [][3]string{
		{"One bug", ", in the gauge", "One bug, in the gauge"},
		{"The gauge", "(old) is slow", "The gauge (old) is slow"},
		{"Locks", "never nest them", "Locks: never nest them"},
		{"The lock", "— never nest it", "The lock — never nest it"},
	} {
		if got := led(x[0], x[1]); got != x[2] {
			t.Errorf("%q and %q give %q, want %q", x[0], x[1], got, x[2])
		}
	}
}

// TestNoTitle: what cannot stand alone over a memory, beside what can.
func TestNoTitle(t *testing.T) {
	for _, s := range []string{
		"@tide/gauge: 10.13.1", "`3f602d14`: the gauge is migrated to the engine", "Wait, that's not quite it either", "`src/gauge/tide_level_of_the_day.go`", `D:\tide\src\gauge\level_of_day.go`, "`Level(gauge, day string, high bool) error`", "/Users/ada/tide/src/gauge.ts has 43 warnings in it",
	} {
		if got, _ := titleOf(s, ""); got != "" {
			t.Errorf("%q became the title %q", s, got)
		}
	}
	_, good := titleOf("The gauge of the outer harbour loses its readings in the rain", "")
	for _, s := range []string{
		"The branch still needs to be merged into the main line", "Comment 2 asks for another name of the field", "The 500s you're seeing are the endpoint that returns an error",
		"Used for all the gauges of the outer harbour",
	} {
		if got, worth := titleOf(s, ""); got != "" && worth >= good {
			t.Errorf("%q is worth %.2f as a title, want less than %.2f", s, worth, good)
		}
	}
}
