package index

import (
	"context"
	"fmt"
	"testing"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
)

// TestAdvance holds that an index is made in slices, each of which stays, and that
// an answer is whole meanwhile.
func TestAdvance(t *testing.T) {
	var list []*memory.Memory
	for i := range 10 {
		list = append(list, memo(memory.Learned, fmt.Sprintf("Gauge %d", i), "A gauge and a level.", func(m *memory.Memory) {
			m.Created = testNow.AddDate(0, 0, -i).UTC()
		}))
	}
	s := newShelf(t, list...)
	q := query.Parse("gauge", testNow)
	matches := func() (total, lacking int) {
		t.Helper()
		r, err := Open(s.index.opt).Search(context.Background(), s.view, q, SearchOptions{})
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
		if total, lacking := matches(); total != len(list) || lacking != len(list)-there {
			t.Errorf("after call %d, %d match and %d are lacking", call, total, lacking)
		}
	}
}

// TestSearchLearnsFirst: of an index that lacks many memories a search makes the index
// and answers from it, and the answer is the one it gives without.
func TestSearchLearnsFirst(t *testing.T) {
	var list []*memory.Memory
	for i := range 20 {
		list = append(list, memo(memory.Learned, fmt.Sprintf("Gauge %d", i), "A gauge and a level.", func(m *memory.Memory) {
			m.Created = testNow.AddDate(0, 0, -i).UTC()
		}))
	}
	s := newShelf(t, list...)
	q := query.Parse("gauge", testNow)
	look := func(x *Index, learn int) *Result {
		t.Helper()
		r, err := x.Search(t.Context(), s.view, q, SearchOptions{Learn: learn, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if err := s.index.Flush(); err != nil {
		t.Fatal(err)
	}
	want := look(s.index, 20)
	if want.Overlay != 20 || s.index.State().Docs != 0 {
		t.Errorf("of few memories %d were indexed, and %d looked at beside", s.index.State().Docs, want.Overlay)
	}
	lock, err := s.index.folder().Lock()
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatal("the lock is taken:", err)
	}
	if busy := look(Open(s.index.opt), 19); busy.Overlay != 20 || busy.Total != want.Total {
		t.Errorf("while another process is writing, %d match and %d are looked at beside", busy.Total, busy.Overlay)
	}
	_ = lock.Close()
	got := look(s.index, 19)
	if got.Overlay != 0 || s.index.State().Docs != 20 {
		t.Errorf("of many memories %d were indexed, and %d looked at beside", s.index.State().Docs, got.Overlay)
	}
	for i := range want.Hits {
		if got.Hits[i].Memory.ID != want.Hits[i].Memory.ID || got.Hits[i].Score != want.Hits[i].Score {
			t.Errorf("hit %d is %v, and was %v", i, got.Hits[i].Memory.ID, want.Hits[i].Memory.ID)
		}
	}
}
