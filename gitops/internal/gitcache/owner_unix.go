//go:build unix

package gitcache

import (
	"io/fs"
	"syscall"
)

// ownedByUs reports whether a file belongs to the user that runs this process.
func ownedByUs(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == syscall.Geteuid()
}
