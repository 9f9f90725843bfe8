package index

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/google/go-cmp/cmp"
)

// note writes a memory whose path does not depend on its text.
func note(t *testing.T, root, name, title, text string) {
	t.Helper()
	m := memory.New(memory.Decision, title, text, testNow)
	writeFile(t, filepath.Join(root, name), memory.Format(m))
}

func TestScanSeesEveryEdit(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "memories")
	open := func() *Index { return Open(Options{Dir: filepath.Join(dir, "cache")}) }
	note(t, root, "a.md", "First", "alpha one")
	note(t, root, "b.md", "Second", "bravo one")
	texts := []string{"alpha two", "alpha six", "alpha ten"} // of equal length, so that only times tell
	x := open()
	scan(t, x, root)
	_ = x.Close()
	for _, text := range texts {
		note(t, root, "a.md", "First", text)
		x = open()
		tree := scan(t, x, root)
		m, ok := x.Catalog().Memory(t.Context(), tree.Items[0].Blob)
		if !ok || m.Text != text {
			t.Fatalf("after an edit in place: %+v, want text %q", m, text)
		}
		_ = x.Close()
	}
}

// TestScanState: trees of one state hold the same files, whatever was done to them
// in between, and a tree that stays as it is keeps its state.
func TestScanState(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "memories")
	seen := map[string]string{}
	look := func() string {
		x := Open(Options{Dir: filepath.Join(dir, "cache")})
		defer x.Close()
		tree := scan(t, x, root)
		var files []string
		for _, it := range tree.Items {
			files = append(files, it.Path+" "+it.Blob)
		}
		list := strings.Join(files, "\n")
		if was, ok := seen[tree.State]; tree.State == "" || ok && was != list {
			t.Fatalf("state %q is of two trees:\n%s\nand\n%s", tree.State, was, list)
		}
		seen[tree.State] = list
		return tree.State
	}
	for i, change := range []func(){
		func() { note(t, root, "a.md", "First", "alpha one") },
		func() { note(t, root, "b/b.md", "Second", "bravo one") },
		func() { note(t, root, "a.md", "First", "alpha two") },
		func() { note(t, root, "a.md", "First", "alpha one") },
		func() { _ = os.Rename(filepath.Join(root, "a.md"), filepath.Join(root, "c.md")) },
		func() { _ = os.Remove(filepath.Join(root, "b", "b.md")) },
	} {
		change()
		look()
		tick(t, dir)
		if a, b := look(), look(); a != b {
			t.Errorf("after change %d nothing happened, and the state is another one", i)
		}
	}
	if tree := scan(t, Open(Options{}), root); tree.State != "" {
		t.Errorf("without a cache the state is %q", tree.State)
	}
}

// tick waits until the clock of the file system has moved on, which writing a file beside
// the tree tells.
func tick(t *testing.T, dir string) {
	t.Helper()
	at := func() time.Time {
		path := filepath.Join(dir, "clock")
		writeFile(t, path, []byte("tick"))
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	for from := at(); !at().After(from); {
		runtime.Gosched()
	}
}

func TestScanReadsUnchangedFilesOnce(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "memories")
	old := testNow.Add(-time.Hour)
	for _, name := range []string{"decision/2026-11/a.md", "decision/2026-11/b.md", "fix/2026-10/c.md"} {
		note(t, root, name, name, "text")
	}
	for _, name := range treeFiles(t, root) {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	tick(t, dir)
	for round, want := range []int{3, 0, 0} {
		x := Open(Options{Dir: filepath.Join(dir, "cache")})
		if tree := scan(t, x, root); tree.Read != want {
			t.Errorf("round %d: %d files read, want %d", round, tree.Read, want)
		}
		_ = x.Close()
	}
	if err := os.Remove(filepath.Join(root, "fix/2026-10/c.md")); err != nil {
		t.Fatal(err)
	}
	x := Open(Options{Dir: filepath.Join(dir, "cache")})
	defer x.Close()
	tree := scan(t, x, root)
	var paths []string
	for _, f := range tree.Items {
		paths = append(paths, f.Path)
	}
	if diff := cmp.Diff([]string{"decision/2026-11/a.md", "decision/2026-11/b.md"}, paths); diff != "" {
		t.Error(diff)
	}
}

func TestScanReportsWhatIsNotAMemory(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "memories")
	note(t, root, "good.md", "Good", "text")
	writeFile(t, filepath.Join(root, "broken.md"), []byte("---\nid: nonsense\n---\ntext\n"))
	writeFile(t, filepath.Join(root, "plain.md"), []byte("just text\n"))
	writeFile(t, filepath.Join(root, "empty.md"), nil)
	writeFile(t, filepath.Join(root, "huge.md"), bytes.Repeat([]byte("x"), memory.MaxFile+1))
	writeFile(t, filepath.Join(root, "notes.txt"), []byte("left alone"))
	writeFile(t, filepath.Join(root, ".hidden.md"), []byte("left alone"))
	writeFile(t, filepath.Join(root, strings.Repeat("d/", 12), "deep.md"), []byte("too deep"))
	want := []string{"broken.md", "d/d/d/d/d/d/d/d/d", "empty.md", "huge.md", "plain.md"}
	if runtime.GOOS != "windows" {
		if err := os.Symlink("good.md", filepath.Join(root, "link.md")); err != nil {
			t.Fatal(err)
		}
		want = append(want[:4:4], "link.md", "plain.md")
		if path, err := exec.LookPath("mkfifo"); err == nil {
			if err := exec.Command(path, filepath.Join(root, "pipe.md")).Run(); err == nil {
				want = append(want[:5:5], "pipe.md", "plain.md")
			}
		}
	}
	for range 2 { // the second time from the caches
		x := Open(Options{Dir: filepath.Join(dir, "cache")})
		tree := scan(t, x, root)
		var got []string
		for _, p := range tree.Problems {
			got = append(got, p.Path)
			if p.Text == "" || p.Path == "broken.md" && p.Line != 2 {
				t.Errorf("problem without reason or line: %+v", p)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if len(tree.Items) != 1 || tree.Items[0].Path != "good.md" {
			t.Errorf("files: %+v", tree.Items)
		}
		_ = x.Close()
	}
}

// TestScanReportsAFolderOfProblemsAgain has one in which no file is a memory,
// beside folders that are as they were.
func TestScanReportsAFolderOfProblemsAgain(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "memories")
	note(t, root, "fix/good.md", "Good", "text")
	writeFile(t, filepath.Join(root, "odd", "huge.md"), bytes.Repeat([]byte("x"), memory.MaxFile+1))
	tick(t, dir)
	for round := range 3 {
		x := Open(Options{Dir: filepath.Join(dir, "cache")})
		tree := scan(t, x, root)
		if len(tree.Items) != 1 || len(tree.Problems) != 1 || tree.Problems[0].Path != "odd/huge.md" {
			t.Errorf("round %d: %d memories, %v", round, len(tree.Items), tree.Problems)
		}
		_ = x.Close()
	}
}

// TestScanInSlices: whatever part of a tree each scan has time for, some scans later
// the tree is whole, and those in between show the newest memories.
func TestScanInSlices(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "memories")
	months := []string{"2024-03", "2026-11", "2025-07"}
	for i := range 30 {
		note(t, root, fmt.Sprintf("decision/%s/note-%02d.md", months[i%3], i), fmt.Sprint("Note ", i), "alpha")
	}
	tick(t, dir)
	for n, want := range []int{12, 24, 30} {
		x := Open(Options{Dir: filepath.Join(dir, "cache")})
		tree, err := x.ScanSome(t.Context(), root, Haste{Most: 12})
		if err != nil {
			t.Fatal(err)
		}
		if len(tree.Items) != want || tree.Left != 30-want || (tree.State == "") != (want < 30) || len(tree.Problems) > 0 {
			t.Fatalf("scan %d: %d memories, %d left, state %q, problems %v", n, len(tree.Items), tree.Left, tree.State, tree.Problems)
		}
		newest := 0
		for _, it := range tree.Items {
			if strings.Contains(it.Path, "2026-11") {
				newest++
			}
		}
		if newest != 10 {
			t.Errorf("scan %d shows %d of the ten newest", n, newest)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
	x := Open(Options{Dir: filepath.Join(dir, "cache")})
	defer x.Close()
	if tree := scan(t, x, root); tree.Read != 0 || len(tree.Items) != 30 {
		t.Errorf("afterwards %d files are read again, of %d memories", tree.Read, len(tree.Items))
	}
}

// ending is a context that ends after it was asked so many times.
type ending struct {
	context.Context //nolint:containedctx // it is a context itself
	left            atomic.Int64
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestScanCutShort: what a scan read before its time was up is not read again.
func TestScanCutShort(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "memories")
	for i := range 60 {
		note(t, root, fmt.Sprintf("note-%02d.md", i), fmt.Sprint("Note ", i), "alpha")
	}
	tick(t, dir)
	x := Open(Options{Dir: filepath.Join(dir, "cache")})
	ctx := &ending{Context: t.Context()}
	ctx.left.Store(40)
	if tree, err := x.Scan(ctx, root); err == nil {
		t.Fatalf("the scan was not cut short: %d memories", len(tree.Items))
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	x = Open(Options{Dir: filepath.Join(dir, "cache")})
	defer x.Close()
	if tree := scan(t, x, root); tree.Read > 40 || len(tree.Items) != 60 {
		t.Errorf("the next scan reads %d files again, and shows %d memories of 60", tree.Read, len(tree.Items))
	}
}

func TestScanOfNothing(t *testing.T) {
	x := Open(Options{Dir: filepath.Join(t.TempDir(), "cache")})
	defer x.Close()
	if tree := scan(t, x, filepath.Join(t.TempDir(), "none")); len(tree.Items)+len(tree.Problems) != 0 {
		t.Errorf("%+v", tree)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Scan(ctx, t.TempDir()); err == nil {
		t.Error("a cancelled scan succeeded")
	}
}

func TestBlobID(t *testing.T) {
	// git hash-object of the same bytes, in both formats
	for _, c := range []struct {
		data   string
		sha256 bool
		want   string
	}{
		{"", false, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"},
		{"hello\n", false, "ce013625030ba8dba906f756967f9e9ca394464a"},
		{"", true, "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"},
	} {
		if got := BlobID([]byte(c.data), c.sha256); got != c.want {
			t.Errorf("BlobID(%q, %v) = %s, want %s", c.data, c.sha256, got, c.want)
		}
	}
}
