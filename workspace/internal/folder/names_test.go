package folder_test

import (
	"crypto/sha1" //nolint:gosec // git computes ids with it
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// TestFolded: spellings that some file system takes for one file are one, and no others.
func TestFolded(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{".cortex/memories", ".CORTEX/Memories", true},
		{".cortex", ".cort\u200cex", true},
		{".cortex", ".cortex. .", true},
		{".cortex", ".cortex::$INDEX_ALLOCATION", true},
		{"caf\u00e9", "cafe\u0301", true},
		{"\u212aey", "key", true}, // the sign for kelvin is a k
		{".cortex", "cortex", false},
		{"a/b", "ab", false},
	} {
		if got := folder.Folded(tt.a) == folder.Folded(tt.b); got != tt.same {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
	}
}

// TestShortOf: what may be the short name that NTFS gives to another one.
func TestShortOf(t *testing.T) {
	for _, tt := range []struct {
		short, name string
		may         bool
	}{
		{"CORTEX~1", ".cortex", true},
		{"cortex~12", ".cortex", true},
		{"CO1A2B~1", ".cortex", true},
		{"COXXXX~1", ".cortex", false},
		{"MEMORI~1", "memories", true},
		{"MEMORY~1", "memories", false},
		{"memories", "memories", false},
		{"CORTEX~", ".cortex", false},
		{"LONGER~1", "long", false},
	} {
		if got := folder.ShortOf(tt.short, tt.name); got != tt.may {
			t.Errorf("%s of %s: %v", tt.short, tt.name, got)
		}
	}
}

// TestAnchors: a file has the id that git gives to its bytes; what is not there has none.
func TestAnchors(t *testing.T) {
	f := folder.Folder{Root: t.TempDir(), Hash: func(data []byte) gitops.ObjectID {
		sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(data), data)) //nolint:gosec // as git computes ids
		return gitops.ObjectID(fmt.Sprintf("%x", sum))
	}}
	write(t, f, "a.go", "package a\n")
	write(t, f, "big.bin", strings.Repeat("x", 1<<20+1))
	want := []memory.Anchor{{Path: "a.go", Blob: "2a93cdef549545101b086408d9ee767fda0c02c2"}}
	if diff := cmp.Diff(want, f.Anchors([]string{"a.go", "none.go", "big.bin"})); diff != "" {
		t.Error(diff)
	}
}

// TestManifests: names of dependencies and of the project come from the manifests at the root.
func TestManifests(t *testing.T) {
	f := folder.Folder{Root: t.TempDir()}
	write(t, f, "go.mod", "module example.com/harbour\n\nrequire example.org/tide v1.0.0\n")
	write(t, f, "package.json", `{"name":"harbour-web","dependencies":{"vite":"5","lit":"3"}}`)
	write(t, f, "sub/Cargo.toml", "[package]\nname = 'deep'\n")
	if diff := cmp.Diff([]string{"example.org/tide", "lit", "vite"}, f.Dependencies()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"example.com/harbour", "harbour-web"}, f.ProjectNames()); diff != "" {
		t.Error(diff)
	}
}

// TestWhere: what is in a folder is told from what is outside or not there.
func TestWhere(t *testing.T) {
	f := folder.Folder{Root: t.TempDir()}
	write(t, f, "a/b.md", "x")
	for path, want := range map[string]bool{"a": true, "a/b.md": true, "a/c.md": false, "../x": false, "": false} {
		if got := f.Exists(path); got != want {
			t.Errorf("%s exists: %v", path, got)
		}
	}
	if (folder.Folder{}).Exists("a") {
		t.Error("something is in no folder")
	}
	root, err := filepath.EvalSymlinks(f.Root)
	if err != nil {
		t.Fatal(err)
	}
	in := folder.Folder{Root: root}
	if !in.Holds(filepath.Join(root, "a")) || in.Holds(filepath.Dir(root)) {
		t.Error("what lies in a folder is not told")
	}
}

// TestRefused: nothing of ours is read through a link, or written where the format is newer.
func TestRefused(t *testing.T) {
	newer := errors.New("written by a newer version")
	f := folder.Folder{Root: t.TempDir(), Newer: newer}
	if _, err := f.Write(folder.Dir+"/x", nil); !errors.Is(err, newer) {
		t.Error(err)
	}
	if err := f.Remove(folder.Dir+"/x", folder.Dir); !errors.Is(err, newer) {
		t.Error(err)
	}
	if _, err := f.Disposable().Write("other/x", []byte("x")); err != nil {
		t.Error(err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	f.Newer = nil
	if err := os.Symlink("other", filepath.Join(f.Root, folder.Dir)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Read(folder.Dir + "/x"); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("read through a link: %v", err)
	}
	if err := f.Remove(folder.Dir+"/x", folder.Dir); err == nil {
		t.Error("removed through a link")
	}
}

func write(t *testing.T, f folder.Folder, path, text string) {
	t.Helper()
	if _, err := f.Write(path, []byte(text)); err != nil {
		t.Fatal(err)
	}
}
