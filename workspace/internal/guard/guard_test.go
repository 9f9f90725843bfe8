package guard

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestVectors: the cases of the vector K1 are read, and speak, as they want it.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "memory", "testdata", "vectors", "K1-guards", "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		File  string
		Error bool
		Calls []struct {
			Call
			Branch string
			Speaks bool
		}
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		g, err := Parse("one", []byte(c.File))
		if (err != nil) != c.Error {
			t.Errorf("%s: error %v", c.File, err)
		}
		for _, call := range c.Calls {
			site := &Site{Branch: call.Branch, Ran: func(string) bool { return false }}
			if g.Speaks(&call.Call, site) != call.Speaks {
				t.Errorf("%s%+v: speaks = %v", c.File, call.Call, !call.Speaks)
			}
			concerned := func(word string) bool { return strings.Contains(call.said(), word) }
			if call.Speaks && !slices.ContainsFunc(g.words(), concerned) {
				t.Errorf("%s%+v: it says none of %q", c.File, call.Call, g.words())
			}
		}
		if err != nil {
			continue
		}
		again, err := g.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse("one", again); err != nil {
			t.Errorf("%s: what is written cannot be read: %v", again, err)
		}
	}
}

// TestSessions: what a guard needs has run until a file is edited, or until it failed.
func TestSessions(t *testing.T) {
	cache := t.TempDir()
	guards := []*Guard{{Needs: []string{"make check"}}}
	one, other := Session(cache, "one"), Session(cache, "other")
	for _, step := range []struct {
		call Call
		well bool
		want bool
	}{
		{Call{Command: "ls"}, true, false},
		{Call{Command: "cd web && make check"}, true, true},
		{Call{Files: []string{"a.go"}}, true, false},
		{Call{Command: "make check"}, true, true},
		{Call{Command: "make check"}, false, false},
	} {
		if err := one.Note(guards, &step.call, step.well); err != nil {
			t.Fatal(err)
		}
		if one.Ran("make check") != step.want || other.Ran("make check") {
			t.Errorf("after %+v: ran = %v", step, !step.want)
		}
	}
}

// TestInForce: of the files of a folder those are in force that are trusted as they stand; links
// and what cannot be read are not.
func TestInForce(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	dir := filepath.Join(root, filepath.FromSlash(Dir))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const text = "memory: 0gt40bvwb1anm79w\nrule: A rule\naction: deny\ncommand: [git]\n"
	write("one.yaml", text)
	write("broken.yaml", "memory: [")
	call := &Call{Command: "git push"}
	if got := InForce(root, cache, call); len(got) != 0 {
		t.Errorf("in force although nobody trusts it: %v", got[0])
	}
	g, err := Parse("one", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := Keep(cache, []Kept{{File: File{"one", []byte(text)}, Guard: g}}); err != nil {
		t.Fatal(err)
	}
	if got := InForce(root, cache, call); len(got) != 1 || got[0].Name != "one" {
		t.Errorf("in force: %v", got)
	}
	for said, want := range map[string]int{"gi't' push": 1, "g\\it x": 1, "npm test": 0, "rm .cortex/guards/one.yaml": 1} {
		if got := InForce(root, cache, &Call{Command: said}); len(got) != want {
			t.Errorf("%s: %d guards", said, len(got))
		}
	}
	write("one.yaml", text+"with: [push]\n")
	if got := InForce(root, cache, call); len(got) != 0 {
		t.Errorf("in force although it was changed: %v", got[0])
	}
	write("one.yaml", text)
	if err := os.Rename(dir, dir+"2"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir+"2", dir); err != nil {
		t.Skipf("this system lets nobody make a symbolic link to a folder: %v", err)
	}
	if got := InForce(root, cache, call); len(got) != 0 {
		t.Errorf("in force behind a link: %v", got[0])
	}
}
