//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package index

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/git-cortex/cortex/index/internal/readfile"
	"github.com/git-cortex/cortex/index/internal/tree"
	"github.com/git-cortex/cortex/memory"
)

// TestReadRegular: a file is read whole up to the limit, and nothing else than a file is.
func TestReadRegular(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	for _, size := range []int{0, 1, 511, 512, 4096, memory.MaxFile - 1, memory.MaxFile} {
		want := bytes.Repeat([]byte{'x'}, size)
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := readfile.Read(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: read %d, %v", size, len(got), err)
		}
	}
	if err := os.WriteFile(name, make([]byte, 2*memory.MaxFile), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readfile.Read(name); err == nil || !strings.Contains(err.Error(), "over the limit") {
		t.Errorf("too large: %v", err)
	}
	link, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.Symlink(name, link), unix.Mkfifo(pipe, 0o666)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{link: "symbolic links", pipe: "a named pipe is not", dir: "a folder is not"} {
		if _, err := readfile.Read(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
	}
	if _, err := readfile.Read(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestScanFolders: a scan of folders alone sees what came and went, and takes for what it
// was a file that was written in place; a whole scan afterwards sees that too, whatever
// was kept in between.
func TestScanFolders(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "memories")
	look := func(folders bool) (titles string) {
		t.Helper()
		x := Open(Options{Dir: filepath.Join(dir, "cache")})
		tree, err := x.ScanSome(t.Context(), root, Haste{Most: tree.MaxFiles, Folders: folders})
		if err != nil || len(tree.Problems) > 0 {
			t.Fatal(err, tree)
		}
		for i := range tree.Items {
			m, _ := x.Catalog().Memory(t.Context(), tree.Items[i].Blob)
			titles += m.Title + " "
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		return titles
	}
	for i, name := range []string{"a/2026-01/one.md", "a/2026-02/two.md", "b/2026-01/three.md"} {
		note(t, root, name, fmt.Sprint("Note", i), "alpha")
	}
	check := func(what string, folders bool, want string) {
		t.Helper()
		if got := look(folders); got != want {
			t.Errorf("%s: %q, not %q", what, got, want)
		}
	}
	tick(t, dir)
	check("at first", true, "Note0 Note1 Note2 ")
	tick(t, dir)
	note(t, root, "a/2026-01/one.md", "NoteX", "alpha") // in place, and as long
	check("written in place", true, "Note0 Note1 Note2 ")
	tick(t, dir)
	note(t, root, "a/2026-02/four.md", "Note4", "alpha")
	if err := os.Remove(filepath.Join(root, "b/2026-01/three.md")); err != nil {
		t.Fatal(err)
	}
	check("came and went", true, "Note0 Note4 Note1 ")
	check("whole", false, "NoteX Note4 Note1 ")
	check("afterwards", true, "NoteX Note4 Note1 ")
	look(false)
	note(t, root, "a/2026-01/one.md", "NoteY", "alpha")
	look(false)
	note(t, root, "a/2026-01/one.md", "NoteZ", "alpha") // perhaps in the same moment as that scan
	note(t, root, "b/2026-01/five.md", "Note5", "alpha")
	look(true)
	check("in the moment of a scan", false, "NoteZ Note4 Note1 Note5 ")
}
