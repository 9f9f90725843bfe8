package cachefile

import (
	"encoding/binary"
	"fmt"
)

// Format is a kind of file of the cache. Every such file begins alike:
//
//	4 bytes magic, 4 bytes version, 4 bytes number of sections
//	of each section: 8 bytes length, 4 bytes checksum
//	4 bytes checksum of all before
//	the sections, one behind the other
//
// What follows is up to the format: files that grow have records there, each with
// a checksum of its own ([AppendSum]).
type Format struct {
	Magic   string // 4 bytes
	Version uint32 // raised when the layout or the meaning of the file changes
}

const (
	maxSections = 16
	sectionSize = 8 + 4
)

// headerSize is the number of bytes before n sections.
func headerSize(n int) int { return 4 + 4 + 4 + n*sectionSize + 4 }

// Encode makes a file of sections.
func (f Format) Encode(sections ...[]byte) []byte {
	size := headerSize(len(sections))
	for _, s := range sections {
		size += len(s)
	}
	b := append(make([]byte, 0, size), f.Magic...)
	b = binary.LittleEndian.AppendUint32(b, f.Version)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(sections)))
	for _, s := range sections {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(s)))
		b = binary.LittleEndian.AppendUint32(b, Sum(s))
	}
	b = AppendSum(b)
	for _, s := range sections {
		b = append(b, s...)
	}
	return b
}

// Decode verifies a file and returns its sections, and what follows them. The
// error is [ErrDamaged], or says that the file is of another kind or version. A
// caller makes a file anew in either case.
func (f Format) Decode(data string) (sections []string, rest string, err error) {
	if len(data) < headerSize(0) {
		return nil, "", ErrDamaged
	}
	if data[:4] != f.Magic {
		return nil, "", fmt.Errorf("magic %.4q instead of %q", data, f.Magic)
	}
	if v := Uint32(data, 4); v != f.Version {
		return nil, "", fmt.Errorf("version %d instead of %d", v, f.Version)
	}
	n := int(Uint32(data, 8))
	if n > maxSections || len(data) < headerSize(n) || !Sound(data[:headerSize(n)]) {
		return nil, "", ErrDamaged
	}
	rest = data[headerSize(n):]
	for i := range n {
		at := 12 + i*sectionSize
		size, sum := Uint64(data, at), Uint32(data, at+8)
		if size > uint64(len(rest)) || SumString(rest[:size]) != sum {
			return nil, "", ErrDamaged
		}
		sections = append(sections, rest[:size])
		rest = rest[size:]
	}
	return sections, rest, nil
}

// DecodeWhole is Decode for a file of exactly n sections with nothing behind them.
func (f Format) DecodeWhole(data string, n int) ([]string, error) {
	sections, rest, err := f.Decode(data)
	if err == nil && (len(sections) != n || rest != "") {
		err = ErrDamaged
	}
	return sections, err
}

// AppendSum appends the checksum of b to b.
func AppendSum(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, Sum(b)) }

// Sound reports whether s ends in the checksum of what is before.
func Sound(s string) bool {
	n := len(s) - 4
	return n >= 0 && SumString(s[:n]) == Uint32(s, n)
}
