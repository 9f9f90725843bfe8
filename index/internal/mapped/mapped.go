// Package mapped reads files as memory, by mapping them where that is cheaper
// than copying.
//
// [ReadString] reads a file of the cache, [Growing] parts of one, [Open] a large file of
// the user, and [Bytes] an open file. Files of the cache are replaced by rename and never cut,
// so a mapping of one stays valid. A file of the user may be cut at any time:
// what reads a mapping of it runs under [Guard], or the process dies of a fault.
// Where a mapped file could not be replaced (Windows), everything is read.
//
// Functions are safe for concurrent use. A result must not be changed, and not
// be used after its closer was closed.
package mapped

import (
	"errors"
	"io"
	"os"
	"runtime/debug"
	"unsafe"
)

const (
	// From is the size in bytes from which mapping a file is cheaper than
	// reading it.
	From = 1 << 20
	// StayFrom is the size from which mapping a file for the life of the process
	// is cheaper than reading it.
	StayFrom = 64 << 10
)

// ReadString reads a whole file into a string that shares no memory with
// anything else, so that names and records can be cut from it without copying.
// If stay is true the file may be mapped until the process ends.
func ReadString(name string, stay bool) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	data, _, err := Bytes(file, info.Size(), stay && info.Size() >= StayFrom)
	return String(data), err
}

// Load reads a file. If mapping is true, a file of at least [From] bytes is
// mapped instead.
func Load(name string, mapping bool) ([]byte, io.Closer, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	return Bytes(file, info.Size(), mapping && info.Size() >= From)
}

// Open maps the regular file name, of at most limit bytes. Its pages are read
// when they are touched.
func Open(name string, limit int64) ([]byte, io.Closer, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil {
		return nil, nil, err
	} else if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, nil, errors.New("not a regular file of a size that can be read")
	}
	return File(file)
}

// File maps an open file. Its pages are read when they are touched.
func File(file *os.File) ([]byte, io.Closer, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	return Bytes(file, info.Size(), true)
}

// ErrChanged is the error of [Guard] when a mapped file was cut short.
var ErrChanged = errors.New("the file changed while it was read")

// Guard runs read, which reads a mapped file. If the file was cut short
// meanwhile, touching the pages that are gone is a fault, which would kill the
// process; here it becomes [ErrChanged].
func Guard(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			err = ErrChanged
		default:
			panic(p)
		}
	}()
	return read()
}

// String returns data as a string that shares its memory. Data must not change
// any more.
func String(data []byte) string {
	return unsafe.String(unsafe.SliceData(data), len(data)) //nolint:gosec // it does not change any more
}

// NoCloser closes nothing: it stands for the closer of what is only borrowed.
type NoCloser struct{}

// Close does nothing.
func (NoCloser) Close() error { return nil }
