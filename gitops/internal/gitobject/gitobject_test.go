package gitobject

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzTree reads hostile trees in both ways: what is read can be written.
func FuzzTree(f *testing.F) {
	f.Add([]byte("100644 a\x0001234567890123456789"))
	f.Add([]byte("100664 a\x0001234567890123456789012345678901"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, f := range []Format{{}, {SHA256: true}} {
			entries, err := f.ParseTree(data)
			if err != nil {
				continue
			}
			out, err := f.FormatTree(entries)
			if err != nil {
				t.Fatal(err)
			}
			again, err := f.ParseTree(out)
			if err != nil {
				t.Fatalf("%q is written as %q: %v", data, out, err)
			}
			if diff := cmp.Diff(entries, again); diff != "" {
				t.Fatalf("%q is written as %q (-read +again):\n%s", data, out, diff)
			}
		}
	})
}

// FuzzCommit reads hostile commits in both ways.
func FuzzCommit(f *testing.F) {
	id := strings.Repeat("0a", 20)
	f.Add([]byte("tree " + id + "\nparent " + id + "\nauthor x <x> 1 +0000\ncommitter x <x> 1 +0000\n\ntext\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, f := range []Format{{}, {SHA256: true}} {
			if c, err := f.ParseCommit(data); err == nil && !IsID(string(c.Tree)) {
				t.Fatalf("%q has the tree %q", data, c.Tree)
			}
		}
	})
}
