package ui

import (
	"strings"
	"testing"

	"github.com/git-cortex/cortex/internal/linediff"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
	"github.com/google/go-cmp/cmp"
)

// TestCompare: a comparison shows what either memory says alone, and what both say.
func TestCompare(t *testing.T) {
	was := &memory.Memory{Type: memory.Decision, Title: "Use Bleve", Tags: []string{"storage"}, Text: "It needs no cgo.\n\nIt is quick.\n"}
	now := &memory.Memory{Type: memory.Decision, Title: "Use Bluge", Text: "It needs no cgo.\nIt merges in the background.\n\nIt is quick."}
	want := []linediff.Line{
		{Sign: "-", Text: "Use Bleve"},
		{Sign: "+", Text: "Use Bluge"},
		{Sign: " ", Text: "type: decision"},
		{Sign: "-", Text: "tags: storage"},
		{Sign: " ", Text: ""},
		{Sign: " ", Text: "It needs no cgo."},
		{Sign: "+", Text: "It merges in the background."},
		{Sign: " ", Text: ""},
		{Sign: " ", Text: "It is quick."},
	}
	got := compare(was, now)
	if diff := cmp.Diff(want, got.Lines); diff != "" {
		t.Error(diff)
	}
	if got.Title != "Use Bleve" || got.Removed != 2 || got.Added != 2 || got.Cut {
		t.Errorf("got %+v", got)
	}
	if same := (waiting{Item: review.Item{Entry: workspace.Entry{Memory: was}}, earlier: map[memory.ID]*memory.Memory{"x": was, "y": nil}}); same.Against("x") != nil || same.Against("y") != nil || same.Against("z") != nil {
		t.Error("memories that say the same, or cannot be read, are compared")
	}
	for name, text := range map[string]string{"long": strings.Repeat("ä\n", 10*comparedLines), "wide": "x" + strings.Repeat("ä", comparedBytes)} {
		long := &memory.Memory{Type: memory.Decision, Title: "T", Text: text}
		got := compare(was, long)
		size := 0
		for _, l := range got.Lines {
			size += len(l.Text)
		}
		if !got.Cut || len(got.Lines) > 2*comparedLines || size > 2*comparedBytes || strings.Contains(got.Lines[len(got.Lines)-1].Text, "\ufffd") {
			t.Errorf("%s: %d lines of %d bytes, cut: %v", name, len(got.Lines), size, got.Cut)
		}
	}
}
