package index

import "github.com/git-cortex/cortex/index/internal/entry"

// alikeKept is how many memories [Index.Alike] returns of each signature.
const alikeKept = 64

// The share of the lanes of two sketches that agree is their Jaccard index within 0.09 (one
// standard deviation); alikeSpan is three of them.
const alikeSpan = 3 * 0.09

// Alike is a memory that may be like a text.
type Alike struct {
	Item
	most float64
}

// Reaches reports whether its Jaccard index may be at least least, as far as a sketch tells.
func (a *Alike) Reaches(least float64) bool { return a.most > least }

// Alike finds, for each signature (see [memory.Signature]), the memories of
// items that may share a Jaccard index of at least least with it, the likeliest
// first, at most 64. It compares sketches, so it reads no text: a memory above
// the bound is missed about once in a thousand, and the caller computes the
// index itself for the few that are returned.
func (x *Index) Alike(items []Item, signatures [][]uint32, least float64) [][]Alike {
	const part = 1024
	found := make([][][]alike, (len(items)+part-1)/part)
	want := make([]string, len(signatures))
	for i, signature := range signatures {
		if len(signature) > 0 { // else it is like nothing
			s := entry.SketchOf(signature)
			want[i] = s.Bytes()
		}
	}
	lanes := max(1, int((least-alikeSpan)*entry.Lanes))
	c := x.catalog
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	parallel(len(found), func(next func() (int, bool)) {
		all := make([][]alike, len(want))
		for k, ok := next(); ok; k, ok = next() {
			for i := k * part; i < min((k+1)*part, len(items)); i++ {
				if n := c.memoryNumber(&items[i]); n >= 0 {
					addAlike(c.heads.At(n), i, want, lanes, all)
				}
			}
			found[k] = make([][]alike, len(want))
			for j := range all {
				found[k][j], all[j] = likeliest(all[j]), all[j][:0]
			}
		}
	})
	out := make([][]Alike, len(want))
	for j := range want {
		var all []alike
		for _, part := range found {
			all = append(all, part[j]...)
		}
		for _, a := range likeliest(all) {
			out[j] = append(out[j], Alike{items[a.item], float64(a.lanes+1)/entry.Lanes + alikeSpan})
		}
	}
	return out
}

// alike is an item and in how many lanes its sketch agrees.
type alike struct{ item, lanes int32 }

// addAlike adds item to those of out whose sketch in want agrees in so many lanes.
func addAlike(h entry.Head, item int, want []string, lanes int, out [][]alike) {
	have := h.Sketch()
	for j, w := range want {
		if w == "" {
			continue
		}
		if n := entry.Same(have, w); n >= lanes {
			out[j] = append(out[j], alike{int32(item), int32(n)})
		}
	}
}

// likeliest returns those that agree in the most lanes, at most alikeKept, in their order
// where they agree in as many. Most of a view may agree in some lane, so they are counted
// and not sorted.
func likeliest(all []alike) []alike {
	var next [entry.Lanes + 1]int // by lanes: where the next goes
	for _, a := range all {
		next[a.lanes]++
	}
	before := 0
	for lanes := entry.Lanes; lanes >= 0; lanes-- {
		next[lanes], before = before, before+next[lanes]
	}
	out := make([]alike, min(len(all), alikeKept))
	for _, a := range all {
		if at := next[a.lanes]; at < len(out) {
			out[at] = a
			next[a.lanes]++
		}
	}
	return out
}
