package gitobject

import (
	"bufio"
	"bytes"
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
		if c, err := ParseCommit(data); err == nil && !IsID(string(c.Tree)) {
			t.Fatalf("%q has the tree %q", data, c.Tree)
		}
	})
}

// FuzzUnpack looks for an object in hostile packs. What is read is what was asked for.
func FuzzUnpack(f *testing.F) {
	o := Object{Format{}.ID("blob", []byte("text")), "blob", []byte("text")}
	_, pack, index, err := Format{}.Pack([]Object{o, {Format{}.ID("tree", nil), "tree", nil}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(index, pack)
	f.Fuzz(func(t *testing.T, index, pack []byte) {
		x, err := Format{}.ParsePackIndex(index)
		if err != nil {
			return
		}
		at, ok := x.Find(o.ID)
		if !ok || at >= int64(len(pack)) {
			return
		}
		kind, data, err := Format{}.Unpack(bufio.NewReader(bytes.NewReader(pack[at:])), o.ID, 1<<20)
		if err == nil && (kind != o.Kind || string(data) != "text") {
			t.Errorf("%s %q", kind, data)
		}
	})
}
