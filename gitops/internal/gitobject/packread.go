package gitobject

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"sort"
)

// ErrDelta is returned for an object that a pack holds as the difference from another.
var ErrDelta = errors.New("the object is packed as a difference")

// PackIndex says where the objects of one pack are. The zero value knows none.
type PackIndex struct{ ids, offsets []byte }

// ParsePackIndex reads an index of version 2. It checks no sum, since what it leads to
// is checked against an id.
func (f Format) ParsePackIndex(data []byte) (PackIndex, error) {
	const head, fan = 8, 256 * 4
	size := f.size()
	if len(data) < head+fan || !bytes.HasPrefix(data, []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}) {
		return PackIndex{}, errors.New("not an index of version 2")
	}
	count := binary.BigEndian.Uint32(data[head+fan-4:])
	data = data[head+fan:]
	if uint64(count) > uint64(len(data)/(size+4+4)) {
		return PackIndex{}, errors.New("the index is too short")
	}
	n := int(count)
	return PackIndex{data[:n*size], data[n*(size+4):][:n*4]}, nil
}

// Find returns where in the pack an object begins; false if it is not there, or beyond
// the first two GiB.
func (x PackIndex) Find(id ID) (int64, bool) {
	raw, err := hex.DecodeString(string(id))
	n, size := len(x.offsets)/4, len(raw)
	if err != nil || n == 0 || size != len(x.ids)/n {
		return 0, false
	}
	i, found := sort.Find(n, func(i int) int { return bytes.Compare(raw, x.ids[i*size:][:size]) })
	if !found {
		return 0, false
	}
	offset := binary.BigEndian.Uint32(x.offsets[4*i:])
	return int64(offset), offset < 1<<31
}

// Unpack reads an object of at most limit bytes, at whose beginning in a pack data
// starts, and checks it against its id. One that is packed as a difference is an
// [ErrDelta].
func (f Format) Unpack(data *bufio.Reader, id ID, limit int64) (kind string, content []byte, err error) {
	b, err := data.ReadByte()
	if err != nil {
		return "", nil, err
	}
	size, code := int64(b&0x0f), int(b>>4&7)
	for shift := 4; b&0x80 != 0; shift += 7 {
		if b, err = data.ReadByte(); err != nil || shift > 32 {
			return "", nil, errors.Join(err, errors.New("malformed size"))
		}
		size |= int64(b&0x7f) << shift
	}
	switch {
	case code >= 6:
		return "", nil, ErrDelta
	case code < 1 || code >= len(packKinds):
		return "", nil, errors.New("no kind of object")
	case size > limit:
		return "", nil, errors.New("the object is too large")
	}
	z, err := zlib.NewReader(data)
	if err != nil {
		return "", nil, err
	}
	out := bytes.NewBuffer(make([]byte, 0, min(size, 64<<10)+bytes.MinRead))
	if _, err := out.ReadFrom(io.LimitReader(z, size+1)); err != nil {
		return "", nil, err
	}
	if f.ID(packKinds[code], out.Bytes()) != id {
		return "", nil, errors.New("the content is another object's")
	}
	return packKinds[code], out.Bytes(), nil
}
