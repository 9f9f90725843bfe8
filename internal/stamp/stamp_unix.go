//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package stamp

import (
	"os"

	"golang.org/x/sys/unix"
)

// OfStat is the stamp of what was asked of the file system already.
func OfStat(st *unix.Stat_t) Stamp {
	return Stamp{Size: st.Size, Modified: st.Mtim.Nano(), Changed: st.Ctim.Nano(), Inode: st.Ino}
}

// Of is the stamp of an open file; false when the file system does not say.
func Of(file *os.File) (Stamp, bool) {
	var st unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &st); err != nil {
		return Stamp{}, false
	}
	return OfStat(&st), true
}

// Lstat is the stamp of what is at a path, not behind a link there.
func Lstat(name string) (Stamp, bool) {
	var st unix.Stat_t
	if err := unix.Lstat(name, &st); err != nil {
		return Stamp{}, false
	}
	return OfStat(&st), true
}
