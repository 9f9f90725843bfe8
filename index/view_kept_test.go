package index

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/query"
)

// unreadable is a stored index of which nothing can be read any more.
type unreadable struct{ inverted }

func (unreadable) Postings(postings.Field, string, []int32, []postings.Hit) ([]postings.Hit, error) {
	return nil, errors.New("it was read")
}

func (unreadable) Each(int, func(uint32, postings.Name)) { panic("it was gone through") }

// TestViewAgain: of the same memories, a process that lives on neither sorts them anew
// nor reads of the stored index what it has read; of others it does.
func TestViewAgain(t *testing.T) {
	dir, c := t.TempDir(), newCorpus(5)
	writeTree(t, dir+"/memories", c.memories(200))
	x := Open(Options{Dir: dir + "/cache", Watch: true})
	t.Cleanup(func() { _ = x.Close() })
	items := scan(t, x, dir+"/memories").Items
	view := func(items []Item) View {
		items = slices.Clone(items)
		if _, err := x.Fill(t.Context(), items, nil); err != nil {
			t.Fatal(err)
		}
		return x.View(items)
	}
	search := func(x *Index, v View, text string) *Result {
		t.Helper()
		r, err := x.Search(t.Context(), v, query.Parse(text, testNow), SearchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := view(items)
	if _, err := x.Update(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	const text, other = "cache index branch merge", "journal snapshot cache"
	want := search(x, first, text)
	again := view(items)
	if !again.Same(&first) || again.folded == first.folded || &again.Items[0] == &first.Items[0] {
		t.Fatal("the view of the same memories is another one, or shares its items")
	}
	kept := &again.folded.places
	stored := kept.placed.inverted
	kept.placed.inverted = unreadable{stored}
	if diff := cmp.Diff(want, search(x, again, text), cmpopts.IgnoreUnexported(Item{}, query.Query{})); diff != "" {
		t.Error(diff)
	}
	kept.placed.inverted = stored
	plain := Open(Options{Dir: dir + "/plain"})
	scan(t, plain, dir+"/memories")
	t.Cleanup(func() { _ = plain.Close() })
	fresh := func(items []Item, text string) *Result {
		t.Helper()
		items = slices.Clone(items)
		if _, err := plain.Fill(t.Context(), items, nil); err != nil {
			t.Fatal(err)
		}
		return search(plain, plain.View(items), text)
	}
	for _, items := range [][]Item{items, items[1:], items, append(slices.Clone(items[:50]), items[20:90]...)} {
		for _, text := range []string{text, other} {
			v := view(items)
			if diff := cmp.Diff(fresh(items, text), search(x, v, text), cmpopts.IgnoreUnexported(Item{}, query.Query{}), cmpopts.IgnoreFields(Result{}, "Overlay")); diff != "" {
				t.Errorf("%d items, %q: %s", len(items), text, diff)
			}
		}
	}
	last := view(items)
	x.catalog.forget(int(last.folded.numbers[3]))
	if gone := view(items); gone.Same(&last) {
		t.Error("the view of what the catalog had to read again is the same")
	}
}

// roomy is a stored index that has a term in many documents, of which the view holds one.
type roomy struct{ inverted }

func (roomy) Postings(_ postings.Field, _ string, _ []int32, hits []postings.Hit) ([]postings.Hit, error) {
	return append(slices.Grow(hits, 1000), postings.Hit{Item: 7, Freq: 1}), nil
}

// TestKeptHits: of the hits of a word as much is kept as is counted, however many documents
// outside the view hold it.
func TestKeptHits(t *testing.T) {
	p := placed{inverted: roomy{}, recent: postings.NewKept(minRecent)}
	want := postings.Stem.Of("word")
	first, err := p.lookup(want, nil)
	kept, ok := p.recent.Get(want)
	if err != nil || !ok || !slices.Equal(kept, first) || cap(kept) > 2*len(kept) {
		t.Errorf("%d hits with room for %d are kept of %d (%v, %v)", len(kept), cap(kept), len(first), ok, err)
	}
}
