//go:build unix

package gitcache

import (
	"io/fs"
	"os"
	"syscall"
)

// ours reports whether a file belongs to the user that runs this process, as git
// demands of repositories.
func ours(name string) bool {
	info, err := os.Lstat(name)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == syscall.Geteuid()
}

// inode tells files of one name apart.
func inode(info fs.FileInfo) uint64 {
	st, _ := info.Sys().(*syscall.Stat_t)
	if st == nil {
		return 0
	}
	return st.Ino
}
