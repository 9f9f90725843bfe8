package view

import (
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// TestRestates: one title that a session gathered twice is one thing, such as a commit and its pull request; one that
// somebody said, or much later, is another.
func TestRestates(t *testing.T) {
	made := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	type replaced = []memory.Link
	of := func(id memory.ID, layer, text string, after time.Duration) *memory.Memory {
		return &memory.Memory{
			ID: id, Type: memory.Fix, Title: "Add the missing migration", Text: text, Created: made.Add(after),
			Source: memory.Source{Layer: layer},
		}
	}
	said := of("a", "structure", "The relay table was never created.", 0)
	for name, tt := range map[string]struct {
		m    *memory.Memory
		want bool
	}{
		"itself":          {said, false},
		"other words":     {of("b", "structure", "Staging relies on migrations alone.", 37*time.Second), true},
		"before it":       {of("b", "structure", "Staging relies on migrations alone.", -time.Hour), true},
		"two weeks later": {of("b", "structure", "Staging relies on migrations alone.", 14*24*time.Hour), false},
		"said as such":    {of("b", "tag", "Staging relies on migrations alone.", time.Minute), false},
		"the same words":  {of("b", "tag", said.Text, 14*24*time.Hour), true},
		"a step":          {&memory.Memory{ID: "b", Type: memory.Progress, Title: said.Title, Text: said.Text}, false},
		"another type":    {&memory.Memory{ID: "b", Type: memory.Gotcha, Title: said.Title, Created: made}, false},
		"its next form":   {&memory.Memory{ID: "b", Type: memory.Fix, Title: said.Title, Links: replaced{{To: "a"}}}, false},
		"another title":   {&memory.Memory{ID: "b", Type: memory.Fix, Title: "Add the migration", Created: made}, false},
	} {
		if got := Restates(said, tt.m); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
