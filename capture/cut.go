package capture

import (
	"github.com/git-cortex/cortex/capture/passage"
)

// cut cuts the messages and documents of a turn into passages.
func (t *turn) cut(around *passage.Setting) [][]passage.Passage {
	out := make([][]passage.Passage, len(t.items))
	docs := lastDocuments(t.items)
	for i, it := range t.items {
		at, ok := placeOf(&it)
		if ok && (it.kind != itDocument || docs[i]) {
			out[i] = passage.Of(readable(&it), at, it.record, it.time, around)
		}
	}
	return out
}

// placeOf says where the passages of an item stand.
func placeOf(it *item) (passage.Place, bool) {
	if it.kind == itText && it.handover {
		return passage.Handover, true
	}
	at, ok := map[itemKind]passage.Place{
		itText: passage.Middle, itPlan: passage.Plan, itReport: passage.Report, itDocument: passage.Document,
		itCommit: passage.Commit,
	}[it.kind]
	return at, ok
}

// readable is the text of an item that its passages are cut from.
func readable(it *item) string {
	if it.kind != itDocument {
		return it.text
	}
	md := passage.WithoutTags(dropFrontmatter(it.text))
	if it.replaced != "" {
		md = added(it.replaced, md)
	}
	return md
}
