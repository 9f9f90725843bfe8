package gitobject

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
	"sort"

	"github.com/git-cortex/cortex/internal/lists"
)

// Object is an object with its content.
type Object struct {
	ID   ID
	Kind string // blob, tree, commit
	Data []byte
}

// packed is where an object is in a pack.
type packed struct {
	id     []byte
	crc    uint32
	offset uint32
}

// Pack encodes objects as a pack of version 2, none as the difference from
// another, and the index of version 2 that belongs to it. Name is the pack's
// checksum, by which git names both files. An object must not be there twice, and
// a pack of 2 GiB or more is refused.
//
// go-git's encoder wants a storage and looks for differences, and its packages
// cost every start; what is needed of the format is below.
func (f Format) Pack(objects []Object) (name ID, pack, index []byte, err error) {
	var out bytes.Buffer
	out.WriteString("PACK")
	out.Write(binary.BigEndian.AppendUint32(nil, 2))
	out.Write(binary.BigEndian.AppendUint32(nil, uint32(len(objects))))
	// Packs are sent and kept as they are, so here it pays to compress what is small, too.
	z, err := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	if err != nil {
		return "", nil, nil, err
	}
	entries := make([]packed, len(objects))
	for i, o := range objects {
		id, err := hex.DecodeString(string(o.ID))
		if err != nil || len(id) != f.size() {
			return "", nil, nil, fmt.Errorf("%q is not an object id", o.ID)
		}
		start := out.Len()
		if err := packHeader(&out, o); err != nil {
			return "", nil, nil, err
		}
		z.Reset(&out)
		_, _ = z.Write(o.Data) // into memory, as Close
		if err := z.Close(); err != nil {
			return "", nil, nil, err
		}
		if out.Len() >= 1<<31 {
			return "", nil, nil, fmt.Errorf("%d objects are too much for one pack", len(objects))
		}
		entries[i] = packed{id, crc32.ChecksumIEEE(out.Bytes()[start:]), uint32(start)}
	}
	sum := f.sum(out.Bytes())
	out.Write(sum)
	return ID(hex.EncodeToString(sum)), out.Bytes(), f.packIndex(entries, sum), nil
}

// packKinds are the kinds of objects by their numbers in packs.
var packKinds = []string{"", "commit", "tree", "blob"}

// packHeader writes the kind and the size: four bits, then seven at a time.
func packHeader(out *bytes.Buffer, o Object) error {
	kind := slices.Index(packKinds, o.Kind)
	if kind < 1 {
		return fmt.Errorf("%q is no kind of object", o.Kind)
	}
	size := uint64(len(o.Data))
	b := byte(kind<<4) | byte(size&0x0f)
	for size >>= 4; size > 0; size >>= 7 {
		out.WriteByte(b | 0x80)
		b = byte(size & 0x7f)
	}
	return out.WriteByte(b)
}

func (f Format) packIndex(entries []packed, pack []byte) []byte {
	lists.Sort(entries,
		func(a, b packed) int { return cmp.Or(bytes.Compare(a.id, b.id), cmp.Compare(a.offset, b.offset)) })
	index := []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}
	for first := range 256 {
		n := sort.Search(len(entries), func(i int) bool { return int(entries[i].id[0]) > first })
		index = binary.BigEndian.AppendUint32(index, uint32(n))
	}
	for _, e := range entries {
		index = append(index, e.id...)
	}
	for _, e := range entries {
		index = binary.BigEndian.AppendUint32(index, e.crc)
	}
	for _, e := range entries {
		index = binary.BigEndian.AppendUint32(index, e.offset)
	}
	index = append(index, pack...)
	return append(index, f.sum(index)...)
}

func (f Format) sum(data []byte) []byte {
	h := f.newHash()
	h.Write(data)
	return h.Sum(nil)
}
