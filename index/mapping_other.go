//go:build !unix

package index

import (
	"io"
	"os"
)

// loadBytes reads a file. A mapped file could not be replaced here.
func loadBytes(name string, _ bool) ([]byte, io.Closer, error) {
	data, err := os.ReadFile(name)
	return data, noCloser{}, err
}
