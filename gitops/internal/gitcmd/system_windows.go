package gitcmd

import (
	"os"
	"os/exec"
)

// terminate ends a process; there is no way to ask it.
func terminate(p *os.Process) error { return p.Kill() }

// family exists for other systems: here git's own children end with its pipes.
func family(*exec.Cmd, bool) (swept func()) { return func() {} }
