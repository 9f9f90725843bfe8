//go:build unix

package index

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// mapRows maps a file of a model or of vectors. Pages are read when they are
// touched: of a model a query needs a few rows. A model is the user's and may be
// truncated while it is mapped: read it under [guardMapped].
func mapRows(name string) ([]byte, io.Closer, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxModel {
		return nil, nil, errors.New("not a regular file of a size that can be read")
	}
	if info.Size() == 0 {
		return nil, noCloser{}, nil
	}
	data, err := unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return data, mappedFile(data), nil
}
