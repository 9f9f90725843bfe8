package index

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
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

// readString reads a whole file as a string that nothing else refers to, so
// that names and records can be cut from it without copying. If it is to stay,
// the file may be mapped, for as long as the process lives; it must not be cut.
func readString(name string, stay bool) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	data, _, err := openBytes(file, info.Size(), stay && info.Size() >= stayFrom, true)
	return unsafeString(data), err
}

// stayFrom is the size from which mapping a file for good is cheaper than
// reading it.
const stayFrom = 64 << 10

// touched makes n zeroes of which every page was written. Reading fresh memory
// first costs two page faults, and page faults are a third of what a search of
// ten thousand memories costs beside looking at their files.
func touched[T any](n int) []T {
	s := make([]T, n)
	size := int(unsafe.Sizeof(*new(T)))
	if bytes := n * size; bytes >= populateFrom {
		populate(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), bytes)) //nolint:gosec // the memory of s
	}
	for i := 0; i < n; i += max(1, 4096/size) {
		s[i] = *new(T)
	}
	return s
}

// populateFrom is the size in bytes from which asking for all pages of a slice
// at once is cheaper than touching them.
const populateFrom = 256 << 10

// unsafeString makes data, which is not used any more, a string.
func unsafeString(data []byte) string {
	return unsafe.String(unsafe.SliceData(data), len(data)) //nolint:gosec // it does not change any more
}

// checksumString is [checksum] of a string, without a copy.
func checksumString(s string) uint32 {
	return crc32.Checksum(unsafe.Slice(unsafe.StringData(s), len(s)), castagnoli()) //nolint:gosec // only read
}

// mapFrom is the size from which mapping is cheaper than reading.
const mapFrom = 1 << 20

// loadBytes reads a file, or maps all of it when it is large and mapping is
// wanted.
func loadBytes(name string, mapping bool) ([]byte, io.Closer, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	return openBytes(file, info.Size(), mapping && info.Size() >= mapFrom, true)
}

// mapFile maps an open file; its pages are read when they are touched.
func mapFile(file *os.File) ([]byte, io.Closer, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	return openBytes(file, info.Size(), true, false)
}

// mapRows maps a file of a model or of vectors. Of a model a query needs a few
// rows. It is the user's and may be truncated while it is mapped: read it under
// [guardMapped].
func mapRows(name string) ([]byte, io.Closer, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil {
		return nil, nil, err
	} else if !info.Mode().IsRegular() || info.Size() > maxModel {
		return nil, nil, errors.New("not a regular file of a size that can be read")
	}
	return mapFile(file)
}
