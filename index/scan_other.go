//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package index

import (
	"os"
	"path"
	"path/filepath"

	"github.com/git-cortex/cortex/internal/stamp"
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
