//go:build linux && (amd64 || arm64)

package tree

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// statName stats a name of the folder fd, not following a link. In memory a NUL
// follows the name, as every path of the stat cache has one: it is handed over
// as it is, where [unix.Fstatat] would copy each.
func statName(fd int, name string, st *unix.Stat_t) error {
	_, _, errno := unix.Syscall6(unix.SYS_NEWFSTATAT, uintptr(fd),
		uintptr(unsafe.Pointer(unsafe.StringData(name))), //nolint:gosec // see above
		uintptr(unsafe.Pointer(st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
