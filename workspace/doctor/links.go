package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// linkFindings are the remarks about links: to no memory, and from before what they supersede
// was there.
func linkFindings(entries []workspace.Entry, ids map[memory.ID][]string) []Finding {
	held := make(map[memory.ID]*memory.Memory, len(entries))
	for _, e := range entries {
		held[e.Memory.ID] = e.Memory
	}
	var out []Finding
	for _, e := range entries {
		for _, l := range e.Memory.Links {
			if text := linkTrouble(e.Memory, l, ids, held); text != "" {
				out = append(out, find(e.Path, "link", fmt.Sprintf("%s %s: %s", l.Rel, l.To.Short(), text)))
			}
		}
	}
	return out
}

// linkTrouble says what is wrong with a link, "" for nothing.
func linkTrouble(m *memory.Memory, l memory.Link, ids map[memory.ID][]string,
	held map[memory.ID]*memory.Memory,
) string {
	_, known := ids[l.To]
	switch {
	case !known && !mayMiss(m, l.Rel):
		return "there is no such memory in this view"
	case l.Rel == memory.Supersedes && predates(m, held[l.To]):
		return "that is newer than this memory is said to be"
	}
	return ""
}

// mayMiss reports whether a link may lead to what is not in the view: one that capture
// found, to a memory that has not landed with the one that has it. It changes no status.
func mayMiss(m *memory.Memory, rel memory.Rel) bool {
	return m.Source.Session != "" && m.Updated.IsZero() &&
		!slices.Contains([]memory.Rel{memory.Supersedes, memory.StepOf}, rel)
}

// predates reports whether a memory was last changed long before another one was there; that
// may be nil.
func predates(m, other *memory.Memory) bool {
	if other == nil {
		return false
	}
	last := m.Created
	if m.Updated.After(last) {
		last = m.Updated
	}
	return other.Created.Sub(last) > clockSlack
}

// posing returns the relation whose name is a key of its own; "" for none.
func posing(unknown string) memory.Rel {
	for line := range strings.Lines(unknown) {
		for _, rel := range memory.Rels() {
			if strings.HasPrefix(line, string(rel)+":") {
				return rel
			}
		}
	}
	return ""
}
