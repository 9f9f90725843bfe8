// Package entry lays out what the catalog holds of one blob, and reads it again.
//
// A [Head] has what ranking and status need of every memory at fixed places;
// a [Maker] makes one of a file, with its [Body], and [Heads] are those of a whole
// catalog by number. What the maker puts into a body [ReadMeta] and [ReadProblem] read
// as it was. [SketchOf] compares words of two memories without reading them, and
// [Table] and [IDs] find a blob and an id among many. What does not verify is not
// used: ask [Head.Sound] once when heads are loaded.
package entry

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"time"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/memory"
)

// A Head is a record of fixed layout with the fields of a memory that ranking and
// status need, so that a process that starts copies the heads of all memories into
// memory by one read and looks at each without taking it apart. Little endian:
//
//	 0 kind      byte: 1 memory, 2 problem
//	 1 flags     byte: 1 pinned, 2 contested, 4 has a time of update
//	 2 priority  byte
//	 3 type      byte: 1 + place in [memory.Types]
//	 4 links     4 bytes, how many
//	 8 confidence, 16 created, 24 updated (Unix seconds)      8 bytes each
//	32 offset of the body in the text file                    8 bytes
//	40 length of meta, of text, of unknown keys               4 bytes each
//	52 CRC of meta, of text and unknown keys                  4 bytes each
//	60 id        16 characters
//	76 sketch    64 bytes, see [Sketch]
//	140 blob     20 bytes, or 32 for SHA-256
//	then CRC of all before, 4 bytes
//
// The body is meta, text and unknown keys, one behind the other.
type Head string

const (
	kindMemory  = 1
	kindProblem = 2

	flagPinned    = 1
	flagContested = 2
	flagUpdated   = 4

	headBlob = 140
	idSize   = 16
)

// Size is the size of a head in a repository whose ids have so many bytes.
func Size(hash int) int { return headBlob + hash + 4 }

// Ref says where the body of a memory lies in the text file.
type Ref struct {
	Offset              int64
	Meta, Text, Unknown int
	MetaSum, TextSum    uint32
}

// Size is the length of the whole body.
func (r *Ref) Size() int { return r.Meta + r.Text + r.Unknown }

// IsMemory reports whether the blob is a memory.
func (h Head) IsMemory() bool { return h[0] == kindMemory }

// IsProblem reports whether the blob is known not to be one.
func (h Head) IsProblem() bool { return h[0] == kindProblem }

func (h Head) u32(at int) uint32 { return cachefile.Uint32(string(h), at) }

func (h Head) u64(at int) uint64 { return cachefile.Uint64(string(h), at) }

// ID is the id of the memory.
func (h Head) ID() memory.ID { return memory.ID(h[60 : 60+idSize]) }

// Blob is the id of the blob, as bytes.
func (h Head) Blob() string { return string(h[headBlob : len(h)-4]) }

// HexBlob is the id of the blob as everybody else writes it.
func (h Head) HexBlob() string { return hex.EncodeToString([]byte(h.Blob())) }

// Sketch is the sketch of the words, as [Same] and [Lane] read it.
func (h Head) Sketch() string { return string(h[76 : 76+sketchSize]) }

// Created is when the memory was made.
func (h Head) Created() time.Time { return time.Unix(int64(h.u64(16)), 0).UTC() }

// Links is how many links the memory has.
func (h Head) Links() int { return int(h.u32(4)) }

// Contested reports whether a memory says that it is contested.
func (h Head) Contested() bool { return h[1]&flagContested != 0 }

// Linked reports whether a memory has links or is contested.
func (h Head) Linked() bool { return h.IsMemory() && (h.Contested() || h.Links() > 0) }

// Body is where the rest of the memory lies.
func (h Head) Body() Ref {
	return Ref{
		Offset: int64(h.u64(32)), Meta: int(h.u32(40)), Text: int(h.u32(44)), Unknown: int(h.u32(48)),
		MetaSum: h.u32(52), TextSum: h.u32(56),
	}
}

// Sound reports whether the checksum holds.
func (h Head) Sound() bool {
	return (h.IsMemory() || h.IsProblem()) && cachefile.Sound(string(h))
}

// Fill sets the facts in m, but for links, which are in the body.
func (h Head) Fill(m *memory.Memory) {
	flags := h[1]
	m.ID, m.Type, m.Priority = h.ID(), typeOf(h[3]), int(h[2])
	m.Confidence = math.Float64frombits(h.u64(8))
	m.Pinned, m.Contested = flags&flagPinned != 0, flags&flagContested != 0
	m.Created = h.Created()
	m.Updated = time.Time{}
	if flags&flagUpdated != 0 {
		m.Updated = time.Unix(int64(h.u64(24)), 0).UTC()
	}
}

var typeList = lazy.Value(memory.Types)

// Types are the types of memories in the order of their codes.
func Types() []memory.Type { return typeList() }

func typeOf(code byte) memory.Type {
	if types := typeList(); int(code) <= len(types) && code > 0 {
		return types[code-1]
	}
	return ""
}

func typeCode(t memory.Type) byte {
	for i, have := range typeList() {
		if have == t {
			return byte(i + 1)
		}
	}
	return 0
}

// newMemory is the head of m, of which the body is at ref, in the memory of room if
// that is enough.
func newMemory(room []byte, blob string, m *memory.Memory, s *Sketch, ref Ref) []byte {
	b := append(room[:0], make([]byte, headBlob)...)
	b[0], b[2], b[3] = kindMemory, byte(m.Priority), typeCode(m.Type)
	if m.Pinned {
		b[1] |= flagPinned
	}
	if m.Contested {
		b[1] |= flagContested
	}
	if !m.Updated.IsZero() {
		b[1] |= flagUpdated
	}
	le := binary.LittleEndian
	le.PutUint32(b[4:], uint32(len(m.Links)))
	le.PutUint64(b[8:], math.Float64bits(m.Confidence))
	le.PutUint64(b[16:], uint64(m.Created.Unix()))
	le.PutUint64(b[24:], uint64(m.Updated.Unix()))
	copy(b[60:60+idSize], m.ID)
	s.put(b[76:])
	return endHead(b, blob, ref)
}

// newProblem is the head of a blob that is not a memory.
func newProblem(blob string, ref Ref) []byte {
	b := make([]byte, headBlob, Size(len(blob)))
	b[0] = kindProblem
	return endHead(b, blob, ref)
}

func endHead(b []byte, blob string, ref Ref) []byte {
	le := binary.LittleEndian
	le.PutUint32(b[40:], uint32(ref.Meta))
	le.PutUint32(b[44:], uint32(ref.Text))
	le.PutUint32(b[48:], uint32(ref.Unknown))
	le.PutUint32(b[52:], ref.MetaSum)
	le.PutUint32(b[56:], ref.TextSum)
	return Move(append(append(b, blob...), 0, 0, 0, 0), ref.Offset)
}

// Move notes that the body is at offset now.
func Move(b []byte, offset int64) []byte {
	binary.LittleEndian.PutUint64(b[32:], uint64(offset))
	binary.LittleEndian.PutUint32(b[len(b)-4:], cachefile.Sum(b[:len(b)-4]))
	return b
}

// Heads are the heads of a catalog by number: those that were on disk, in one
// string, and those added since. A copy stays as it is while more are added.
type Heads struct {
	Width int // of one, see [Size]
	Old   string
	More  []Head
}

// OnDisk is how many of them were on disk.
func (h *Heads) OnDisk() int { return len(h.Old) / h.Width }

// Len is how many there are.
func (h *Heads) Len() int { return h.OnDisk() + len(h.More) }

// At is the head of number n.
func (h *Heads) At(n int) Head {
	if from := n * h.Width; from < len(h.Old) {
		return Head(h.Old[from : from+h.Width])
	}
	return h.More[n-h.OnDisk()]
}

// RawBlob is a blob id as bytes; false when it is none of that many bytes.
func RawBlob(blob string, hash int) (string, bool) {
	var raw [32]byte
	if len(blob) != 2*hash || hash > len(raw) {
		return "", false
	}
	if _, err := hex.Decode(raw[:hash], []byte(blob)); err != nil {
		return "", false
	}
	return string(raw[:hash]), true
}

// SameBlob reports whether the first 64 bits of raw are those of the
// hexadecimal blob: enough to confirm what a number claims.
func SameBlob(raw, blob string) bool {
	if len(blob) != 2*len(raw) || len(raw) < 8 {
		return false
	}
	for i := range 8 {
		if raw[i] != nibble(blob[2*i])<<4|nibble(blob[2*i+1]) {
			return false
		}
	}
	return true
}

// nibble is the value of a hexadecimal digit in lower case.
func nibble(c byte) byte { return c&15 + c>>6*9 }
