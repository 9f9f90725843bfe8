package clone

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/internal/atomicfile"
)

// editFile replaces the content of a file by the result of edit. A nil argument is a
// missing file, and a nil result removes the file. A new file gets the mode (0: as the
// umask says), others keep theirs, and a file that does not change is not written.
func editFile(path string, mode fs.FileMode, edit func([]byte) ([]byte, error)) error {
	old, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = nil
	case err != nil:
		return err
	case old == nil:
		old = []byte{}
	}
	data, err := edit(old)
	if err != nil {
		return fmt.Errorf("editing %s: %w", path, err)
	}
	if data == nil {
		if old == nil {
			return nil
		}
		return os.Remove(path)
	}
	if old != nil && string(data) == string(old) {
		return nil
	}
	var opt atomicfile.Options
	if old == nil {
		opt.Mode = mode
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
	}
	return atomicfile.WritePath(path, data, opt)
}
