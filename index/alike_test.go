package index

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/index/internal/entry"
	"github.com/git-cortex/cortex/internal/sameness"
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
		signatures = append(signatures, sameness.Signature(text))
	}
	got := x.Alike(items, signatures, sameness.Same)
	if len(got[0]) != 1 || got[0][0].Item != items[400] {
		t.Errorf("the twin was not found alone: %v", got[0])
	}
	if len(got[1]) != 0 || len(got[2]) != 0 {
		t.Errorf("strangers are alike: %v, %v", got[1], got[2])
	}
}

// TestAlikeOfMany: of many memories that are alike the same are found, in the same
// order, as by comparing all and sorting them.
func TestAlikeOfMany(t *testing.T) {
	x := Open(Options{})
	r := rand.New(rand.NewPCG(5, 9))
	words := strings.Fields("gauge station harbour surveyor sensor october reading segment ledger tide anchor pilot")
	said := func() string {
		var out []string
		for range 8 {
			out = append(out, words[r.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	var items []Item
	var have []string
	for i := range 3000 {
		m := memory.New(memory.Learned, fmt.Sprintf("Item %d", i), said(), time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC))
		data := memory.Format(m)
		items = append(items, Item{Blob: BlobID(data, false), Path: m.Path()})
		if p := x.Catalog().Add(items[i].Blob, m.Path(), data); p != nil {
			t.Fatal(p)
		}
		s := entry.SketchOf(sameness.Signature(m.Title, m.Text))
		have = append(have, s.Bytes())
	}
	var signatures [][]uint32
	for range 40 {
		signatures = append(signatures, sameness.Signature(said()))
	}
	for j, got := range x.Alike(items, signatures, 0.3) {
		want := entry.SketchOf(signatures[j])
		order := make([]int, len(items))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(entry.Same(have[b], want.Bytes()), entry.Same(have[a], want.Bytes()))
		})
		if len(got) != alikeKept {
			t.Fatalf("%d were found", len(got))
		}
		for k := range got {
			if got[k].Item != items[order[k]] {
				t.Fatalf("signature %d, place %d: %s, want %s", j, k, got[k].Path, items[order[k]].Path)
			}
		}
	}
}
