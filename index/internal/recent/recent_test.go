package recent

import (
	"slices"
	"testing"
)

// TestKept: what is in use stays, what is not makes room, and the bound holds.
func TestKept(t *testing.T) {
	const most = 20
	k := New[int, byte](most)
	size := func() int {
		n := 0
		for _, m := range []map[int][]byte{k.now, k.old} {
			for _, list := range m {
				n += len(list) + 1
			}
		}
		return n
	}
	k.Put(0, []byte("used"))
	for i := 1; i < 50; i++ {
		if got, ok := k.Get(0); !ok || !slices.Equal(got, []byte("used")) {
			t.Fatalf("what is used is gone after %d: %q, %v", i, got, ok)
		}
		k.Put(i, []byte("ab"))
		if size() > most {
			t.Fatalf("%d elements are kept", size())
		}
	}
	if _, ok := k.Get(1); ok {
		t.Error("what was used never is kept")
	}
	k.Put(100, make([]byte, most))
	if _, ok := k.Get(100); ok {
		t.Error("what is too large is kept")
	}
	for i := 200; i < 300; i++ {
		k.Put(i, nil)
	}
	if len(k.now)+len(k.old) > most {
		t.Errorf("%d empty ones are kept", len(k.now)+len(k.old))
	}
	var none *Kept[int, byte]
	none.Put(1, nil)
	if _, ok := none.Get(1); ok {
		t.Error("nothing keeps something")
	}
}
