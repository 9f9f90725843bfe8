//go:build unix

package readfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFolder: files of several folders are read in turn, larger and smaller ones, and a
// folder that is a link by now is not gone into.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{"a/1": "one", "a/2": strings.Repeat("two ", 5000), "b/3": "", "a/4": "four"}
	for name, text := range want {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var f Folder
	for _, name := range []string{"a/1", "a/2", "a/1", "b/3", "a/4"} {
		if got, err := f.Read(filepath.Join(dir, name)); err != nil || string(got) != want[name] {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	if _, err := f.Read(filepath.Join(dir, "a", "none")); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
	f.Close()
	if _, err := f.Read(filepath.Join(dir, "none", "1")); !os.IsNotExist(err) {
		t.Errorf("no folder: %v", err)
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if got, err := f.Read(filepath.Join(dir, "link", "1")); err == nil {
		t.Errorf("behind a link: %q", got)
	}
	f.Close()
	if got, err := f.Read(filepath.Join(dir, "a", "1")); err != nil || string(got) != "one" {
		t.Errorf("after it was closed: %q, %v", got, err)
	}
	f.Close()
}
