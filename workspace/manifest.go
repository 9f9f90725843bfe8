package workspace

import (
	"slices"

	"github.com/git-cortex/cortex/workspace/internal/manifest"
)

// dependencies returns the names that the manifests at the root of the working
// tree depend on. What cannot be read is left out.
func (t *worktree) dependencies() []string {
	f, err := t.folder()
	if err != nil {
		return nil
	}
	var names []string
	for _, file := range manifest.Files() {
		if data, ok, err := f.ReadCapped(file, manifest.MaxSize); err == nil && ok {
			names = append(names, manifest.Dependencies(file, data)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
