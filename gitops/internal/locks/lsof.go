//go:build !windows

package locks

import (
	"bytes"
	"errors"
	"os/exec"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// lsof is the program that lists open files, "" if it is not there. Only a place
// that belongs to the system is trusted.
func lsof() string {
	for _, path := range []string{"/usr/sbin/lsof", "/usr/bin/lsof", "/usr/local/sbin/lsof", "/usr/local/bin/lsof"} {
		if gitcmd.Executable(path) {
			return path
		}
	}
	return ""
}

// heldByLsof asks lsof whether a process has the file open. When in doubt one has.
func heldByLsof(lsof, path string) bool {
	out, err := exec.Command(lsof, "-t", "--", path).Output()
	if err == nil || len(bytes.TrimSpace(out)) > 0 {
		return len(bytes.TrimSpace(out)) > 0
	}
	exit, ok := errors.AsType[*exec.ExitError](err)
	nobody := ok && exit.ExitCode() == 1 && len(exit.Stderr) == 0
	return !nobody
}
