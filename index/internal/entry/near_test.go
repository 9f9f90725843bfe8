package entry

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNearest: what is counted comes in the order in which it would be sorted.
func TestNearest(t *testing.T) {
	const most = 64
	r := rand.New(rand.NewPCG(2, 9))
	for _, n := range []int{0, 1, most, 5 * most} {
		all := make([]Near, n)
		for i := range all {
			all[i] = Near{int32(i), int32(r.IntN(Lanes + 1))}
		}
		want := slices.Clone(all)
		slices.SortStableFunc(want, func(a, b Near) int { return cmp.Compare(b.Lanes, a.Lanes) })
		want = want[:min(n, most)]
		if got := Nearest(all, most); !slices.Equal(got, want) {
			t.Errorf("of %d: %v, not %v", n, got, want)
		}
	}
}
