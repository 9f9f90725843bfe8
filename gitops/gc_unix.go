//go:build !windows

package gitops

import (
	"errors"
	"syscall"
)

func processAlive(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
