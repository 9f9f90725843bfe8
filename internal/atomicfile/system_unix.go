//go:build !windows

package atomicfile

import "os"

func syncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// isBusy: here a file can be renamed whoever has it open.
func isBusy(error) bool { return false }
