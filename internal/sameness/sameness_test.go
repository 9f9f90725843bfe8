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

// TestRepeats: what repeats another text says nothing new, and a short one says the very same.
func TestRepeats(t *testing.T) {
	long := "The FUSE mount drops its cache entry for a renamed file before the kernel asks for its attributes again, so Finder shows both."
	for _, tt := range []struct {
		kept, gone string
		want       bool
	}{
		{"Landed by a script.", "landed by a script", true},
		{"Landed by a script.", "Landed by a script of a newer git.", false},
		{"Landed by a line of the team.", "Landed once by a line of the team.", false},
		{"Landed by a script of a newer git.", "Landed by a script.", false}, // too short to tell
		{long, long, true},
		{long + " It was seen on macOS 15.", "the FUSE mount drops its cache entry for a renamed file before the kernel asks for its attributes again", true},
		{long, "The FUSE mount drops its cache entry for a renamed folder before the kernel asks for its attributes again", false},
		{long, "The FUSE mount never drops its cache entry for a renamed file before the kernel asks for its attributes again", false},
		{long, long + " It was seen on macOS 15.", false},
	} {
		if got := sameness.Repeats(tt.kept, tt.gone); got != tt.want {
			t.Errorf("%q repeats %q: %v", tt.gone, tt.kept, got)
		}
	}
}
