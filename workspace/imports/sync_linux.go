package imports

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncTogether puts everything written to the file system of root on disk, in
// one wait for all of it; false when every file has to be synced by itself.
func syncTogether(root *os.Root) bool {
	f, err := root.Open(".")
	if err != nil {
		return false
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd())) == nil
}

// syncsTogether says whether this system has [syncTogether].
const syncsTogether = true
