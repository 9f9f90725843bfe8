package view

import (
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// TestInTurn: what rests goes, but for plans, steps and what is pinned.
func TestInTurn(t *testing.T) {
	entry := func(id memory.ID, change func(m *memory.Memory)) Entry {
		m := &memory.Memory{ID: id, Type: memory.Gotcha}
		change(m)
		return Entry{Memory: m}
	}
	all := []Entry{
		entry("tired", func(*memory.Memory) {}),
		entry("pinned", func(m *memory.Memory) { m.Pinned = true }),
		entry("plan", func(m *memory.Memory) { m.Type = memory.Plan }),
		entry("step", func(m *memory.Memory) { m.Links = []memory.Link{{Rel: memory.StepOf, To: "plan"}} }),
		entry("used", func(*memory.Memory) {}),
	}
	left := InTurn(func(m *memory.Memory, _ bool) bool { return m.ID != "used" }, all)
	if len(left) != 4 || left[0].Memory.ID != "pinned" {
		t.Errorf("left %+v", left)
	}
}
