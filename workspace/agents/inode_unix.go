//go:build unix

package agents

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
