package gitcmd

import (
	"os"
	"os/exec"
)

// terminate ends a process; there is no way to ask it.
func terminate(p *os.Process) error { return p.Kill() }

// killed reports whether a process was ended from outside: with status 1, where git
// that gives up by itself has 128.
func killed(state *os.ProcessState) bool { return state.ExitCode() == 1 }

// family exists for other systems: here git's own children end with its pipes.
func family(*exec.Cmd, bool) (swept func()) { return func() {} }
