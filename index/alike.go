package index

import (
	"cmp"
	"slices"

	"github.com/git-cortex/cortex/index/internal/entry"
)

// alikeKept is how many memories [Index.Alike] returns of each signature.
const alikeKept = 64

// Alike finds, for each signature (see [memory.Signature]), the memories of
// items that may share a Jaccard index of at least least with it, the likeliest
// first, at most 64. It compares sketches, so it reads no text: a memory above
// the bound is missed about once in a thousand, and the caller computes the
// index itself for the few that are returned.
func (x *Index) Alike(items []Item, signatures [][]uint32, least float64) [][]Item {
	const part = 1024
	found := make([][][]alike, (len(items)+part-1)/part)
	want := make([]string, len(signatures))
	for i, signature := range signatures {
		if len(signature) > 0 { // else it is like nothing
			s := entry.SketchOf(signature)
			want[i] = s.Bytes()
		}
	}
	// The share of lanes that agree is the index within 0.09 (one standard
	// deviation); three of them below the bound.
	lanes := max(1, int((least-3*0.09)*entry.Lanes))
	c := x.catalog
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	parallel(len(found), func(next func() (int, bool)) {
		for k, ok := next(); ok; k, ok = next() {
			found[k] = make([][]alike, len(want))
			for i := k * part; i < min((k+1)*part, len(items)); i++ {
				if n := c.memoryNumber(&items[i]); n >= 0 {
					addAlike(c.heads.At(n), i, want, lanes, found[k])
				}
			}
		}
	})
	out := make([][]Item, len(want))
	for j := range want {
		var all []alike
		for _, part := range found {
			all = append(all, part[j]...)
		}
		slices.SortFunc(all, func(a, b alike) int { return cmp.Or(cmp.Compare(b.lanes, a.lanes), cmp.Compare(a.item, b.item)) })
		for _, a := range all[:min(len(all), alikeKept)] {
			out[j] = append(out[j], items[a.item])
		}
	}
	return out
}

// alike is an item and in how many lanes its sketch agrees.
type alike struct{ item, lanes int }

// addAlike adds item to those of out whose sketch in want agrees in so many lanes.
func addAlike(h entry.Head, item int, want []string, lanes int, out [][]alike) {
	have := h.Sketch()
	for j, w := range want {
		if w == "" {
			continue
		}
		if n := entry.Same(have, w); n >= lanes {
			out[j] = append(out[j], alike{item, n})
		}
	}
}
