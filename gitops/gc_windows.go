package gitops

import "os"

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
