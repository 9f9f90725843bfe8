package process

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// group puts a command into a group of its own, and ends it when the worker
// is killed.
func group(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// Adopt makes this process the parent of what its children leave behind, even
// of what left their group, so that [Reap] finds it.
func Adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// Reap ends every process that has become ours, with or without those that have a
// session of their own. Each one's children become ours in turn, so it looks until
// there are none.
func Reap(detached bool) {
	session, _ := unix.Getsid(0)
	for range 50 {
		found := false
		for _, n := range children() {
			own, err := unix.Getsid(n)
			if err == nil && own != session && !detached {
				continue
			}
			found = true
			_ = syscall.Kill(n, syscall.SIGKILL)
			_, _ = syscall.Wait4(n, nil, syscall.WNOHANG, nil)
		}
		if !found {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// children are the processes whose parent this one is.
func children() []int {
	var out []int
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, t := range tasks {
		data, _ := os.ReadFile("/proc/self/task/" + t.Name() + "/children")
		for pid := range strings.FieldsSeq(string(data)) {
			if n, err := strconv.Atoi(pid); err == nil && n > 1 {
				out = append(out, n)
			}
		}
	}
	return out
}
