package index

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVectorFusion(t *testing.T) {
	keyword := []scored{{1, 10}, {2, 8}, {3, 2}}
	vector := []scored{{3, 0.9}, {1, 0.5}, {4, 0.1}}
	for _, c := range []struct {
		alpha float64
		want  []scored
	}{
		{0, []scored{{1, 1}, {2, 0.75}, {3, 0}}},
		{1, []scored{{3, 1}, {1, 0.5}, {4, 0}}},
		{0.5, []scored{{1, 0.75}, {3, 0.5}, {2, 0.375}, {4, 0}}},
		{7, []scored{{3, 1}, {1, 0.5}, {4, 0}}}, // alpha is cut to 0–1
	} {
		got := fuse(keyword, vector, c.alpha)
		near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(scored{}), near); diff != "" {
			t.Errorf("at %v (-want +got):\n%s", c.alpha, diff)
		}
	}
	if got := fuse(nil, nil, 0.5); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	same := []scored{{5, 1}, {2, 1}, {9, 1}} // equals keep the order of items
	if got := fuse(same, same, 0.5); got[0].Item != 2 || got[2].Item != 9 || got[0].Score != got[2].Score {
		t.Errorf("of equals: %v", got)
	}
}

func TestVectorAgreement(t *testing.T) {
	list := func(items ...int32) (out []scored) {
		for i, it := range items {
			out = append(out, scored{it, float64(100 - i)})
		}
		return out
	}
	ten := list(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	for _, c := range []struct {
		vector []scored
		want   float64
	}{
		{ten, 0.3},
		{nil, 0.01},
		{list(9, 20, 21), 0.01},
		{list(20, 9, 8, 7), 0.3 * 2 / 9},
		{list(20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 1, 2, 3), 0.01}, // beyond the first ten
	} {
		if got := agreement(ten, c.vector); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.vector, got, c.want)
		}
	}
}
