package locks

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// InUse reports whether a process that we may look into has the file open.
func InUse(path string, file fs.FileInfo) bool {
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	if len(links) == 0 { // there is no /proc
		return heldByLsof(lsof(), path)
	}
	for _, link := range links {
		if info, err := os.Stat(link); err == nil && os.SameFile(info, file) {
			return true
		}
	}
	return false
}

// Holder is the process that holds a lock on the file; 0 when the system
// does not tell.
func Holder(path string) int {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	locks, err := os.ReadFile("/proc/locks")
	if err != nil || !ok {
		return 0
	}
	for line := range strings.Lines(string(locks)) {
		// <n>: FLOCK ADVISORY WRITE <pid> <major>:<minor>:<inode> 0 EOF
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != "FLOCK" || !strings.HasSuffix(f[5], ":"+strconv.FormatUint(st.Ino, 10)) {
			continue
		}
		if pid, err := strconv.Atoi(f[4]); err == nil && pid > 0 && pid != os.Getpid() {
			return pid
		}
	}
	return 0
}
