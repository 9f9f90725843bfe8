//go:build unix

package workspace

import (
	"io/fs"
	"syscall"
)

// inodeOf identifies a file while it exists; 0 where the system has no such
// number.
func inodeOf(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// ours reports whether a file belongs to the user that runs this process.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == syscall.Geteuid()
}
