package gitops

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// replaceFile writes path whole: temp file, sync, rename, sync of the folder.
func replaceFile(path string, data []byte, mode fs.FileMode) error {
	dir := filepath.Dir(path)
	temp := filepath.Join(dir, ".cortex-"+strconv.FormatUint(rand.Uint64(), 36))
	if err := writeSynced(temp, data, mode); err != nil {
		return err
	}
	err := os.Chmod(temp, mode) // past the umask: this may restore somebody's file
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	return syncDir(dir)
}
