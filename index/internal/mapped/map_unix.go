//go:build unix

package mapped

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Bytes reads an open file of the given size or, if mapping is true, maps it.
func Bytes(file *os.File, size int64, mapping bool) ([]byte, io.Closer, error) {
	if !mapping || size == 0 {
		data := make([]byte, size)
		_, err := io.ReadFull(io.NewSectionReader(file, 0, size), data)
		return data, NoCloser{}, err
	}
	data, err := unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return data, mappedFile(data), nil
}

type mappedFile []byte

func (m mappedFile) Close() error { return unix.Munmap(m) }
