package index

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// removeOthers deletes the files of dir named prefix…suffix except keep. What
// cannot be deleted now is deleted next time.
func removeOthers(dir, prefix, suffix, keep string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if n := e.Name(); n != keep && strings.HasPrefix(n, prefix) && strings.HasSuffix(n, suffix) {
			_ = os.Remove(filepath.Join(dir, n))
		}
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
