package clone

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBelow spells one folder in two ways, as a file system does that sees no
// difference between cases: a link stands for it here.
func TestBelow(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "Work", "hooks", "_"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("Work", filepath.Join(dir, "work")); err != nil {
		t.Skipf("this system lets nobody but an administrator make symbolic links, which stand in for two spellings of a name here: %v", err)
	}
	for _, tc := range []struct {
		top, path, rel string
		in             bool
	}{
		{"Work", "Work/hooks", "hooks", true},
		{"Work", "work/hooks/_", "hooks/_", true},
		{"work", "Work/hooks/not-there", "hooks/not-there", true},
		{"Work", "work", ".", true},
		{"Work/hooks", "work", "", false},
		{"Work/hooks", "Work/hook", "", false},
	} {
		rel, in := Below(filepath.Join(dir, tc.top), filepath.Join(dir, tc.path))
		if filepath.ToSlash(rel) != tc.rel || in != tc.in {
			t.Errorf("%s below %s: %q, %v", tc.path, tc.top, rel, in)
		}
	}
}

// TestBelowLong: a path of millions of folders takes no time.
func TestBelowLong(t *testing.T) {
	dir := t.TempDir()
	far := strings.Repeat(string(filepath.Separator)+"a", 1<<20)
	if rel, in := Below(dir, filepath.VolumeName(dir)+far); in {
		t.Errorf("it is at %d bytes", len(rel))
	}
	if rel, in := Below(dir, dir+far); !in || len(rel) != len(far)-1 {
		t.Errorf("below the top: %d bytes, %v", len(rel), in)
	}
}
