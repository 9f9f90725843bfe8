//go:build unix

package index

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// mapFrom is the size from which mapping is cheaper than reading.
const mapFrom = 1 << 20

// loadBytes reads a file, or maps it when it is large and mapping is wanted.
func loadBytes(name string, mapping bool) ([]byte, io.Closer, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	size := info.Size()
	if !mapping || size < mapFrom {
		data := make([]byte, size)
		if _, err := io.ReadFull(file, data); err != nil {
			return nil, nil, err
		}
		return data, noCloser{}, nil
	}
	data, err := unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED|populate)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return data, mappedFile(data), nil
}

type mappedFile []byte

func (m mappedFile) Close() error { return unix.Munmap(m) }
