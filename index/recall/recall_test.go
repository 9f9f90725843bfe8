package recall

import (
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

func made(title, text string, triggers ...string) *memory.Memory {
	m := memory.New(memory.Fix, title, text, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	m.Triggers = triggers
	return m
}

// library is a table of some memories, among many that are about other things.
func library(t *testing.T, memories ...*memory.Memory) *Table {
	t.Helper()
	for _, animal := range strings.Fields("otter heron badger marten lynx beaver vole stoat newt adder shrew kite owl raven swift bream perch pike tench carp") {
		memories = append(memories, made("The "+animal+" sleeps by day", "It was seen by the river at night."))
	}
	docs := make([]Doc, len(memories))
	for i, m := range memories {
		docs[i].Blob = string(m.ID)
	}
	table, err := Read(string(Build("stamp", docs, nil, 1<<20, func(i int) *memory.Memory { return memories[i] })))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestFindError(t *testing.T) {
	trap := made("quill test finds nothing behind --", "`quill test -- --only=x` finds no tests. In packages/api `npx quill --only=x` works.",
		"error: no tests found", "command: quill test")
	table := library(t, trap)
	hits := table.Find(Moment{Kind: Error, Command: "quill test -- --only=mail", Error: "No tests found, exiting", Triggers: []string{"error: no tests found", "command: quill test"}}, Options{})
	if len(hits) != 1 || hits[0].ID != trap.ID || !hits[0].Speaks {
		t.Fatalf("found %+v", hits)
	}
	if why := hits[0].Why[0]; why.Kind != "error" && why.Kind != "command" {
		t.Errorf("the strongest reason is %+v", why)
	}
	if !strings.Contains(hits[0].Line, "npx quill --only=x") {
		t.Errorf("the line %q lacks what works", hits[0].Line)
	}
	if hits := table.Find(Moment{Kind: Prompt, Prompt: "yes please"}, Options{}); len(hits) != 0 {
		t.Errorf("for nothing in particular: %+v", hits)
	}
}
