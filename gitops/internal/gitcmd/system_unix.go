//go:build !windows

package gitcmd

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// terminate asks a process to end: git then takes its lock files away.
func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

// killed reports whether a process was ended from outside. A git that crashed, on
// a pack cut short for example, was not.
func killed(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return false
	}
	switch status.Signal() {
	case syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE:
		return true
	default:
		return false
	}
}

// family makes the end of cmd's context reach what cmd started too, such as
// ssh: first politely, so that git removes its temporary files. With own it
// gets a process group, all of which swept then ends. Without, it stays in
// ours, where a prompt can read from the terminal and Ctrl-C reaches everyone.
func family(cmd *exec.Cmd, own bool) (swept func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: own}
	cmd.WaitDelay = time.Second
	cmd.Cancel = func() error {
		if own {
			return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		}
		return cmd.Process.Signal(syscall.SIGTERM)
	}
	return func() {
		if own && cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}
}
