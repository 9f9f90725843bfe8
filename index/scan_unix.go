//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package index

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// read lists one folder and stats what it holds relative to the open folder,
// which is cheaper than by full paths. The list of names is that of the last
// scan if the folder did not change: files edited in place do not change it.
func (w *walker) read(f *folderStat) {
	dir, err := os.Open(filepath.Join(w.root, filepath.FromSlash(f.path)))
	if err != nil {
		f.trouble(err)
		return
	}
	defer dir.Close()
	fd := int(dir.Fd())
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		f.trouble(err)
		return
	}
	f.stamp = stampOf(&st)
	old := w.cache.folder(f.path)
	if f.reusable(old, w.cache.stamp) {
		f.folders = old.folders
		f.again(fd, old, w.cache.stamp)
		return
	}
	names, err := dir.Readdirnames(-1)
	if err != nil {
		f.trouble(err)
	}
	slices.Sort(names)
	for _, name := range names {
		if unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil {
			f.take(name, modeOf(uint32(st.Mode)), stampOf(&st))
		}
	}
	f.inherit(old, w.cache.stamp)
}

// again stats the files of old.
func (f *folderStat) again(fd int, old *folderStat, at int64) {
	f.files = make([]fileStat, len(old.files))
	const part = 512
	parallel((len(old.files)+part-1)/part, func(next func() (int, bool)) {
		var st unix.Stat_t
		for i, ok := next(); ok; i, ok = next() {
			for k := i * part; k < min((i+1)*part, len(old.files)); k++ {
				was := &old.files[k]
				name := was.path[strings.LastIndexByte(was.path, '/')+1:]
				if unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil || modeOf(uint32(st.Mode)) != 0 {
					continue
				}
				now := &f.files[k]
				now.path, now.stamp = was.path, stampOf(&st)
				if now.stamp == was.stamp && !now.racy(at) {
					now.blob = was.blob
				}
			}
		}
	})
	f.files = slices.DeleteFunc(f.files, func(s fileStat) bool { return s.path == "" })
}

func stampOf(st *unix.Stat_t) stamp {
	return stamp{size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), inode: st.Ino}
}

func modeOf(mode uint32) os.FileMode {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return os.ModeDir
	case unix.S_IFLNK:
		return os.ModeSymlink
	case unix.S_IFIFO:
		return os.ModeNamedPipe
	}
	return os.ModeIrregular
}

// openNoFollow opens name unless it is a link, and without waiting for the
// other end of a pipe.
func openNoFollow(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
}
