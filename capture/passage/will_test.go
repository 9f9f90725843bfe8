package passage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObjects(t *testing.T) {
	for s, want := range map[string]bool{
		"Why is the poller being rewritten, rather than fixed where it fails?": true,
		"why are you still polling every minute?":                              true,
		"Why aren't we using the table of gauges for this?":                    true,
		"why would you write the index twice?":                                 true,
		"Shouldn't this be in the segment file?":                               true,
		"ok but shouldn't we ask the station first?":                           true,
		"did we not go through this before, there is no gauge here":            true,
		"Didn't we agree on one segment a day?":                                true,

		"Why doesn't the gauge poll at night?":                 false, // asks how it works
		"why is the poller slow?":                              false,
		"Why not poll twice a day?":                            false, // a proposal
		"did you not see the log?":                             false,
		"Can you use a table instead of a list?":               false,
		"We poll once a day instead of once an hour.":          false,
		"Isn't that also a segment?":                           false,
		"why does it still work instead of failing loudly?":    false,
		"Should this be in the segment file, or in the index?": false,
	} {
		if got := Objects(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestStands(t *testing.T) {
	for s, want := range map[string]bool{
		"From now on the poller writes UTC.":                       true,
		"Never poll at night.":                                     true,
		"dont forget to close the segment before the rotation":     true,
		"Please note this in memory for future changes of gauges.": true,
		"Poll the gauge once.":                                     false,
		"The memory of the station is full.":                       false,
	} {
		if got := Stands(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// TestRule: a standing rule is a sentence that is understood by itself.
func TestRule(t *testing.T) {
	for s, want := range map[string]string{
		"and never poll the gauge at night":                      "never poll the gauge at night",
		"before making changes, dont forget to switch to main":   "before making changes, dont forget to switch to main",
		"It will also never be set at night":                     "",
		"You can always poll the other gauge":                    "",
		"One thing first: add no dependencies without asking me": "add no dependencies without asking me",
		"Ask me before you delete a station":                     "Ask me before you delete a station",
		"We don't use mocks of the gauge, it lies idle":          "We don't use mocks of the gauge, it lies idle",
		"Bitte lösche keine Station ohne mich zu fragen":         "Bitte lösche keine Station ohne mich zu fragen",
		"Why did you delete it without asking?":                  "",
		"Und in diesem Repository verwenden wir grundsätzlich keine Umlaute in Dateinamen, das alte Archiv kann sie nicht lesen":        "Und in diesem Repository verwenden wir grundsätzlich keine Umlaute in Dateinamen",
		"I would only add it to the build that we need for the page of the harbour office, and never to the program that runs on board": "",
	} {
		if got := Rule(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// TestStatements: each rule and each choice with its reason begins a statement, and what only asks or cheers is none.
func TestStatements(t *testing.T) {
	for _, tt := range []struct{ said, want []string }{
		{[]string{"Never push to the tide branch.", "Always run the gauges before a commit."}, []string{"Never push to the tide branch.", "Always run the gauges before a commit."}},
		{[]string{"The gauge sends twice.", "It is old.", "We chose a ring over a list because it is old."}, []string{"The gauge sends twice. It is old.", "We chose a ring over a list because it is old."}},
		{[]string{"Never log the harbour's address.", "It is private.", "Can you go on?"}, []string{"Never log the harbour's address. It is private."}},
		{[]string{"Two things that always hold here:", "Never trust the clock of the gauge."}, []string{"Never trust the clock of the gauge."}},
	} {
		if diff := cmp.Diff(tt.want, Statements(tt.said)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.said, diff)
		}
	}
}
