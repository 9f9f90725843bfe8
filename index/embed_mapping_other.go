//go:build !unix

package index

import (
	"errors"
	"io"
	"os"
)

// mapRows reads a file of a model or of vectors.
func mapRows(name string) ([]byte, io.Closer, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxModel {
		return nil, nil, errors.New("not a regular file of a size that can be read")
	}
	data, err := os.ReadFile(name)
	return data, noCloser{}, err
}
