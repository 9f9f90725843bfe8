package memory

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// centralities are those that are not 0, by id.
func centralities(view []Linked) map[ID]float64 {
	out := map[ID]float64{}
	for i, c := range Centralities(view) {
		if c > 0 {
			out[view[i].ID] = c
		}
	}
	return out
}

func TestCentralities(t *testing.T) {
	id := func(c byte) ID {
		out := make([]byte, 16)
		for i := range out {
			out[i] = c
		}
		return ID(out)
	}
	linked := func(from byte, links ...Link) Linked { return Linked{id(from), links} }
	to := func(rel Rel, c byte) Link { return Link{Rel: rel, To: id(c)} }
	for _, c := range []struct {
		name string
		view []Linked
		want map[ID]float64
	}{
		{"no links", []Linked{linked('a'), linked('b')}, map[ID]float64{}},
		{"one link", []Linked{linked('a'), linked('b', to(Refines, 'a'))}, map[ID]float64{id('a'): 1.0 / 4}},
		{"three links", []Linked{linked('a'), linked('b', to(Refines, 'a')), linked('c', to(BuildsOn, 'a')), linked('d', to(RelatesTo, 'a'))}, map[ID]float64{id('a'): 0.5}},
		{"one that links twice counts half for each", []Linked{linked('a'), linked('b'), linked('c', to(Refines, 'a'), to(Refines, 'b'))}, map[ID]float64{id('a'): 0.5 / 3.5, id('b'): 0.5 / 3.5}},
		{"the same link twice counts once", []Linked{linked('a'), linked('b', to(Refines, 'a'), to(RelatesTo, 'a'))}, map[ID]float64{id('a'): 1.0 / 4}},
		{"a chain", []Linked{linked('a'), linked('b', to(Refines, 'a')), linked('c', to(Refines, 'b'))}, map[ID]float64{id('a'): 1.5 / 4.5, id('b'): 1.0 / 4}},
		{"a replacement inherits", []Linked{linked('a'), linked('b', to(Refines, 'a')), linked('c', to(Supersedes, 'a'))}, map[ID]float64{id('a'): 1.0 / 4, id('c'): 1.5 / 4.5}},
		{"contradiction lends nothing", []Linked{linked('a'), linked('b', to(Contradicts, 'a'))}, map[ID]float64{}},
		{"to itself and to nothing", []Linked{linked('a', to(Refines, 'a'), to(Refines, 'z'))}, map[ID]float64{}},
		{"a circle", []Linked{linked('a', to(RelatesTo, 'b')), linked('b', to(RelatesTo, 'a'))}, map[ID]float64{id('a'): 2.0 / 5, id('b'): 2.0 / 5}},
	} {
		got := centralities(c.view)
		if diff := cmp.Diff(c.want, got, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-8 })); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, diff)
		}
	}
}

// TestCentralitiesOrder: bit for bit the same in whatever order the view is, and
// never 1.
func TestCentralitiesOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	view := make([]Linked, 400)
	for i := range view {
		view[i].ID = NewID(Learned, string(rune(0x4e00+i)), "")
		for range r.IntN(4) {
			view[i].Links = append(view[i].Links, Link{Rel: Rels()[r.IntN(len(Rels()))], To: view[r.IntN(i+1)].ID})
		}
	}
	want := centralities(view)
	for range 5 {
		r.Shuffle(len(view), func(i, j int) { view[i], view[j] = view[j], view[i] })
		if diff := cmp.Diff(want, centralities(view)); diff != "" {
			t.Fatalf("in another order: %s", diff)
		}
	}
	for id, c := range want {
		if c <= 0 || c >= 1 {
			t.Errorf("%s has %v", id, c)
		}
	}
}
