// Package stamp tells whether a file changed without reading it.
//
// Take the [Stamp] of a file when it is read, and keep it with the time, by the
// clock of the file system, before the reading began. Later the file is as it was
// if its stamp is equal and was not racy at that time: a file that is changed
// twice within one tick of that clock has one stamp for both. This is git's rule
// for entries of its index that are racily clean.
package stamp

import (
	"encoding/binary"

	"github.com/git-cortex/cortex/index/internal/cachefile"
)

// Stamp holds the size, times and inode of a file, from the file system. Two stamps can
// be compared with ==.
type Stamp struct {
	Size     int64
	Modified int64 // time of modification in ns
	Changed  int64 // time of change in ns, which nobody can set; 0 where there is none
	Inode    uint64
}

// Racy reports whether a change in the moment at, in ns, or later, might not show
// in s.
func (s *Stamp) Racy(at int64) bool {
	if s.Changed != 0 {
		return s.Changed >= at
	}
	return s.Modified >= at
}

// EncodedSize is the number of bytes that [Append] appends.
const EncodedSize = 4 * 8

// Append appends s to b, for [Read] and [At].
func Append(b []byte, s *Stamp) []byte {
	for _, v := range []uint64{uint64(s.Size), uint64(s.Modified), uint64(s.Changed), s.Inode} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// Read reads a stamp.
func Read(r *cachefile.Reader) Stamp {
	if s := r.Take(EncodedSize); s != "" {
		return At(s, 0)
	}
	return Stamp{}
}

// At reads the stamp at byte at of s.
func At(s string, at int) Stamp {
	s = s[at : at+EncodedSize]
	return Stamp{
		Size: int64(cachefile.Uint64(s, 0)), Modified: int64(cachefile.Uint64(s, 8)),
		Changed: int64(cachefile.Uint64(s, 16)), Inode: cachefile.Uint64(s, 24),
	}
}
