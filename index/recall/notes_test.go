package recall

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// TestNotes: a note is quoted at a search or a question that names what it is about, and only
// what is new is loaded.
func TestNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main")
	limits := made("The exporter reads `rowLimit` from the cache", "The scheduler fills it at start.")
	limits.Source.Session = "s-1"
	plain := made("The nightly export loses a row", "Nobody knows the reason.")
	var loaded []string
	renew := func(records ...string) {
		t.Helper()
		loaded = nil
		err := RenewNotes(path, records, func(unknown []string) map[string][]*memory.Memory {
			loaded = unknown
			if !slices.Contains(unknown, "a") {
				return nil
			}
			return map[string][]*memory.Memory{"a": {limits, plain}}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	renew("b", "a")
	if !slices.Equal(loaded, []string{"b", "a"}) {
		t.Errorf("loaded %v", loaded)
	}
	renew("b", "a")
	if loaded != nil {
		t.Errorf("loaded %v though nothing changed", loaded)
	}
	renew("c", "b", "a")
	if !slices.Equal(loaded, []string{"c"}) {
		t.Errorf("loaded %v", loaded)
	}
	table, err := Renew(path, "stamp", docsOf([]*memory.Memory{plain}), 1, func(int) *memory.Memory { return plain })
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for name, tt := range map[string]struct {
		m    Moment
		opt  Options
		left string
	}{
		"a name":       {Moment{Kind: Search, Search: "rowLimit|exporter"}, Options{}, ""},
		"its own":      {Moment{Kind: Search, Search: "rowLimit|exporter"}, Options{Session: "s-1"}, LeftSession},
		"said already": {Moment{Kind: Search, Search: "rowLimit|exporter"}, Options{Given: func(memory.ID) bool { return true }}, LeftGiven},
	} {
		t.Run(name, func(t *testing.T) {
			tt.opt.Notes, tt.opt.All = true, true
			hits := table.Notes().Find(tt.m, tt.opt)
			if len(hits) == 0 || hits[0].Left != tt.left || !strings.HasPrefix(hits[0].Line, NotedMark+`: "`) {
				t.Errorf("found %+v", hits)
			}
		})
	}
}

// TestUnnamedNote: a note that shares words with a moment, and no name, is not found.
func TestUnnamedNote(t *testing.T) {
	note := made("The nightly export loses a row in `rowLimit`", "")
	table := library(t, note)
	asked := Moment{Kind: Question, Question: "which row does the nightly export lose, and is the reason known?"}
	if hits := table.Find(asked, Options{Notes: true, All: true}); len(hits) > 0 {
		t.Errorf("found %+v", hits)
	}
}

// TestTrapNote: a trap that one session noted is quoted at its error, and at none that shares words
// with it.
func TestTrapNote(t *testing.T) {
	note := made("`tide export` runs here with `TZ=UTC` before it",
		"Tried: `tide export --days 3`\nError: `tide: the zone of the machine is not set`\nWhat works: `TZ=UTC tide export --days 3`")
	note.Triggers = []string{"error: the zone of the machine is not set", "command: tide export"}
	note.Source.Layer = "recipe"
	table := library(t, note)
	triggered := []string{"command: tide export", "command: tide"}
	for name, tt := range map[string]struct {
		m    Moment
		told bool
	}{
		"its error": {Moment{
			Kind: Error, Command: "tide export --days 9", Error: "tide: the zone of the machine is not set",
			Triggers: append(triggered, "error: the zone of the machine is not set"),
		}, true},
		"another error": {Moment{
			Kind: Error, Command: "tide export --days 3", Error: "the machine has no zone export", Triggers: triggered,
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			hits := table.Find(tt.m, Options{Notes: true})
			if len(hits) > 0 != tt.told {
				t.Errorf("found %+v", hits)
			}
		})
	}
}

// TestNoNotes: a table without notes, and one that is in no file, has none.
func TestNoNotes(t *testing.T) {
	table, err := Renew(filepath.Join(t.TempDir(), "main"), "stamp", nil, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if hits := table.Notes().Find(Moment{Kind: Search, Search: "x"}, Options{}); hits != nil {
		t.Errorf("found %+v", hits)
	}
	if err := table.Close(); err != nil {
		t.Error(err)
	}
	if library(t).Notes() != nil {
		t.Error("notes of a table in memory")
	}
}
