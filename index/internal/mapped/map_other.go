//go:build !unix

package mapped

import (
	"io"
	"os"
)

// Bytes reads an open file of the given size. It never maps: on these systems a
// mapped file cannot be replaced.
func Bytes(file *os.File, size int64, _ bool) ([]byte, io.Closer, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(file, 0, size), data)
	return data, NoCloser{}, err
}
