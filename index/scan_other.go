//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package index

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/git-cortex/cortex/index/internal/stamp"
	"github.com/git-cortex/cortex/memory"
)

// read lists one folder with the attributes of what it holds.
func (w *walker) read(f *folderStat) {
	entries, err := os.ReadDir(filepath.Join(w.root, filepath.FromSlash(f.path)))
	if err != nil {
		f.trouble(f.path, err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			f.trouble(path.Join(f.path, e.Name()), err)
			continue
		}
		f.take(e.Name(), info.Mode(), stamp.Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()})
	}
	f.inherit(w.old(f.path), w.cache.stamp)
}

// readRegular reads a file that is no link.
func readRegular(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", kindOf(info.Mode()))
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, memory.MaxFile+1))
	if err == nil && len(data) > memory.MaxFile {
		err = errTooLarge(int64(len(data)))
	}
	return data, err
}
