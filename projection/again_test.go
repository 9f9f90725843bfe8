package projection_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
	. "github.com/git-cortex/cortex/projection"
)

// changeOf says what became of the memories of a page from before to after, and counts
// the texts that are asked for.
func changeOf(kind Kind, before, after set) (c Change, texts *int) {
	texts = new(int)
	c = Change{Changed: map[memory.ID]*memory.Memory{}, Text: func(id memory.ID) string { *texts++; return after[id].Text }}
	for id := range before {
		if after[id] == nil {
			c.Changed[id] = nil
		}
	}
	for id, m := range after {
		if !kind.Concerns(m) {
			c.Changed[id] = m // it may have concerned the page before
			continue
		}
		if before[id] == nil || !same(before[id], m) {
			c.Changed[id] = m
		}
		head := *m
		head.Text = ""
		c.Heads = append(c.Heads, &head)
	}
	return c, texts
}

// TestRenderAgain: after any change a page is, to the byte, what rendering it from the
// start gives.
func TestRenderAgain(t *testing.T) {
	done := 0
	for seed := range uint64(testrun.Rounds(15, 60)) {
		w := newWorld(seed)
		before := w.change(w.change(w.change(set{})))
		for range 12 {
			after := w.change(before)
			for _, kind := range Kinds() {
				c, _ := changeOf(kind, before, after)
				got, ok := RenderAgain(kind, Render(kind, before.list()), c)
				if ok != (kind != Plan) {
					t.Fatalf("seed %d: %s is rendered again: %v", seed, kind, ok)
				}
				if want := Render(kind, after.list()); ok && !bytes.Equal(got, want) {
					t.Fatalf("seed %d, %s:\n%s\nwant\n%s", seed, kind, got, want)
				}
				if ok && len(c.Changed) > 0 {
					done++
				}
			}
			before = after
		}
	}
	if done < 100 {
		t.Errorf("%d pages had changes", done)
	}
}

// TestRenderAgainRefuses: a page that was not rendered from the memories of before, as it
// seems, is not taken on.
func TestRenderAgainRefuses(t *testing.T) {
	w := newWorld(7)
	before := set{}
	for len(Render(Decisions, before.list())) < 4000 {
		before = w.change(before)
	}
	page := Render(Decisions, before.list())
	c, texts := changeOf(Decisions, before, before)
	if got, ok := RenderAgain(Decisions, page, c); !ok || !bytes.Equal(got, page) {
		t.Fatalf("rendered again: %v\n%s", ok, got)
	}
	if *texts == 0 {
		t.Error("no text was asked for")
	}
	less := maps.Clone(before)
	var gone memory.ID
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if Decisions.Concerns(before[id]) {
			gone = id
		}
	}
	delete(less, gone)
	for name, other := range map[string][]byte{
		"the page lacks a record":         Render(Decisions, less.list()),
		"the page has no records":         []byte("# Decisions\n"),
		"the page is cut short":           page[:len(page)-20],
		"the page is that of the archive": Render(Archive, before.list()[:1]),
	} {
		if _, ok := RenderAgain(Decisions, other, c); ok {
			t.Errorf("%s, and it is rendered again", name)
		}
	}
	c, _ = changeOf(Decisions, less, less)
	if _, ok := RenderAgain(Decisions, page, c); ok {
		t.Error("the page has a record more, and it is rendered again")
	}
	c, _ = changeOf(Decisions, before, before)
	c.Heads = append(c.Heads, c.Heads[0])
	if _, ok := RenderAgain(Decisions, page, c); ok {
		t.Error("two memories have the same id, and it is rendered again")
	}
}
