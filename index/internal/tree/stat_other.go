//go:build (linux && !amd64 && !arm64) || darwin || freebsd || netbsd || openbsd || dragonfly

package tree

import "golang.org/x/sys/unix"

// statName stats a name of the folder fd, not following a link.
func statName(fd int, name string, st *unix.Stat_t) error {
	return unix.Fstatat(fd, name, st, unix.AT_SYMLINK_NOFOLLOW)
}
