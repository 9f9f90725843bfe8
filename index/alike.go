package index

import (
	"github.com/git-cortex/cortex/index/internal/entry"
	"github.com/git-cortex/cortex/index/internal/work"
)

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

// Alike finds, for each signature (see sameness.Signature), the memories of
// items that may share a Jaccard index of at least least with it, the likeliest
// first, at most 64. It compares sketches, so it reads no text: a memory above
// the bound is missed about once in a thousand, and the caller computes the
// index itself for the few that are returned.
func (x *Index) Alike(items []Item, signatures [][]uint32, least float64) [][]Alike {
	const part = 1024
	found := make([][][]entry.Near, (len(items)+part-1)/part)
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
	work.Share(len(found), func(next func() (int, bool)) {
		all, short := make([][]entry.Near, len(want)), make([]shortlist, len(want))
		for j := range short {
			short[j].from = lanes
		}
		for k, ok := next(); ok; k, ok = next() {
			for i := k * part; i < min((k+1)*part, len(items)); i++ {
				if n := c.memoryNumber(&items[i]); n >= 0 {
					addAlike(c.heads.At(n), i, want, short, all)
				}
			}
			found[k] = make([][]entry.Near, len(want))
			for j := range all {
				found[k][j], all[j] = entry.Nearest(all[j], alikeKept), all[j][:0]
			}
		}
	})
	out := make([][]Alike, len(want))
	for j := range want {
		var all []entry.Near
		for _, part := range found {
			all = append(all, part[j]...)
		}
		for _, a := range entry.Nearest(all, alikeKept) {
			out[j] = append(out[j], Alike{items[a.Item], float64(a.Lanes+1)/entry.Lanes + alikeSpan})
		}
	}
	return out
}

// shortlist tells which items of one worker may still be among the nearest: it looks
// at them in their order, and of those that agree in as many lanes the first ones win.
type shortlist struct {
	from int // lanes
	kept int // items that agree in so many or more
	by   [entry.Lanes + 1]int
}

// takes reports whether an item that agrees in n lanes may be among the nearest.
func (s *shortlist) takes(n int) bool {
	if n < s.from {
		return false
	}
	s.by[n]++
	s.kept++
	for s.kept >= alikeKept { // one more that agrees in as many would come behind all of them
		s.kept -= s.by[s.from]
		s.from++
	}
	return true
}

// addAlike adds item to those of out whose sketch in want agrees in enough lanes.
func addAlike(h entry.Head, item int, want []string, short []shortlist, out [][]entry.Near) {
	have := h.Sketch()
	for j, w := range want {
		if w == "" {
			continue
		}
		if n := entry.Same(have, w); short[j].takes(n) {
			out[j] = append(out[j], entry.Near{Item: int32(item), Lanes: int32(n)})
		}
	}
}
