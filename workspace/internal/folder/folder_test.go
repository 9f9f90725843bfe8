package folder_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/git-cortex/cortex/workspace/internal/folder"
)

func TestFolderStaysInside(t *testing.T) {
	outside := t.TempDir()
	root := t.TempDir()
	f := folder.Folder{Root: root}
	if changed, err := f.Write("a/b/c.md", []byte("one")); err != nil || !changed {
		t.Fatalf("%v %v", changed, err)
	}
	if changed, err := f.Write("a/b/c.md", []byte("one")); err != nil || changed {
		t.Errorf("the same again: %v %v", changed, err)
	}
	if data, ok, err := f.Read("a/b/c.md"); string(data) != "one" || !ok || err != nil {
		t.Errorf("%q %v %v", data, ok, err)
	}
	if _, ok, err := f.Read("a/none.md"); ok || err != nil {
		t.Errorf("a missing file: %v %v", ok, err)
	}
	if _, _, err := f.Read("a"); err == nil {
		t.Error("a folder was read")
	}
	if _, _, err := f.ReadCapped("a/b/c.md", 2); err == nil {
		t.Error("a file over the limit was read")
	}
	for _, path := range []string{"../x", "a/../../x", filepath.Join(outside, "x")} {
		if _, err := f.Write(path, []byte("x")); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	if runtime.GOOS != "windows" {
		if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write("link/x", []byte("x")); err == nil {
			t.Error("a link led outside")
		}
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("outside holds %v %v", left, err)
	}
	if err := f.Remove("a/b/c.md", "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "a")); err != nil {
		t.Error("the folder to keep went too")
	}
	if _, err := os.Stat(filepath.Join(root, "a", "b")); err == nil {
		t.Error("an empty folder stayed")
	}
	if err := f.Remove("a/b/c.md", "a"); err != nil {
		t.Errorf("removing what is not there: %v", err)
	}
}
