package index

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-cortex/cortex/index/internal/tree"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// watchedLab is a tree that is large enough to be watched, an index that watches it,
// and one that looks at each file.
type watchedLab struct {
	t         *testing.T
	dir, root string
	x         *Index
}

func newWatchedLab(t *testing.T) *watchedLab {
	t.Helper()
	l := &watchedLab{t: t, dir: t.TempDir()}
	l.root = filepath.Join(l.dir, "top", "memories")
	for i := range watchedFrom + 50 {
		note(t, l.root, l.name(i), fmt.Sprintf("Memory %d", i), fmt.Sprintf("text %04d", i))
	}
	l.x = Open(Options{Dir: filepath.Join(l.dir, "cache"), Watch: true})
	t.Cleanup(func() {
		if err := l.x.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func (l *watchedLab) name(i int) string { return fmt.Sprintf("decision/f%d/n%d.md", i%7, i) }

// settle scans until the tree is held, and reports whether it is.
func (l *watchedLab) settle() bool {
	l.t.Helper()
	for range 3 {
		scan(l.t, l.x, l.root)
	}
	return l.x.watches[l.root].tree != nil
}

// canWatch reports whether this system can watch temporary folders.
func canWatch(t *testing.T) bool {
	t.Helper()
	w, ok := tree.NewWatch()
	if !ok {
		return false
	}
	defer w.Close()
	return w.Add(t.TempDir())
}

// check compares with an index that has never seen the tree.
func (l *watchedLab) check(what string) {
	l.t.Helper()
	fresh := Open(Options{})
	defer fresh.Close()
	got, want := scan(l.t, l.x, l.root), scan(l.t, fresh, l.root)
	opts := cmp.Options{cmpopts.IgnoreUnexported(Item{}), cmpopts.IgnoreFields(Tree{}, "Read", "State"), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(want, got, opts); diff != "" {
		l.t.Errorf("%s: (-read anew +got)\n%.2000s", what, diff)
	}
}

// TestWatchedScan: a tree that is held is the tree that is there, whatever is done to
// it between two scans.
func TestWatchedScan(t *testing.T) {
	l := newWatchedLab(t)
	can := canWatch(t)
	at := func(name string) string { return filepath.Join(l.root, filepath.FromSlash(name)) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"edit in place", func() { note(t, l.root, l.name(3), "Memory 3", "text 9999") }},
		{"rename over", func() { must(os.Rename(at(l.name(5)), at(l.name(12)))) }},
		{"remove", func() { must(os.Remove(at(l.name(20)))) }},
		{"new file", func() { note(t, l.root, l.name(20), "Memory 20", "text again") }},
		{"new folder", func() { note(t, l.root, "gotcha/new/n.md", "A gotcha", "text") }},
		{"edit in the new folder", func() { note(t, l.root, "gotcha/new/n.md", "A gotcha", "more") }},
		{"folder renamed", func() { must(os.Rename(at("decision/f1"), at("decision/g1"))) }},
		{"edit in the renamed folder", func() { note(t, l.root, "decision/g1/n8.md", "Memory 8", "text 8888") }},
		{"not a memory", func() { writeFile(t, at("decision/f2/n2.md"), []byte("---\nid: x\n---\n")) }},
		{"a memory again", func() { note(t, l.root, l.name(2), "Memory 2", "text 2222") }},
		{"a folder above in place of another", func() {
			top := filepath.Join(l.dir, "top")
			must(os.Rename(top, top+".old"))
			must(os.CopyFS(top, os.DirFS(top+".old")))
			note(t, l.root, l.name(4), "Memory 4", "text 4444")
		}},
		{"and back", func() {
			top := filepath.Join(l.dir, "top")
			must(os.Rename(top, top+".new"))
			must(os.Rename(top+".old", top))
			note(t, l.root, l.name(6), "Memory 6", "text 6666")
		}},
		{"folder removed", func() { must(os.RemoveAll(at("gotcha"))) }},
	} {
		if held := l.settle(); held != can {
			t.Errorf("before %s: held = %v", step.name, held)
		}
		step.do()
		l.check("after " + step.name)
	}
}

// TestWatchedScanAtOnce: who writes a file finds it in the next scan, while others
// write and scan too.
func TestWatchedScanAtOnce(t *testing.T) {
	l := newWatchedLab(t)
	l.settle()
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			for i := range 6 {
				name := l.name(g + 8*random.IntN(20))
				note(t, l.root, name, "Memory", fmt.Sprintf("by %d, round %d", g, i))
				data, err := os.ReadFile(filepath.Join(l.root, filepath.FromSlash(name)))
				if err != nil {
					t.Error(err)
					return
				}
				want := BlobID(data, false)
				for range 2 {
					if items := scan(t, l.x, l.root).Items; !hasBlob(items, name, want) {
						t.Errorf("%s as %s was written is not in a scan after it", name, want)
					}
				}
			}
		})
	}
	group.Wait()
	l.check("after all")
}

func hasBlob(items []Item, path, blob string) bool {
	for i := range items {
		if items[i].Path == path {
			return items[i].Blob == blob
		}
	}
	return false
}

// TestWatchReplaced: folders that came in the place of those that are watched are no
// reason to doubt the watch; there is another.
func TestWatchReplaced(t *testing.T) {
	if !canWatch(t) {
		return
	}
	l := newWatchedLab(t)
	if !l.settle() {
		t.Fatal("it is not held")
	}
	top := filepath.Join(l.dir, "top")
	if err := os.Rename(top, top+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(top, os.DirFS(top+".old")); err != nil {
		t.Fatal(err)
	}
	note(t, l.root, l.name(4), "Memory 4", "text 4444")
	l.x.watches[l.root].lookAgain(t.Context(), l.x, l.root)
	l.check("after a look at other folders")
	if !l.settle() {
		t.Error("the new folders are not watched")
	}
}

// TestWatchDoubted: a file with another name elsewhere may change without a word. Where
// it has one already, nothing is watched; where it gets one later, the look that
// follows an answer finds the change, and nothing is watched from then on.
func TestWatchDoubted(t *testing.T) {
	if !canWatch(t) {
		return
	}
	for _, before := range []bool{true, false} {
		l := newWatchedLab(t)
		outside := filepath.Join(l.dir, "outside.md")
		link := func() {
			if err := os.Link(filepath.Join(l.root, filepath.FromSlash(l.name(0))), outside); err != nil {
				t.Fatal(err)
			}
		}
		if before {
			link()
		}
		if held := l.settle(); held == before {
			t.Fatalf("held = %v", held)
		}
		if !before {
			link()
		}
		data, err := os.ReadFile(outside)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(outside, []byte(strings.Replace(string(data), "0000", "1111", 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		l.x.watches[l.root].lookAgain(t.Context(), l.x, l.root)
		l.check("after a write from outside")
		if !l.x.watches[l.root].never {
			t.Error("the watch is believed")
		}
	}
}

// TestWatchSmall: a small tree is looked at, and so is every tree of a process that
// does not live on.
func TestWatchSmall(t *testing.T) {
	root := t.TempDir()
	note(t, root, "a.md", "A", "a")
	for _, opt := range []Options{{Watch: true}, {}} {
		x := Open(opt)
		for range 3 {
			scan(t, x, root)
		}
		if s := x.watches[root]; s != nil && (s.tree != nil || s.watch != nil) {
			t.Error("a tree of one file is watched")
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestWatchNewFolder: a folder that one look finds and has watched is not taken by
// another look, which saw it before, for one that was watched all the time.
func TestWatchNewFolder(t *testing.T) {
	if !canWatch(t) {
		return
	}
	l := newWatchedLab(t)
	l.settle()
	const name = "gotcha/new/n.md"
	note(t, l.root, name, "A gotcha", "text 0000")
	s := l.x.watches[l.root]
	look := func() (since int, found *Tree, w *tree.Walked) {
		since = s.before()
		found, w, err := l.x.look(t.Context(), l.root, Haste{Most: tree.MaxFiles})
		if err != nil {
			t.Fatal(err)
		}
		return since, found, w
	}
	since1, tree1, w1 := look()
	since2, tree2, w2 := look()
	note(t, l.root, name, "A gotcha", "text 1111") // in a folder that is not watched yet
	s.after(l.root, since1, tree1, w1)
	s.after(l.root, since2, tree2, w2)
	l.check("after an edit between two looks and their ends")
}
