package gitops

import (
	"os"
	"os/exec"
)

// syncDir does nothing: Windows has no sync for folders, NTFS journals names.
func syncDir(string) error { return nil }

// terminate ends a process; there is no way to ask it.
func terminate(p *os.Process) error { return p.Kill() }

func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}

// family exists for other systems: here git's own children end with its pipes.
func family(*exec.Cmd, bool) (swept func()) { return func() {} }
