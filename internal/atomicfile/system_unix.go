//go:build !windows

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func syncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil // a folder that may be written, but not read
	}
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil // some network file systems sync files only
	}
	return err
}

// isBusy: here a file can be renamed whoever has it open.
func isBusy(error) bool { return false }
