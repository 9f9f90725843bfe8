package locks

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/git-cortex/cortex/internal/stamp"
)

// InUse reports whether a process that we may look into has the file open.
func InUse(path string, file fs.FileInfo) bool {
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	if len(links) == 0 { // there is no /proc
		return heldByLsof(lsof(), path)
	}
	return slices.ContainsFunc(links, func(link string) bool {
		info, _ := os.Stat(link)
		return os.SameFile(info, file)
	})
}

// Holder is the process that holds a lock on the file; 0 when the system
// does not tell.
func Holder(path string) int {
	file, ok := stamp.Lstat(path)
	if !ok {
		return 0
	}
	table, _ := os.ReadFile("/proc/locks")
	// <n>: FLOCK ADVISORY WRITE <pid> <major>:<minor>:<inode> 0 EOF
	line := regexp.MustCompile(fmt.Sprintf(`(?m)^\d+: FLOCK +\S+ +\S+ +([1-9]\d*) +\S+:%d `, file.Inode))
	for _, found := range line.FindAllSubmatch(table, -1) {
		if pid, err := strconv.Atoi(string(found[1])); err == nil && pid != os.Getpid() {
			return pid
		}
	}
	return 0
}
