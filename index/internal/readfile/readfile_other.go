//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package readfile

import (
	"fmt"
	"io"
	"os"

	"github.com/git-cortex/cortex/memory"
)

// Folder reads files of any folder.
type Folder struct{}

// Read is the function of that name.
func (Folder) Read(name string) ([]byte, error) { return Read(name) }

// Close closes nothing.
func (Folder) Close() {}

// Read reads a file that is no link.
func Read(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", Kind(info.Mode()))
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, memory.MaxFile+1))
	if err == nil && len(data) > memory.MaxFile {
		err = TooLarge(int64(len(data)))
	}
	return data, err
}
