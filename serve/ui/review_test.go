package ui

import (
	"testing"

	"github.com/git-cortex/cortex/workspace/review"
)

// TestUndoing: what is taken back is the decision that the person saw named, once.
func TestUndoing(t *testing.T) {
	u := newUndoing()
	u.add("a", "Rejected 2 memories", review.Decision{})
	u.add("a", "Rejected 2 memories", review.Decision{})
	u.add("b", "Accepted “x”", review.Decision{})
	_, first := u.last("b")
	if _, ok := u.pull("a", first); ok {
		t.Error("a decision of another repository is taken back")
	}
	_, newest := u.last("a")
	if _, ok := u.pull("a", newest-1); ok {
		t.Error("an older decision is taken back before the newest")
	}
	d, ok := u.pull("a", newest)
	if !ok || d.what != "Rejected 2 memories" {
		t.Fatalf("took %v, %v", d, ok)
	}
	if _, ok := u.pull("a", newest); ok {
		t.Error("a decision is taken back twice")
	}
	u.add("a", "Edited “y”", review.Decision{})
	u.putBack("a", d) // it could not be taken back
	if what, n := u.last("a"); what != "Edited “y”" || n <= newest {
		t.Errorf("the newest is %q, %d", what, n)
	}
	for _, want := range []string{"Edited “y”", "Rejected 2 memories", "Rejected 2 memories", ""} {
		what, n := u.last("a")
		if _, ok := u.pull("a", n); what != want || ok != (want != "") {
			t.Errorf("%q and %v, want %q", what, ok, want)
		}
	}
}
