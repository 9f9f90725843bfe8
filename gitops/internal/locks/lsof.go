//go:build !windows

package locks

import (
	"errors"
	"os/exec"
	"strings"

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
	if lsof == "" {
		return true
	}
	out, err := exec.Command(lsof, "-t", "--", path).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && len(exit.Stderr) == 0 {
		err = nil // nobody has it
	}
	return err != nil || strings.TrimSpace(string(out)) != ""
}
