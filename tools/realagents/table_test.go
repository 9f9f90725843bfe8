package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-cortex/cortex/tools/mockmodel"
)

// TestTable: a table that was written is read as it was, and what is different is named.
func TestTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "agents.md")
	empty := "before\n" + tableBegin + tableEnd + "after\n"
	cells := map[string]string{}
	for _, row := range rows() {
		cells[row] = "works"
	}
	var written table
	written.cells = map[string]map[string]string{}
	written.set("A", "A 1.0", cells)
	written.set("B", "B 7", cells)
	if err := written.update(file, empty); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	read := readTable(string(page))
	if got := read.titleOf("A"); got != "A 1.0" || len(read.differences("A", cells)) != 0 {
		t.Errorf("%q differs: %q", got, read.differences("A", cells))
	}
	read.set("A", "A 2.0", map[string]string{briefed: "FAILS"})
	if !slices.Equal(read.titles, []string{"A 2.0", "B 7"}) || len(read.differences("A", cells)) != len(rows()) {
		t.Errorf("%q: %q", read.titles, read.differences("A", cells))
	}
	if read.update(file, "no place") == nil {
		t.Error("a page without a place for the table was taken")
	}
}

// TestFailures: what a client lacks may not work, and all else must.
func TestFailures(t *testing.T) {
	a := &agent{lacks: map[string]string{beforeCall: "not offered"}, distrust: "no session"}
	good := map[string]cell{briefed: {ok: true}, beforeCall: {ok: false}}
	if got := failures(a, good); got != "" {
		t.Error(got)
	}
	bad := map[string]cell{briefed: {what: "it is not there"}, beforeCall: {ok: true}}
	if holds(a, bad) {
		t.Error("a row that does not hold, and one that works although it is not offered, pass")
	}
	for row, want := range map[string]string{beforeCall: "not offered", briefed: "FAILS"} {
		if got := a.words(row, false); got != want {
			t.Errorf("%s: %s, want %s", row, got, want)
		}
	}
	if a.words(distrusted, true) != "no session" || a.words(briefed, true) != "works" {
		t.Error("what works is called otherwise")
	}
}

// TestScripts: each script is one that the sessions can ask for.
func TestScripts(t *testing.T) {
	w, err := newWorld(t.TempDir(), &options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"moments", "capture", "again", "plain", "long", "sub", "subwork", "tools"} {
		if len(w.scripts[name]) == 0 {
			t.Errorf("there is no script %q", name)
		}
	}
	text := allText(mockmodel.Request{Body: []byte(`{"a":[{"text":"one"},"two"]}`)})
	if text != "one\ntwo\n" || briefingIn("x "+doorTitle+"15\n=== end of evidence y") != doorTitle+"15\n" {
		t.Errorf("%q", text)
	}
}
