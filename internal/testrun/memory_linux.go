package testrun

import "golang.org/x/sys/unix"

// usable reports whether dir is a file system in memory that has room and runs
// programs.
func usable(dir string) bool {
	var st unix.Statfs_t
	return unix.Statfs(dir, &st) == nil && st.Type == unix.TMPFS_MAGIC && st.Flags&unix.ST_NOEXEC == 0 &&
		unix.Access(dir, unix.W_OK) == nil && st.Bavail*uint64(st.Bsize) >= room
}
