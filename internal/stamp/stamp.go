// Package stamp tells whether a file changed without reading it.
//
// Take the [Stamp] of a file when it is read, and keep it with the time, by the
// clock of the file system, before the reading began. Later the file is as it was
// if its stamp is equal and was not racy at that time: a file that is changed
// twice within one tick of that clock has one stamp for both. This is git's rule
// for entries of its index that are racily clean.
package stamp

import "encoding/binary"

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

// Append appends s to b, for [Read] and [At]: eight bytes for each value, least first.
func Append(b []byte, s *Stamp) []byte {
	for _, v := range []uint64{uint64(s.Size), uint64(s.Modified), uint64(s.Changed), s.Inode} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// Read reads the stamp that b is; the zero one if b is too short for one.
func Read(b string) Stamp {
	if len(b) < EncodedSize {
		return Stamp{}
	}
	return At(b, 0)
}

// At reads the stamp at byte at of s.
func At(s string, at int) Stamp {
	var v [4]uint64
	for i := range v {
		for k := range 8 {
			v[i] |= uint64(s[at+8*i+k]) << (8 * k)
		}
	}
	return Stamp{Size: int64(v[0]), Modified: int64(v[1]), Changed: int64(v[2]), Inode: v[3]}
}
