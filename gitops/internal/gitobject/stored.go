package gitobject

import (
	"encoding/binary"
	"hash/adler32"
	"slices"
)

// StoredMost is the length of the longest zlib stream that [Stored] makes: a block of
// the disk, which is what the file of a smaller object takes too.
const StoredMost = 4 << 10

// Stored encodes the parts, one behind the other, as a zlib stream of one block without
// compression (RFC 1950 and 1951), as git does with core.compression 0; nil if that is
// more than [StoredMost]. The tables of a compressor are a megabyte that would be made
// for some hundred bytes.
func Stored(parts ...[]byte) []byte {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	if n+2+5+4 > StoredMost {
		return nil
	}
	out := make([]byte, 0, n+2+5+4)
	out = append(out, 0x78, 0x01, 1) // the header of level 0, and the last block
	out = binary.LittleEndian.AppendUint16(out, uint16(n))
	out = binary.LittleEndian.AppendUint16(out, ^uint16(n))
	out = append(out, slices.Concat(parts...)...)
	return binary.BigEndian.AppendUint32(out, adler32.Checksum(out[2+5:]))
}
