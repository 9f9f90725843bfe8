package recipe

import (
	"testing"

	"github.com/git-cortex/cortex/capture/transcript"
)

func TestFailureKey(t *testing.T) {
	for _, tt := range []struct{ line, output, want string }{
		{"make gauge", "make: *** No rule to make target 'gauge'.  Stop.", "make gauge: make: *** no rule to make target #. stop"},
		{"cd sub && make gauge", "make: *** No rule to make target 'gate'.  Stop.", "make gauge: make: *** no rule to make target #. stop"},
		{"pytest", "FAILED", ""},
		{"make gauge", "Exit code 2", ""},
	} {
		if got := failureKey(tt.line, tt.output); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.line, tt.output, got, tt.want)
		}
	}
	a := failureKey("go vet ./a", "a/x.go:7:2: undefined: gauge")
	if b := failureKey("go vet ./b", "open b: permission denied"); a == b {
		t.Errorf("two errors have one key: %q", a)
	}
}

// TestCorrections: an agent that is stopped at several calls is corrected once.
func TestCorrections(t *testing.T) {
	var o Outcomes
	n := 0
	for _, e := range []transcript.Event{
		{Kind: transcript.Prompt},
		{Kind: transcript.Result, Refused: true},
		{Kind: transcript.Result, Refused: true},
		{Kind: transcript.Interrupt},
		{Kind: transcript.Prompt},
		{Kind: transcript.Text},
		{Kind: transcript.Interrupt},
	} {
		c, _ := o.Event(&e)
		n += c
	}
	if n != 2 {
		t.Errorf("%d corrections, want 2", n)
	}
}
