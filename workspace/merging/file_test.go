package merging_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-cortex/cortex/workspace/merging"
)

// TestReplaceFile: the file is whole at any time, with the cache in its tree,
// beside it, or nowhere to be made, and nothing is left in sight.
func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	top := filepath.Join(dir, "tree")
	name := filepath.Join(top, ".merge_file_a")
	if err := os.Mkdir(top, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, cache := range []string{
		filepath.Join(top, ".git", "cortex"), filepath.Join(dir, "main", ".git", "cortex"), filepath.Join(dir, "file", "cortex"),
	} {
		if err := os.WriteFile(name, []byte("ours"), 0o600); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for _, c := range []string{"a", "b"} { // two at once, in one process
			group.Go(func() {
				if err := merging.ReplaceFile(cache, name, []byte(strings.Repeat(c, 1<<16))); err != nil {
					t.Errorf("with the cache %s: %v", cache, err)
				}
			})
		}
		group.Wait()
		got, err := os.ReadFile(name)
		if err != nil || string(got) != strings.Repeat(string(got[0]), 1<<16) {
			t.Errorf("with the cache %s: %d bytes, %v", cache, len(got), err)
		}
		for _, folder := range []string{top, cache} {
			left, _ := filepath.Glob(filepath.Join(folder, "*.tmp"))
			hidden, _ := filepath.Glob(filepath.Join(folder, ".*.tmp"))
			if len(left)+len(hidden) > 0 {
				t.Errorf("with the cache %s: %v %v are left", cache, left, hidden)
			}
		}
	}
}
