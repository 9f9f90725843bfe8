//go:build unix

package process

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

// detach gives a process a session of its own: no terminal, no group of ours.
func detach(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func shell(ctx context.Context, command string) *exec.Cmd {
	return exec.CommandContext(ctx, "/bin/sh", "-c", command)
}

// AllowOwner has files that this process makes be readable and writable by their
// owner, whatever the umask: cortex and git have to read what they wrote.
func AllowOwner() { syscall.Umask(syscall.Umask(0o077) &^ 0o700) }

// killGroup ends a process with all that it started.
func killGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
