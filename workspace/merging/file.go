package merging

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
)

// ReadSide reads a file that git hands to a merge driver; name is what errors call it.
func ReadSide(path, name string) ([]byte, error) {
	data, err := atomicfile.Read(path, 16*memory.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return data, nil
}

// ReplaceFile writes a file whole: git never sees half of it. The temporary file is in the cache
// folder if it can be renamed from there, because what a kill leaves there is in
// nobody's way. Nothing is synced: git reads the file at once, and makes its own
// of it.
func ReplaceFile(cache, name string, data []byte) error {
	top := filepath.Dir(name)
	temp, err := filepath.Rel(top, cache)
	for !filepath.IsLocal(temp) && top != filepath.Dir(top) {
		top = filepath.Dir(top)
		temp, err = filepath.Rel(top, cache)
	}
	if err != nil || os.MkdirAll(cache, 0o777) != nil {
		return atomicfile.WritePath(name, data, atomicfile.Options{NoSync: true})
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	defer root.Close()
	below, err := filepath.Rel(top, name)
	if err != nil {
		return err
	}
	return atomicfile.Write(root, below, data, atomicfile.Options{NoSync: true, Temp: temp})
}
