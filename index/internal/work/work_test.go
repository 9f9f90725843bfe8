package work

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
)

func TestShare(t *testing.T) {
	done := make([]atomic.Int32, 100)
	Share(len(done), func(next func() (int, bool)) {
		for i, ok := next(); ok; i, ok = next() {
			done[i].Add(1)
		}
	})
	for i := range done {
		if n := done[i].Load(); n != 1 {
			t.Errorf("%d was done %d times", i, n)
		}
	}
	failed := errors.New("no")
	err := ShareErr(100, func(next func() (int, bool)) error {
		for i, ok := next(); ok; i, ok = next() {
			if i == 50 {
				return failed
			}
		}
		return nil
	})
	if !errors.Is(err, failed) {
		t.Errorf("the error is %v", err)
	}
}

func TestBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		list := make([]int, r.IntN(40))
		for i := range list {
			list[i] = r.IntN(1000)
		}
		n := r.IntN(20)
		want := slices.Sorted(slices.Values(list))
		want = want[:min(n, len(want))]
		if got := Best(list, n, cmp.Compare[int]); !slices.Equal(got, want) {
			t.Fatalf("the best %d are %v, want %v", n, got, want)
		}
	}
}
