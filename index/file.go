package index

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"
)

// replaceFile writes data beside name and renames it into place, so that a
// reader sees the old file or the new one. It does not fsync: every file of
// this package carries checksums and can be made again.
func replaceFile(name string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".tmp-*")
	if err != nil {
		return fmt.Errorf("making a temporary file: %w", err)
	}
	_, err = tmp.Write(data)
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return fmt.Errorf("replacing %s: %w", filepath.Base(name), err)
	}
	return nil
}

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

// checksumString is [checksum] of a string, without a copy.
func checksumString(s string) uint32 {
	return crc32.Checksum(unsafe.Slice(unsafe.StringData(s), len(s)), castagnoli()) //nolint:gosec // only read
}
