package memory_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

// TestMergeVectors: three versions of a memory are merged as the vectors of the rules G want it, whichever side
// is ours.
func TestMergeVectors(t *testing.T) {
	for _, dir := range vectorsOf(t, "G*") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			read := func(name string) *memory.Memory {
				data, ok := vectorFile(dir, name)
				if !ok {
					return nil
				}
				m, err := memory.Parse(name, data)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(data), string(memory.Format(m))); diff != "" {
					t.Errorf("%s is not canonical:\n%s", name, diff)
				}
				return m
			}
			base, ours, theirs := read("base.md"), read("ours.md"), read("theirs.md")
			for _, sides := range [][2]*memory.Memory{{ours, theirs}, {theirs, ours}} {
				m, err := memory.Merge(base, sides[0], sides[1], secondLines)
				if err != nil {
					if _, err := os.Stat(filepath.Join(dir, "merged.md")); err == nil {
						t.Error("not merged")
					}
					continue
				}
				checkFile(t, filepath.Join(dir, "merged.md"), memory.Format(m))
			}
		})
	}
}
