package index

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
)

// TestOneIndexForMany searches views of different sizes at once while their
// memories are being indexed: every answer is that of an index nobody else uses.
func TestOneIndexForMany(t *testing.T) {
	c := newCorpus(3)
	var items []Item
	data := map[string][]byte{}
	for _, m := range c.memories(400) {
		text := memory.Format(m)
		blob := BlobID(text, false)
		items = append(items, Item{Blob: blob, Path: m.Path(), Stage: Landed})
		data[blob] = text
	}
	fetch := func(_ context.Context, blobs []string, yield func(string, []byte) error) error {
		for _, b := range blobs {
			if err := yield(b, data[b]); err != nil {
				return err
			}
		}
		return nil
	}
	search := func(x *Index, n int) (string, View, error) {
		view := append([]Item(nil), items[:n]...)
		if _, err := x.Fill(t.Context(), view, fetch); err != nil {
			return "", View{}, err
		}
		v := x.View(view)
		res, err := x.Search(t.Context(), v, query.Parse("journal cache of the quorum", testNow), SearchOptions{Limit: 20})
		if err != nil {
			return "", v, err
		}
		said := fmt.Sprint(res.Total)
		for _, h := range res.Hits {
			said += fmt.Sprintf(" %s %.9f", h.Memory.ID, h.Score)
		}
		return said, v, nil
	}
	sizes := []int{50, 120, 200, 280, 360, 400}
	want := map[int]string{}
	for _, n := range sizes {
		alone := Open(Options{})
		said, _, err := search(alone, n)
		if err != nil {
			t.Fatal(err)
		}
		want[n] = said
		_ = alone.Close()
	}
	x := Open(Options{Dir: filepath.Join(t.TempDir(), "cache")})
	defer x.Close()
	var group sync.WaitGroup
	for g := range 6 {
		group.Go(func() {
			for i := range sizes {
				n := sizes[(i+g)%len(sizes)]
				said, v, err := search(x, n)
				if err != nil || said != want[n] {
					t.Errorf("%d memories: %s, want %s (%v)", n, said, want[n], err)
				}
				if i%2 == 1 {
					if _, err := x.Update(t.Context(), v); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
}

// TestOverlayIsGivenUp: what was analysed in memory is not kept once it is indexed.
func TestOverlayIsGivenUp(t *testing.T) {
	root := filepath.Join(t.TempDir(), "memories")
	writeTree(t, root, newCorpus(4).memories(30))
	x := Open(Options{Dir: filepath.Join(t.TempDir(), "cache")})
	defer x.Close()
	v := viewOf(scan(t, x, root))
	if r := find(t, x, v, "journal", 5); r.Overlay != 30 || x.overlay.Size() != 30 {
		t.Fatalf("%d memories of %d are searched in memory", r.Overlay, x.overlay.Size())
	}
	update(t, x, v)
	if n := x.overlay.Size(); n != 0 {
		t.Errorf("%d memories are kept in memory although all are indexed", n)
	}
}
