package index

// Alike finds, for each signature (see [memory.Signature]), the memories of
// items that may share a Jaccard index of at least least with it, in the order
// of items. It compares sketches, so it reads no text: a memory above the bound
// is missed about once in a thousand, and the caller computes the index itself
// for the few that are returned.
func (x *Index) Alike(items []Item, signatures [][]uint32, least float64) [][]Item {
	want := make([]string, len(signatures))
	for i, signature := range signatures {
		s := sketchOf(signature)
		raw := make([]byte, sketchSize)
		s.put(raw)
		want[i] = string(raw)
	}
	// The share of lanes that agree is the index within 0.09 (one standard
	// deviation); three of them below the bound.
	lanes := max(1, int((least-3*0.09)*sketchLanes))
	out := make([][]Item, len(signatures))
	for i := range items {
		n, h := x.catalog.find(items[i].Blob)
		if n < 0 || h[0] != kindMemory {
			continue
		}
		have := h.sketch()
		for j := range want {
			if same(have, want[j]) >= lanes {
				out[j] = append(out[j], items[i])
			}
		}
	}
	return out
}
