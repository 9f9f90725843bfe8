package hub

import (
	"testing"
	"time"
)

// TestViews: those that were not used for longest go where there are too many bytes, the last one stays whatever it
// has, and none lives longer than its time.
func TestViews(t *testing.T) {
	now := time.Unix(0, 0)
	v := Views[string, int]{Max: 100}
	known := func(name string) bool { _, ok := v.Get(name, now); return ok }
	v.Put("a", 1, 40, now)
	v.Put("b", 2, 40, now)
	v.Put("a", 3, 60, now) // in place of the other one
	if got, _ := v.Get("a", now); got != 3 || !known("b") {
		t.Errorf("a is %d, and b is known: %t", got, known("b"))
	}
	known("a")
	if v.Put("c", 4, 40, now); known("b") || !known("a") || !known("c") {
		t.Error("another one went than that which was not used for longest")
	}
	if v.Put("d", 5, 1000, now); known("a") || known("c") || !known("d") {
		t.Error("the last one does not stay alone")
	}
	if now = now.Add(viewTime); known("d") {
		t.Error("a view outlives its time")
	}
	v.Put("e", 6, 1, now)
	if v.Clear(); known("e") {
		t.Error("a view outlives all")
	}
}
