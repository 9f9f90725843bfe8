//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package readfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-cortex/cortex/memory"
	"golang.org/x/sys/unix"
)

// ModeOf returns the type of a file by the mode that the system gave; 0 for a regular one.
func ModeOf(mode uint32) os.FileMode {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return os.ModeDir
	case unix.S_IFLNK:
		return os.ModeSymlink
	case unix.S_IFIFO:
		return os.ModeNamedPipe
	}
	return os.ModeIrregular
}

// Read reads a file that is no link, and does not wait for the other end of a
// pipe.
func Read(name string) ([]byte, error) { return readAt(unix.AT_FDCWD, name, nil) }

// Folder reads many files of few folders: each by its name in the folder that is
// open, and into the same memory. What it returns holds until the next reading. Close it
// in the end; the zero value is ready.
type Folder struct {
	dir  string // "" for none
	fd   int
	data []byte
}

// Read is the function of that name, of a file of any folder.
func (r *Folder) Read(name string) ([]byte, error) {
	dir, base := filepath.Dir(name), filepath.Base(name)
	if r.dir != dir {
		r.Close()
		fd, err := ignoringInterrupts(func() (int, error) {
			return unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		})
		if err != nil {
			return nil, &os.PathError{Op: "open", Path: name, Err: err}
		}
		r.dir, r.fd = dir, fd
	}
	data, err := readAt(r.fd, base, r.data)
	if cap(data) > cap(r.data) {
		r.data = data[:0]
	}
	return data, err
}

// Close closes the folder that is open.
func (r *Folder) Close() {
	if r.dir != "" {
		_ = unix.Close(r.fd)
		r.dir = ""
	}
}

// readAt reads a file that is no link, by its name in a folder, into room if it is large
// enough. It calls the system as often as it must and no more: a scan of files that are
// not known yet is little else.
func readAt(dir int, name string, room []byte) ([]byte, error) {
	fd, err := ignoringInterrupts(func() (int, error) {
		return unix.Openat(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	if mode := ModeOf(uint32(st.Mode)); !mode.IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", Kind(mode))
	}
	known := int(min(st.Size, memory.MaxFile))
	data := slices.Grow(room[:0], known+1)
	for len(data) <= memory.MaxFile {
		if len(data) == cap(data) { // it grows meanwhile
			data = slices.Grow(data, min(len(data), memory.MaxFile+1-len(data)))
		}
		free := data[len(data):min(cap(data), memory.MaxFile+1)]
		n, err := ignoringInterrupts(func() (int, error) { return unix.Read(fd, free) })
		if err != nil {
			return nil, &os.PathError{Op: "read", Path: name, Err: err}
		}
		data = data[:len(data)+n]
		if n == 0 || len(data) == known && known < memory.MaxFile {
			return data, nil // there was room for more
		}
	}
	return nil, TooLarge(int64(len(data)))
}

// ignoringInterrupts calls a function again that a signal has interrupted.
func ignoringInterrupts(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}
