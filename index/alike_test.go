package index

import (
	"fmt"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

func TestAlike(t *testing.T) {
	x := Open(Options{})
	var items []Item
	add := func(text string) {
		m := memory.New(memory.Learned, "About "+text[:12], text, time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC))
		data := memory.Format(m)
		blob := BlobID(data, false)
		if p := x.Catalog().Add(blob, m.Path(), data); p != nil {
			t.Fatal(p)
		}
		items = append(items, Item{Blob: blob, Path: m.Path()})
	}
	for i := range 400 {
		add(fmt.Sprintf("station%d keeps gauge%d beside harbour%d until surveyor%d replaces sensor%d during october", i, i*7, i*13, i*17, i*19))
	}
	add("segment files hold every reading of one gauge for one day and are only ever appended to")
	var signatures [][]uint32
	for _, text := range []string{
		"About segment file. Segment files hold every reading of one gauge for one day, and are appended to only ever",
		"nothing here resembles anything that was written down before",
		"",
	} {
		signatures = append(signatures, memory.Signature(text))
	}
	got := x.Alike(items, signatures, memory.SimilarSame)
	if len(got[0]) != 1 || got[0][0].Item != items[400] {
		t.Errorf("the twin was not found alone: %v", got[0])
	}
	if len(got[1]) != 0 || len(got[2]) != 0 {
		t.Errorf("strangers are alike: %v, %v", got[1], got[2])
	}
}
