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

func docsOf(memories []*memory.Memory) []Doc {
	docs := make([]Doc, len(memories))
	for i, m := range memories {
		docs[i].Blob = string(m.ID)
	}
	return docs
}

// TestTableIsKept: a table that was made over from an earlier one is that made from
// the memories, and loads only what is new.
func TestTableIsKept(t *testing.T) {
	all := []*memory.Memory{
		made("The gauge is polled", "Every five minutes, see gauge/poll.go.", "command: gauge poll"),
		made("Readings are kept by day", "One segment a day."),
		made("Tests need TZ=UTC", "TestDayBoundary fails around midnight elsewhere."),
	}
	load := func(i int) *memory.Memory { return all[i] }
	fresh := Build("s", docsOf(all), nil, 10, load)
	part, err := Read(string(Build("s", docsOf(all), nil, 2, load)))
	if err != nil || part.n != 2 || part.Stamp() != "" {
		t.Fatalf("a slice: %d memories, stamp %q, %v", part.n, part.Stamp(), err)
	}
	var loaded []int
	again := Build("s", docsOf(all), part, 10, func(i int) *memory.Memory {
		loaded = append(loaded, i)
		return all[i]
	})
	if string(again) != string(fresh) || len(loaded) != 1 || loaded[0] != 2 {
		t.Errorf("made over, it is another; loaded %v", loaded)
	}
}

// TestTableDamage: whatever bit of a table changes, nothing that is no memory of it
// comes out, and nothing panics.
func TestTableDamage(t *testing.T) {
	m := made("quill test finds nothing behind --", "In packages/api `npx quill` works.", "error: no tests found")
	good := Build("s", []Doc{{Blob: "b"}}, nil, 1, func(int) *memory.Memory { return m })
	moment := Moment{Kind: Error, Command: "quill test", Error: "No tests found", Triggers: []string{"error: no tests found"}}
	for i := range good {
		bad := []byte(string(good))
		bad[i] ^= 0x10
		table, err := Read(string(bad))
		if err != nil {
			continue
		}
		for _, h := range table.Find(moment, Options{All: true}) {
			if h.ID != m.ID || !strings.Contains(h.Line, "npx quill") {
				t.Errorf("byte %d: %+v", i, h)
			}
		}
	}
	for i := range good {
		if _, err := Read(string(good[:i])); err == nil && i < len(good)-8 {
			if table, _ := Read(string(good[:i])); table != nil {
				table.Find(moment, Options{All: true})
			}
		}
	}
}

func TestLeft(t *testing.T) {
	m := made("quill test finds no siphon behind --", "In packages/api `npx quill` works.", "error: no tests found")
	m.Source.Session = "one"
	moment := Moment{Kind: Error, Command: "quill test", Error: "No tests found", Triggers: []string{"error: no tests found"}}
	for _, test := range []struct {
		name     string
		opt      Options
		archived bool
		want     string
	}{
		{"nothing against it", Options{}, false, ""},
		{"the same session", Options{Session: "one"}, false, LeftSession},
		{"given, and it explains the error", Options{Given: func(memory.ID) bool { return true }}, false, ""},
		{"archived, and it alone explains the error", Options{}, true, ""},
		{"sunk by what became of it", Options{Boost: func(memory.ID) float64 { return 0.1 }}, false, LeftWeak},
	} {
		table, err := Read(string(Build("s", []Doc{{Blob: "b", Archived: test.archived}}, nil, 1, func(int) *memory.Memory { return m })))
		if err != nil {
			t.Fatal(err)
		}
		test.opt.All = true
		hits := table.Find(moment, test.opt)
		if len(hits) != 1 || hits[0].Left != test.want || hits[0].Speaks != (test.want == "") {
			t.Errorf("%s: %+v", test.name, hits)
		}
	}
	plain, _ := Read(string(Build("s", []Doc{{Blob: "b"}}, nil, 1, func(int) *memory.Memory { return m })))
	given := Options{All: true, Given: func(memory.ID) bool { return true }}
	if hits := plain.Find(Moment{Kind: Prompt, Prompt: "why does quill test find no siphon in packages/api"}, given); len(hits) != 1 || hits[0].Left != LeftGiven {
		t.Errorf("given, at a prompt: %+v", hits)
	}
	table, _ := Read(string(Build("s", []Doc{{Blob: "b", Archived: true}}, nil, 1, func(int) *memory.Memory { return m })))
	if hits := table.Find(Moment{Kind: Prompt, Prompt: "why does quill test find no siphon"}, Options{All: true}); len(hits) != 1 || hits[0].Left != LeftArchived {
		t.Errorf("archived, at a prompt: %+v", hits)
	}
}
