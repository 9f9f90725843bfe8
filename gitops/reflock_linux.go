package gitops

import (
	"io/fs"
	"os"
	"path/filepath"
)

// heldOpen reports whether a process that we may look into has the file open.
func heldOpen(file fs.FileInfo) bool {
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		if info, err := os.Stat(link); err == nil && os.SameFile(info, file) {
			return true
		}
	}
	return false
}
