//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package tree

import (
	"os"
	"path"
	"path/filepath"

	"github.com/git-cortex/cortex/internal/stamp"
)

// read lists one folder with the attributes of what it holds.
func (w *walker) read(f *Folder) {
	entries, err := os.ReadDir(filepath.Join(w.cache.root, filepath.FromSlash(f.Path)))
	if err != nil {
		f.trouble(f.Path, err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			f.trouble(path.Join(f.Path, e.Name()), err)
			continue
		}
		f.take(e.Name(), info.Mode(), stamp.Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()})
	}
	f.inherit(w.old(f.Path), w.cache.stamp)
}
