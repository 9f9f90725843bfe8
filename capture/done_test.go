package capture

import (
	"strings"
	"testing"
)

// TestOnlyDone: what only says that something was done, or how far the work is, is a deed;
// what gives a reason or a limit is none.
func TestOnlyDone(t *testing.T) {
	for s, want := range map[string]bool{
		"Updated the docs":                                                true,
		"`a.go` — added a check":                                          true,
		"Tide store: Added `Open`":                                        true,
		"2. Renamed the flag":                                             true,
		"All tests pass":                                                  true,
		"Only the two pages were touched":                                 true,
		"Spawning two agents in parallel...":                              true,
		"The run is queued at the build server":                           true,
		"Nothing outside of the store was touched":                        true,
		"The working tree stays as it is, because nothing is checked out": false,
		"Removed the cache because it was stale":                          false,
		"`a.go` — never added twice":                                      false,
		"The tide store keeps one file a day":                             false,
		"Shared files need a lock":                                        false,
		"Encrypted readings are kept for a day":                           false,
		"Renamed the flag, and the old name still works with a warning until the next release": false,
	} {
		if got := onlyDone(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

// TestWithoutDeeds: a memory is titled by a sentence that states something, and its
// text leaves out what was done beside it.
func TestWithoutDeeds(t *testing.T) {
	md := "## Root cause\n\nAll tests pass.\n\n- `store.go` — added a check\n- The exporter drops a row when two writers share a batch, because `export.go` reads the cursor before the lock is taken\n- Updated the docs\n"
	units := passagesOf(md, placeHandover, 0, now(), nil)
	if len(units) != 1 {
		t.Fatalf("%d units", len(units))
	}
	d := draftOf(&units[0])
	d.word()
	if want := "The exporter drops a row when two writers share a batch"; d.title != want {
		t.Errorf("title %q, want %q", d.title, want)
	}
	if want := "The exporter drops a row when two writers share a batch, because `export.go` reads the cursor before the lock is taken"; d.text != want && d.text != "- "+want {
		t.Errorf("text %q, want %q", d.text, want)
	}
	nothing := passagesOf("## What changed\n\n- Updated the docs\n- `store.go` — added a check\n- Renamed the flag\n", placeHandover, 0, now(), nil)
	for i := range nothing {
		if d := draftOf(&nothing[i]); true {
			d.conf = 0.8
			if d.word(); d.conf > confUntitled {
				t.Errorf("deeds alone are kept at %v: %q", d.conf, d.text)
			}
		}
	}
}

// TestLandsNoDeed: a memory whose best title is a deed waits for a reader, however good
// the rest is.
func TestLandsNoDeed(t *testing.T) {
	units := passagesOf("Nothing outside of the `tide` store was touched by this change of the harbour gauges. Only the gauges of the outer harbour files were touched.", placeHandover, 0, now(), nil)
	if len(units) != 1 {
		t.Fatalf("%d units", len(units))
	}
	d := draftOf(&units[0])
	d.conf = 0.9
	if d.word(); d.conf >= confLands {
		t.Errorf("%q would land at %v", d.title, d.conf)
	}
}

// TestTitleOfWords: of what a person says the title is what they want from now on, not
// the work they ask for.
func TestTitleOfWords(t *testing.T) {
	for words, want := range map[string]string{
		"You can comment on the issue for me. I prefer a proper explanation without guesses": "I prefer a proper explanation without guesses",
		"It is copied on purpose. We keep the old name in the config":                        "We keep the old name in the config",
		"Move to the next phase":                                 "",
		"I want you to rework the commits before the next item":  "",
		"Never push to main without asking, please check it now": "Never push to main without asking, please check it now",
	} {
		if got := titleOfWords(words); got != want {
			t.Errorf("%q: title %q, want %q", words, got, want)
		}
	}
}

// TestAnswered: an answer in the user's own words is titled by a whole sentence of
// them, or by what was asked.
func TestAnswered(t *testing.T) {
	for _, x := range [][3]string{
		{"Tides", "hmm, lets keep the tide tables of all the harbours in one file, because that is the one of which we have a backup", "Tides: lets keep the tide tables of all the harbours in one file"},
		{"Tides", "it would depend on how the tables are read and on how much of all that which they hold is at some point made anew by somebody else", "Tides: Where do the tables go?"},
		{"", "We keep the tables", "We keep the tables"},
	} {
		if got := fitted(answered(x[0], "Where do the tables go?", x[1])); !strings.EqualFold(got, x[2]) {
			t.Errorf("%q is titled %q, want %q", x[1], got, x[2])
		}
	}
}

// TestOpened: the text of a memory begins so that it can be read alone.
func TestOpened(t *testing.T) {
	for md, want := range map[string]string{
		"Wait, the fixtures must not go into the repository because they are too large.":      "The fixtures must not go into the repository because they are too large.",
		"## Tide cache\n\nThis is never cleared, because the office publishes at midnight.":   "Tide cache: This is never cleared, because the office publishes at midnight.",
		"- The tide cache is never cleared, because the harbour office publishes at midnight": "The tide cache is never cleared, because the harbour office publishes at midnight",
		"I see. The tide cache is never cleared, because the harbour office sleeps.":          "The tide cache is never cleared, because the harbour office sleeps.",
	} {
		units := passagesOf(md, placeHandover, 0, now(), nil)
		if len(units) != 1 {
			t.Fatalf("%q: %d units", md, len(units))
		}
		if got := units[0].opened(units[0].told()); got != want {
			t.Errorf("%q became %q, want %q", md, got, want)
		}
	}
}
