package locks

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Process returns the command line and the parent of a process.
func Process(pid int) (args []string, parent int, ok bool) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil, 0, false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil, 0, false
	}
	// <pid> (<name>) <state> <parent> …; the name may hold anything.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return nil, 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00"), parent, err == nil
}

// Processes lists the processes that run.
func Processes() (pids []int) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// Folder is the folder that a process works in; "" where the system does not tell.
func Folder(pid int) string {
	dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return ""
	}
	return dir
}
