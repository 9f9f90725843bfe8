//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package index

import (
	"os"
	"path/filepath"
)

// readFolder lists one folder with its file attributes.
func (w *walker) readFolder(dir string) folder {
	var out folder
	entries, err := os.ReadDir(filepath.Join(w.root, filepath.FromSlash(dir)))
	if err != nil && !os.IsNotExist(err) {
		out.problems = append(out.problems, problemOf(dir, err))
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // gone since it was listed
		}
		out.sort(dir, e.Name(), info.Mode(), fileStat{size: info.Size(), mtime: info.ModTime().UnixNano()})
	}
	return out
}

func openNoFollow(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrInvalid}
	}
	return os.Open(name)
}
