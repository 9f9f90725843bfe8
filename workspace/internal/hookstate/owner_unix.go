//go:build unix

package hookstate

import (
	"io/fs"
	"syscall"
)

// ours reports whether a file belongs to the user that runs this process.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == syscall.Geteuid()
}
