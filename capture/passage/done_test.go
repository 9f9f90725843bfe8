package passage

import (
	"testing"
	"time"
)

// TestOnlyDone: what only says that something was done, or how far the work is, is a deed;
// what gives a reason or a limit is none.
func TestOnlyDone(t *testing.T) {
	for s, want := range map[string]bool{
		"Updated the docs":                         true,
		"`a.go` — added a check":                   true,
		"Tide store: Added `Open`":                 true,
		"2. Renamed the flag":                      true,
		"All tests pass":                           true,
		"Only the two pages were touched":          true,
		"Spawning two agents in parallel...":       true,
		"The run is queued at the build server":    true,
		"Nothing outside of the store was touched": true,
		"Feature shipped on branch `feat/tides`, two commits, main untouched":           true,
		"No full test suite run; docs-only change":                                      true,
		"You're unblocked — `npm run tides` will work now":                              true,
		"No blockers hit; nothing in the plan of the tides was contradicted":            true,
		"The gauges report again and the errors have stopped":                           true,
		"`cd src && go build ./...` → clean, confirming that `src/` wasn't touched":     true,
		"Root cause pinned, reply posted to #12, and the second trigger now closed too": true,
		"No remaining issues requiring changes: the linter passes":                      true,

		"`TestTides_AtNight` - Same without a harbour":                   true,
		"The CI run of the tides is green, because the gauge sleeps now": true,
		"This PR is safe to merge, no gauge fails in it":                 true,
		"A CI run fails without the key of the gauge":                    false,

		"The pipeline is triggered only by tags, because no push may deploy a gauge": false,
		"The branch must stay, because a check that passed on it opens the lock":     false,
		"`TestTides` fails on Windows, because its clock has no milliseconds":        false,
		"TestTides builds of a gauge expire after 90 days, so never link to them":    false,

		"Never open the lock before the tests pass": false,
		"The gauge is complete":                     true,
		"Pending tasks: none":                       true,
		"Fixed — one line of the list of gauges":    true,

		"`DeleteGauge(name)` - Remove a gauge with all of its levels and its page":             true,
		"Fixed — the gauge fails without its lock":                                             false,
		"The test of the gauge is implemented exactly as specified":                            true,
		"Verify the levels of the gauge on the page of the harbour":                            true,
		"`gauge.go` - Add a lock around the levels of a whole night":                           true,
		"`gauge.go` - the lock is held for a whole night by it":                                false,
		"`main` now matches `origin/main`, and the tides are in it":                            true,
		"The two errors of the gauge are pre-existing on this one":                             true,
		"The tide change was already merged last week":                                         true,
		"`TestTides_AtNight` — the levels of a whole night":                                    true,
		"Tests of the gauge need a harbour":                                                    false,
		"`main` holds the tables of the harbour":                                               false,
		"The tide page will work once the store is rebuilt, because it reads the index":        false,
		"No gauge may be read before its lock is taken":                                        false,
		"The working tree stays as it is, because nothing is checked out":                      false,
		"Removed the cache because it was stale":                                               false,
		"`a.go` — never added twice":                                                           false,
		"The tide store keeps one file a day":                                                  false,
		"Shared files need a lock":                                                             false,
		"Encrypted readings are kept for a day":                                                false,
		"Renamed the flag, and the old name still works with a warning until the next release": false,
	} {
		if got := OnlyDone(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

// TestOpened: the text of a memory begins so that it can be read alone.
func TestOpened(t *testing.T) {
	for md, want := range map[string]string{
		"Wait, the fixtures must not go into the repository because they are too large.":                                 "The fixtures must not go into the repository because they are too large.",
		"## Tide cache\n\nThis is never cleared, because the office publishes at midnight.":                              "Tide cache: This is never cleared, because the office publishes at midnight.",
		"- The tide cache is never cleared, because the harbour office publishes at midnight":                            "The tide cache is never cleared, because the harbour office publishes at midnight",
		"- **Area:** tides\n- **Created:** 2026-02-21 (today)\n\nThe tide cache is never cleared.":                       "The tide cache is never cleared.",
		"I wrote the review of it.\n\nThe tide cache is never cleared.":                                                  "The tide cache is never cleared.",
		"I have written the review of it to the page. I reviewed all of the gauges.\n\nThe tide cache is never cleared.": "The tide cache is never cleared.",
		"I see. The tide cache is never cleared, because the harbour office sleeps.":                                     "The tide cache is never cleared, because the harbour office sleeps.",
	} {
		units := Of(md, Handover, 0, time.Time{}, nil)
		if len(units) != 1 {
			t.Fatalf("%q: %d units", md, len(units))
		}
		if got := units[0].Opened(units[0].Told()); got != want {
			t.Errorf("%q became %q, want %q", md, got, want)
		}
	}
}

// TestChores: what stands under a heading of chores is no part of a memory.
func TestChores(t *testing.T) {
	md := "# Tide cache\n\n## Problem\n\nThe tide cache is never cleared.\n\n## Acceptance Criteria\n\n- The cache is cleared at night\n\n## Resources\n\n- Report of the harbour office\n"
	units := Of(md, Document, 0, time.Time{}, nil)
	if len(units) != 1 || units[0].Whole() != "The tide cache is never cleared." {
		t.Errorf("%d units: %+v", len(units), units)
	}
}

// TestIntends: a list of steps is a plan of its writer's own; one of facts is none.
func TestIntends(t *testing.T) {
	for md, want := range map[string]bool{
		"The approach:\n\n- Delete `gauge.go`\n- Update the index of it\n- The page stays":  true,
		"What holds:\n\n- The gauge is deleted\n- The index stays\n- Never update the page": false,
	} {
		units := Of(md, Middle, 0, time.Time{}, nil)
		if len(units) != 1 || units[0].Intends() != want {
			t.Errorf("%q: %d units, want intends %v", md, len(units), want)
		}
	}
}

// TestPointed: of a sentence that begins with what its writer is about to do, the memory has
// what it says beside that.
func TestPointed(t *testing.T) {
	for s, want := range map[string]string{
		"I'm going to make the gauge fail closed: the shared list of harbours never allows a push.": "The shared list of harbours never allows a push.",
		"I'll push this on a branch, because the harbour office does not allow the main line.":      "The harbour office does not allow the main line.",
		"The gauge fails closed: the shared list of harbours never allows a push.":                  "The gauge fails closed: the shared list of harbours never allows a push.",
		"I'll use one lock instead of two because it is enough.":                                    "I'll use one lock instead of two because it is enough.",
	} {
		if got := pointed(s); got != want {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	}
	p := Passage{Items: []string{"`gauge.go`", "Line 78", "The gauge sleeps", "Keys expire", "Pros: one list of gauges Cons: one more lock Effort: small", "水位计在夜间休眠"}, Text: ""}
	if got, want := p.telling(), "The gauge sleeps\nKeys expire\n水位计在夜间休眠"; got != want {
		t.Errorf("a list tells %q, want %q", got, want)
	}
}
