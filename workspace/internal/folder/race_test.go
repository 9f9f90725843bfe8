package folder_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// TestWritersOfOneProcess: two workspaces in one process, or two containers on
// one tree, have the same process id. What both were told is written must be
// there, and whole.
func TestWritersOfOneProcess(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "cache"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, cache := range map[string]string{"temporary files in the cache": "cache", "beside the file": ""} {
		t.Run(name, func(t *testing.T) {
			wrong := 0
			const rounds = 300
			for i := range rounds {
				if !twoWriters(t, folder.Folder{Root: root, Cache: cache}, i) {
					wrong++
				}
			}
			if wrong > 0 {
				t.Errorf("%d of %d rounds ended with a wrong or missing file and no error", wrong, rounds)
			}
		})
	}
}

// twoWriters writes two files at once and reports whether each of them is as
// its writer was told.
func twoWriters(t *testing.T, f folder.Folder, round int) bool {
	t.Helper()
	var group sync.WaitGroup
	ok := make([]bool, 2)
	for k := range ok {
		group.Go(func() {
			name := fmt.Sprintf("memories/%c.md", 'a'+k)
			data := bytes.Repeat(fmt.Appendf(nil, "round %d of writer %d\n", round, k), 40*(1+k))
			if _, err := f.Write(name, data); err != nil {
				ok[k] = true // an error that is reported loses nothing
				return
			}
			got, err := os.ReadFile(filepath.Join(f.Root, name))
			ok[k] = err == nil && bytes.Equal(got, data)
		})
	}
	group.Wait()
	return ok[0] && ok[1]
}
