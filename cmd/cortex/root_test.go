package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestNamedCommandAlone holds that a command line makes the command it begins with and
// no other, that this one is the same as among all, and that its help fits a terminal
// of 80 columns.
func TestNamedCommandAlone(t *testing.T) {
	for _, m := range commandMakers() {
		var texts [2]string
		for i, args := range [][]string{{m.name, "--help"}, {"--no-color", m.name, "--help"}} {
			var out bytes.Buffer
			root := newRootCommand(&env{streams: &streams{width: 80}}, args)
			if n := len(root.Commands()); i == 0 && n != 1 {
				t.Errorf("%s makes %d commands", m.name, n)
			}
			root.SetArgs(args)
			root.SetOut(&out)
			root.SetErr(&out)
			if err := root.Execute(); err != nil {
				t.Errorf("%q: %v", args, err)
			}
			if c, _, err := root.Find(args); err != nil || c.Name() != m.name {
				t.Errorf("%q finds %v, %v", args, c, err)
			}
			texts[i] = out.String()
		}
		for line := range strings.Lines(texts[0]) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("help of %s has a line of %d columns: %s", m.name, n, line)
			}
		}
		if diff := cmp.Diff(texts[1], texts[0]); diff != "" {
			t.Errorf("help of %s (-among all +alone):\n%s", m.name, diff)
		}
	}
	for _, args := range [][]string{nil, {"help", "search"}, {"-C", ".", "search"}, {"serch"}, {"completion", "bash"}, {"__complete", "search", ""}} {
		if n := len(newRootCommand(&env{streams: &streams{}}, args).Commands()); n != len(commandMakers()) {
			t.Errorf("%q makes %d commands", args, n)
		}
	}
}

// TestHookSaysLittle: a hook prints an answer with an end of line, in less than 8 KB, or
// nothing.
func TestHookSaysLittle(t *testing.T) {
	for _, n := range []int{0, 1, hookOutput - 1, hookOutput} {
		var out bytes.Buffer
		h := &hookRun{env: &env{streams: &streams{out: &out}}}
		if err := h.say(bytes.Repeat([]byte("x"), n)); (err != nil) != (n == hookOutput) {
			t.Errorf("an answer of %d bytes: %v", n, err)
		}
		if got := out.Len(); got != n+1 && got != 0 || got > hookOutput || (got == 0) != (n == 0 || n == hookOutput) {
			t.Errorf("an answer of %d bytes: %d are printed", n, got)
		}
	}
}

// TestCalledElsewhere: what is suggested for other programs' names of a command is one, and
// those names are none.
func TestCalledElsewhere(t *testing.T) {
	root := newRootCommand(&env{streams: &streams{}}, nil)
	ours := map[string]bool{}
	for _, c := range root.Commands() {
		ours[c.Name()] = true
	}
	for does, names := range calledElsewhere() {
		for _, name := range names {
			if ours[name] || !ours[does] {
				t.Errorf("%s for %s", does, name)
			}
		}
	}
}
