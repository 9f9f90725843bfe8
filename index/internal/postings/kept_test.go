package postings

import (
	"slices"
	"strconv"
	"testing"
)

// TestKept: what is in use stays, what is not makes room, and the bound holds.
func TestKept(t *testing.T) {
	const most = 20
	k := NewKept(most)
	term := func(n int) Term { return Term{Stem, strconv.Itoa(n)} }
	size := func() int {
		n := 0
		for _, m := range []map[Term][]Hit{k.now, k.old} {
			for _, hits := range m {
				n += len(hits) + 1
			}
		}
		return n
	}
	used := []Hit{{Item: 1}, {Item: 2}, {Item: 3}}
	k.Put(term(0), used)
	for i := 1; i < 50; i++ {
		if got, ok := k.Get(term(0)); !ok || !slices.Equal(got, used) {
			t.Fatalf("what is used is gone after %d: %v, %v", i, got, ok)
		}
		k.Put(term(i), used[:2])
		if size() > most {
			t.Fatalf("%d hits are kept", size())
		}
	}
	if _, ok := k.Get(term(1)); ok {
		t.Error("what was used never is kept")
	}
	k.Put(term(100), make([]Hit, most))
	if _, ok := k.Get(term(100)); ok {
		t.Error("what is too large is kept")
	}
	for i := 200; i < 300; i++ {
		k.Put(term(i), nil)
	}
	if len(k.now)+len(k.old) > most {
		t.Errorf("%d empty ones are kept", len(k.now)+len(k.old))
	}
	var none *Kept
	none.Put(term(1), nil)
	if _, ok := none.Get(term(1)); ok {
		t.Error("nothing keeps something")
	}
}
