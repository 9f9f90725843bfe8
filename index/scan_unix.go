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
	name := filepath.Join(w.root, filepath.FromSlash(f.path))
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		f.trouble(&os.PathError{Op: "open", Path: name, Err: err})
		return
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		f.trouble(&os.PathError{Op: "stat", Path: name, Err: err})
		return
	}
	f.stamp = stampOf(&st)
	old := w.cache.folder(f.path)
	if f.reusable(old, w.cache.stamp) {
		f.folders = old.folders
		f.again(fd, old, w.cache.stamp)
		return
	}
	names, err := listNames(name)
	if err != nil {
		f.trouble(err)
	}
	for _, name := range names {
		if unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil {
			f.take(name, modeOf(uint32(st.Mode)), stampOf(&st))
		}
	}
	f.inherit(old, w.cache.stamp)
}

func listNames(dir string) ([]string, error) {
	file, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	names, err := file.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// again stats the files of old. The list is copied only if a file changed.
func (f *folderStat) again(fd int, old *folderStat, at int64) {
	const part = 512
	changed := make([][]change, (len(old.files)+part-1)/part)
	parallel(len(changed), func(next func() (int, bool)) {
		var st unix.Stat_t
		for i, ok := next(); ok; i, ok = next() {
			for k := i * part; k < min((i+1)*part, len(old.files)); k++ {
				was := &old.files[k]
				name := was.path[strings.LastIndexByte(was.path, '/')+1:]
				err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
				now := stampOf(&st)
				if gone := err != nil || modeOf(uint32(st.Mode)) != 0; gone || now != was.stamp || now.racy(at) {
					changed[i] = append(changed[i], change{k, now, gone})
				}
			}
		}
	})
	f.files = old.files
	if list := slices.Concat(changed...); len(list) > 0 {
		f.files = slices.Clone(old.files)
		for _, c := range list {
			f.files[c.at].stamp, f.files[c.at].blob = c.now, ""
			if c.gone {
				f.files[c.at].path = ""
			}
		}
		f.files = slices.DeleteFunc(f.files, func(s fileStat) bool { return s.path == "" })
	}
}

// change is a file that is not as it was.
type change struct {
	at   int
	now  stamp
	gone bool
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
