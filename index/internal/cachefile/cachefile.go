// Package cachefile holds what all files of the cache are made of: checksums, a
// reader of encoded values, and writing by rename.
//
// Everything the index keeps on disk can be made again, so a file that does not
// verify is not repaired but dropped, and nothing waits for the disk. Numbers are
// little-endian, checksums CRC-32C (Castagnoli).
package cachefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lazy"
)

// ErrDamaged says that a file of the cache does not verify.
var ErrDamaged = errors.New("checksum does not match")

// Table is the table of the checksum.
var Table = lazy.Value(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// Sum is the checksum of parts, one behind the other.
func Sum(parts ...[]byte) uint32 {
	var sum uint32
	for _, p := range parts {
		sum = crc32.Update(sum, Table(), p)
	}
	return sum
}

// SumString is [Sum] of a string. It does not copy it.
func SumString(s string) uint32 { return SumStrings(s) }

// SumStrings is [Sum] of strings. It does not copy them.
func SumStrings(parts ...string) uint32 {
	var sum uint32
	for _, s := range parts {
		sum = crc32.Update(sum, Table(), unsafe.Slice(unsafe.StringData(s), len(s))) //nolint:gosec // only read
	}
	return sum
}

// Replace makes data the content of a file. A reader sees the old file or the new
// one.
func Replace(name string, data []byte) error {
	f, err := Create(name)
	if err == nil {
		defer f.Close()
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Commit()
	}
	if err != nil {
		return fmt.Errorf("replacing %s: %w", filepath.Base(name), err)
	}
	return nil
}

// File is a file of the cache that is being written under a temporary name. Call
// Commit to put it into its place, and Close in any case.
type File struct {
	*atomicfile.File
	root *os.Root
}

// Create begins a file. Only its user may read it. It is not synced: a power cut
// may damage it, and then it does not verify and is made again.
func Create(name string) (*File, error) {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	f, err := atomicfile.Create(root, filepath.Base(name), atomicfile.Options{Mode: 0o600, NoSync: true})
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	return &File{File: f, root: root}, nil
}

// Close gives the handles back, and removes the file unless it was committed.
func (f *File) Close() {
	f.File.Close()
	_ = f.root.Close()
}

// AppendString appends s as [Reader.Text] reads it: a uvarint length and its bytes.
func AppendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

var errShort = errors.New("record is cut short")

// Reader reads encoded values from a string; strings are cut from it, not copied.
// What is not there sets Err, and everything read from then on is zero, so that a
// caller checks once, at the end.
type Reader struct {
	Rest string // not read yet
	Err  error
}

// Fail sets Err and drops the rest.
func (r *Reader) Fail() { r.Err, r.Rest = errShort, "" }

// Take reads n bytes.
func (r *Reader) Take(n int) string {
	if n < 0 || n > len(r.Rest) {
		r.Fail()
		return ""
	}
	out := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return out
}

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if s := r.Take(1); s != "" {
		return s[0]
	}
	return 0
}

// Uvarint reads a varint that fits into 31 bits.
func (r *Reader) Uvarint() int {
	if r.Rest != "" && r.Rest[0] < 0x80 { // most are lengths of short texts
		v := int(r.Rest[0])
		r.Rest = r.Rest[1:]
		return v
	}
	return r.longUvarint()
}

func (r *Reader) longUvarint() int {
	var v uint64
	for shift := 0; shift < 63; shift += 7 {
		b := r.Byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if v > math.MaxInt32 {
				break
			}
			return int(v)
		}
	}
	r.Fail()
	return 0
}

// Text reads a uvarint length and so many bytes.
func (r *Reader) Text() string { return r.Take(r.Uvarint()) }

// Fixed reads a number of n bytes.
func (r *Reader) Fixed(n int) uint64 {
	s := r.Take(n)
	var v uint64
	for i := len(s) - 1; i >= 0; i-- {
		v = v<<8 | uint64(s[i])
	}
	return v
}

// Count reads the length of a list whose items take at least one byte each.
func (r *Reader) Count() int {
	n := r.Uvarint()
	if n > len(r.Rest) {
		r.Fail()
		return 0
	}
	return n
}

// Strings reads a list: a uvarint number of strings, and the strings.
func (r *Reader) Strings() []string {
	n := r.Count()
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = r.Text()
	}
	return out
}

// Uint32 reads the 4 bytes of s from at on.
func Uint32(s string, at int) uint32 {
	s = s[at : at+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// Uint64 reads the 8 bytes of s from at on.
func Uint64(s string, at int) uint64 {
	s = s[at : at+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
