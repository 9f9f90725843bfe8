//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package index

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// readFolder lists one folder and stats its names relative to the open folder,
// which is a third of the price of full paths.
func (w *walker) readFolder(dir string) folder {
	var out folder
	file, err := os.Open(filepath.Join(w.root, filepath.FromSlash(dir)))
	if err != nil {
		if !os.IsNotExist(err) {
			out.problems = append(out.problems, problemOf(dir, err))
		}
		return out
	}
	defer file.Close()
	names, err := file.Readdirnames(-1)
	if err != nil {
		out.problems = append(out.problems, problemOf(dir, err))
	}
	fd := int(file.Fd())
	var st unix.Stat_t
	for _, name := range names {
		if unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
			continue // gone since it was listed
		}
		out.sort(dir, name, modeOf(uint32(st.Mode)), statOf(&st))
	}
	return out
}

func statOf(st *unix.Stat_t) fileStat {
	return fileStat{size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), inode: st.Ino}
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
