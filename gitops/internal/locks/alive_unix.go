//go:build !windows

package locks

import (
	"errors"
	"syscall"
)

// Alive reports whether a process runs.
func Alive(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
