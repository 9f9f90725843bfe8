//go:build !windows

package gitops

import (
	"errors"
	"os"
	"syscall"
)

// terminate asks a process to end: git then takes its lock files away.
func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

func processAlive(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
