package sentence

import "testing"

// TestPoint: of a sentence that leads up to its point the point can stand alone.
func TestPoint(t *testing.T) {
	for s, want := range map[string]string{
		"One more gap surfaced in the recovery: the export needs a day of its own": "the export needs a day of its own",
		"I see the issue - the gauge reads the old table of the harbour":           "the gauge reads the old table of the harbour",
		"`a: the first table is an old one` of all":                                "",
		"The harbour has two parts: gauges and locks":                              "",
		"There is one trap: it never wakes up again at night":                      "",
		"There is one trap: if it sleeps, the gauge never wakes up":                "",
	} {
		if got := Point(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"I'll push a branch of it, because the rules of the harbour do not allow the main line": "the rules of the harbour do not allow the main line",
		"I'll push a branch of it because it is late":                                           "",
		"I'll push a branch of it":                                                              "",
	} {
		if got := Reason(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// TestSettled: what the writer does about it is no part of what they found.
func TestSettled(t *testing.T) {
	for s, want := range map[string]string{
		"The hook of the gauge is stale; I'm removing it now.":        "The hook of the gauge is stale.",
		"The gauge sleeps at night, so I’ll poll it in the morning.":  "The gauge sleeps at night.",
		"The gauge sleeps at night, so it is polled in the morning.":  "The gauge sleeps at night, so it is polled in the morning.",
		"I see; I'm removing it now.":                                 "I see; I'm removing it now.",
		"The table says `no; I'm late` and nothing else at all today": "The table says `no; I'm late` and nothing else at all today",
	} {
		if got := Settled(s); got != want {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	}
}

// TestBare: what leads over from the sentence before is no part of a statement.
func TestBare(t *testing.T) {
	for s, want := range map[string]string{
		"One thing to be aware of: the export takes the lock": "the export takes the lock",
		"One gauge never wakes: the export takes the lock":    "One gauge never wakes: the export takes the lock",
		"I see that the gauge sleeps at night":                "the gauge sleeps at night",
		"No — and that's what the office said":                "that's what the office said",
		"No — nothing of it is kept":                          "nothing of it is kept",
		"I see the gauge":                                     "I see the gauge",
	} {
		if got := Bare(s); got != want {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	}
	if got := withoutBrackets("The check failed on (the file) `.tide/gauge.go` (late)."); got != "The check failed on `.tide/gauge.go`." {
		t.Errorf("without brackets: %q", got)
	}
	if got := withoutBrackets("The check failed on (the file) .tide/gauge.go , and on no other ."); got != "The check failed on .tide/gauge.go, and on no other." {
		t.Errorf("without brackets: %q", got)
	}
}
