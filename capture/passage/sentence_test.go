package passage

import (
	"testing"

	"github.com/git-cortex/cortex/capture/prose"
)

// TestWhole: what was shortened ends where a clause does.
func TestWhole(t *testing.T) {
	const limit = 100
	long := "The nightly export of the tide tables writes one file for each harbour and each day of the year and never removes any of them again at all."
	if got := Shortened(long, limit); got != "" {
		t.Errorf("a sentence without an inner end was cut: %q", got)
	}
	for _, s := range []string{
		"When the sensor of an orchard is silent for six hours, the planner raises an alarm, which is then sent to everybody on the list.",
		"The planner (which nobody maintains any more since the spring of last year and which is not documented) reads `frost.yaml`, so a change of it needs a restart.",
		"Use `probe --all`, not `probe`, because the latter only looks at the first sensor that it finds in the list of known sensors.",
	} {
		got := Shortened(s, limit)
		if got == "" || len(got) > limit || !whole(got) && got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	for _, s := range []string{
		"`gauge.go`: When the harbour is closed, if the gauge of its neighbour still sleeps", "If the gauge sleeps", "When the harbour closes, after the gauge of it has gone to sleep",
	} {
		if whole(s) {
			t.Errorf("%q has no main clause", s)
		}
	}
	if got := Bare("No, the limits stay in one file."); got != "the limits stay in one file." {
		t.Errorf("bare: %q", got)
	}
	if got := Bare("No limits are kept."); got != "No limits are kept." {
		t.Errorf("a negation was lost: %q", got)
	}
	for s, want := range map[string]string{
		"Comment 2 — the limits stay":             "the limits stay",
		"Thread 27 (Ada): the limits stay":        "the limits stay",
		"One limit of it is kept in the file":     "One limit of it is kept in the file",
		"You're right - the limits stay":          "the limits stay",
		"In this case, the limits stay as is":     "the limits stay as is",
		"In this harbour, the limits stay as is":  "In this harbour, the limits stay as is",
		"PR #31: the limits stay":                 "the limits stay",
		"The root cause is that the limits stay":  "the limits stay",
		"Impact: the limits stay in two files":    "the limits stay in two files",
		"Harbour 2 — the limits stay":             "Harbour 2 — the limits stay",
		"The likely cause is that limits go":      "The likely cause is that limits go",
		"The risk is that the limits go":          "The risk is that the limits go",
		"Optional: drop the limits":               "Optional: drop the limits",
		"The gauge is that of the harbour":        "The gauge is that of the harbour",
		"Locks: never nest them in the same file": "Locks: never nest them in the same file",
	} {
		if got := Bare(s); got != want {
			t.Errorf("%q is %q bare, want %q", s, got, want)
		}
	}
	if !Circumstance("Before the first ship of the day") || Circumstance("Before the first ship, the lock opens") || Circumstance("The lock opens before the first ship") {
		t.Error("a circumstance without a main clause is not recognised")
	}
	if !Circumstance("When a ship is late, the lock") {
		t.Error("a circumstance with the beginning of a main clause is not recognised")
	}
	if !Dangles(prose.Words("Why this stops at night")) || Dangles(prose.Words("Why the gauge stops at night")) {
		t.Error("a question whose subject stands elsewhere is not recognised")
	}
	if !Dangles(prose.Words("These are wrong")) || Dangles(prose.Words("Limits are wrong")) {
		t.Error("a subject in another sentence is not recognised")
	}
}

// TestShortened: what is added at the end of a sentence goes, what would change it stays.
func TestShortened(t *testing.T) {
	for s, want := range map[string]string{
		"The tide table of the outer harbour is read at night, risking a wrong level of the whole lock until the next day":                  "The tide table of the outer harbour is read at night",
		"The office of the harbour reads the tide tables, but the gauge of the lock still asks for the level of the day before":             "The office of the harbour reads the tide tables",
		"The lock of the outer harbour shares its level with the `gauge` for the whole of the night in which the office is closed":          "",
		"It would work to read the tide tables, but the gauge of the lock still asks for the level of the day that went before it":          "",
		"The office reads levels, names, keys, and whatever else the gauges of the outer harbour happen to send in the course of the night": "",
		"The gauge of the lock never sends the level of the outer harbour if the office is closed at the time at which it is to be read":    "",
		"The gauge of the outer lock never sends its levels during the storms that come from the west and last for longer than a day":       "",
		"The office of the harbour does the whole of the reading, caching and logging of the tide tables that come from the gauges":         "",
		"Why is the level of the outer harbour read at night, rather than being sent by the gauge of the lock once in an hour or so?":       "",
	} {
		if got := Shortened(s, 100); got != want {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	}
}

// TestSubjectless: what begins with its verb is about something that stands above it,
// unless it is an order.
func TestSubjectless(t *testing.T) {
	for s, want := range map[string]bool{
		"Does NOT call `notify`":                   true,
		"Should block with a message":              true,
		"Uses `TIDE_KEY` to sign in":               true,
		"Allows both gauges to sleep":              true,
		"Only prints the level":                    true,
		"To accept the key and hand it on":         true,
		"Installs gauges and generates their keys": true,
		"Verifies old gauges are reset":            true,
		"Hooks run after every tide":               false,
		"Calls to the store are slow":              false,
		"To rotate the key, stop the gauge":        false,
		"Tests of the gauge need a harbour":        false,
		"Locks are held until the gauge wakes":     false,
		"Use `TIDE_KEY` to sign in":                false,
		"Is the gauge asleep?":                     false,
		"The gauge should block with a message":    false,
		"Never call `notify` while it is dark":     false,
		"Prints":                                   false,
		"Always keep the lock":                     false,
		"Retries are counted in the harbour's log": false,
	} {
		if got := Subjectless(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

// TestStates: a title states something, or orders it; a noun with brackets does not.
func TestStates(t *testing.T) {
	for s, want := range map[string]bool{
		"File existence checks (`exists()`, `stat()`)":         false,
		"New SDK initialization (`core` or `single`)":          false,
		"Root cause: `src/segments/path.go:73` (default path)": false,
		"Tide transitions":                                 false,
		"The store keeps one file a day":                   true,
		"`Open` captures the tide at the time of the call": true,
		"Readings are kept for a day":                      true,
		"Never retry after a timeout":                      true,
		"Scale the shade with the width":                   true,
		"The reader must hold the lock":                    true,
	} {
		if got := States(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}
