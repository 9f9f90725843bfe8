package sameness_test

import (
	"math"
	"testing"

	"github.com/git-cortex/cortex/internal/sameness"
)

func TestJaccard(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want float64
	}{
		{"", "", 0},
		{"the of and", "to in", 0},
		{"use flock for locking", "Use FLOCK for locking!", 1},
		{"the index is rebuilt", "index rebuilt", 1},
		{"index rebuilt nightly", "index rebuilt", 2.0 / 3},
		{"alpha beta", "gamma delta", 0},
		{"retry 5 times", "retry 8 times", 0.5}, // the numbers are what differs
		{"read_file in go", "read file in go", 1.0 / 4},
		{"検索索引", "検索索引", 1},
		{"検索索引", "検索", 1.0 / 3},
		{"GRÖSSE ändern", "grösse Ändern", 1},
	} {
		a, b := sameness.Signature(tt.a), sameness.Signature(tt.b)
		if got := sameness.Jaccard(a, b); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%q and %q: %v, want %v", tt.a, tt.b, got, tt.want)
		}
		if sameness.Jaccard(a, b) != sameness.Jaccard(b, a) {
			t.Errorf("%q and %q: the order matters", tt.a, tt.b)
		}
	}
	if sameness.Jaccard(sameness.Signature("one", "two"), sameness.Signature("one two")) != 1 {
		t.Error("texts are not taken together")
	}
}
