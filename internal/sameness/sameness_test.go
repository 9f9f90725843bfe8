package sameness_test

import (
	"testing"

	"github.com/git-cortex/cortex/internal/sameness"
)

// TestLevels: each bound of a level is asked for, and one of 0 asks for nothing.
func TestLevels(t *testing.T) {
	a, b := sameness.Signature("alpha beta gamma delta"), sameness.Signature("alpha beta gamma epsilon zeta eta")
	for _, tt := range []struct {
		level sameness.Level
		want  bool
	}{
		{sameness.Level{}, true},
		{sameness.Level{Shared: 3}, true},
		{sameness.Level{Shared: 4}, false},
		{sameness.Level{Jaccard: 3.0 / 7}, true},
		{sameness.Level{Jaccard: 0.5}, false},
		{sameness.Level{Inside: 0.75}, true},
		{sameness.Level{Inside: 0.8}, false},
		{sameness.Level{Shared: 3, Inside: 0.8}, false},
	} {
		if got := tt.level.Met(a, b); got != tt.want {
			t.Errorf("%+v: %v", tt.level, got)
		}
	}
	if (sameness.Level{Inside: 0.75}).Met(b, a) {
		t.Error("Inside is the share of the first text")
	}
}

func TestWithin(t *testing.T) {
	whole := sameness.Signature("one two three four five six seven eight nine ten eleven twelve")
	for text, want := range map[string]bool{
		"one two three":       false, // too short to tell
		"one two three four":  true,
		"one two three other": false,
		"one two three four five six seven eight nine ten eleven other": true,
	} {
		if got := sameness.Within(sameness.Signature(text), whole); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
