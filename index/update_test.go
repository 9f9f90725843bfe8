package index

import (
	"context"
	"fmt"
	"testing"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
)

// TestAdvance holds that an index is made in slices, each of which stays, and that
// a bounded answer is from what is there and from the newest of the rest.
func TestAdvance(t *testing.T) {
	var list []*memory.Memory
	for i := range 10 {
		list = append(list, memo(memory.Learned, fmt.Sprintf("Gauge %d", i), "A gauge and a level.", func(m *memory.Memory) {
			m.Created = testNow.AddDate(0, 0, -i).UTC()
		}))
	}
	s := newShelf(t, list...)
	q := query.Parse("gauge", testNow)
	matches := func(overlay int) (total, lacking int) {
		t.Helper()
		r, err := Open(s.index.opt).Search(context.Background(), s.view, q, SearchOptions{Overlay: overlay})
		if err != nil {
			t.Fatal(err)
		}
		return r.Total, r.Overlay
	}
	if err := s.index.Flush(); err != nil {
		t.Fatal(err)
	}
	for call, want := range []int{4, 4, 2, 0} {
		if n, err := s.index.Advance(context.Background(), s.view, 4); n != want || err != nil {
			t.Errorf("call %d added %d, %v; want %d", call, n, err, want)
		}
		there := min(4*(call+1), len(list))
		if total, lacking := matches(1); total != min(there+1, len(list)) || lacking != len(list)-there {
			t.Errorf("after call %d, %d match and %d are lacking", call, total, lacking)
		}
		if total, _ := matches(0); total != len(list) {
			t.Errorf("after call %d, %d match without a bound", call, total)
		}
	}
}
