// Package readfile reads regular files that somebody else may have put there: call [Read],
// or [Folder.Read] for many. It promises that no link is followed in place of a file, no
// pipe is waited for, and that of a file over the limit of a memory nothing is returned
// (FORMAT.md, "Layout").
package readfile

import (
	"fmt"
	"os"

	"github.com/git-cortex/cortex/memory"
)

// TooLarge returns the error of a file of so many bytes.
func TooLarge(size int64) error {
	return fmt.Errorf("%d bytes is over the limit of %d for one memory", size, memory.MaxFile)
}

// Kind returns words for what a file is that is not a regular one.
func Kind(m os.FileMode) string {
	switch {
	case m&os.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a folder"
	case m&os.ModeNamedPipe != 0:
		return "a named pipe"
	}
	return "a device or socket"
}
