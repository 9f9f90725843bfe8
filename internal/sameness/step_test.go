package sameness_test

import (
	"testing"

	"github.com/git-cortex/cortex/internal/sameness"
)

func TestSameStep(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"Add alert rules", "add alert rules.", true},
		{"Insert one outbox row per crossing", "Insert outbox rows", true},
		{"Move the old readings over to segments", "move the old readings over", true},
		{"Write the reader", "Delete the flat files", false},
		{"Pass the class", "Passes", false},
	} {
		if got := sameness.SameStep(tt.a, tt.b) >= sameness.StepAlike; got != tt.want {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
	}
}
