package gitops

import (
	"os"
)

// syncDir does nothing: Windows has no sync for folders, NTFS journals names.
func syncDir(string) error { return nil }

func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
