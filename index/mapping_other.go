//go:build !unix

package index

import (
	"io"
	"os"
)

// openBytes reads a file. A mapped file could not be replaced here.
func openBytes(file *os.File, size int64, _, _ bool) ([]byte, io.Closer, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(file, 0, size), data)
	return data, noCloser{}, err
}
