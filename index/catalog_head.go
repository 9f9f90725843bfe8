package index

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"sync"
	"time"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/memory"
)

// A head is what ranking and status need of every memory, at fixed places, so
// that a process that starts copies the heads of all memories into memory by
// one read and looks at each without taking it apart. Little endian:
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
//	76 sketch    64 bytes, see [sketch]
//	140 blob     20 bytes, or 32 for SHA-256
//	then CRC of all before, 4 bytes
//
// The body is meta, text and unknown keys, one behind the other.
type head string

const (
	kindMemory  = 1
	kindProblem = 2

	flagPinned    = 1
	flagContested = 2
	flagUpdated   = 4

	headBlob = 140
	idSize   = 16
)

// headSize is the size of a head in a repository whose ids have so many bytes.
func headSize(hash int) int { return headBlob + hash + 4 }

// bodyRef says where the body of a memory lies in the text file.
type bodyRef struct {
	offset              int64
	meta, text, unknown int
	metaSum, textSum    uint32
}

func (r *bodyRef) size() int { return r.meta + r.text + r.unknown }

func (h head) u32(at int) uint32 { return cachefile.Uint32(string(h), at) }

func (h head) u64(at int) uint64 { return cachefile.Uint64(string(h), at) }

func (h head) id() memory.ID { return memory.ID(h[60 : 60+idSize]) }

// blob is the id of the blob, as bytes.
func (h head) blob() string { return string(h[headBlob : len(h)-4]) }

// hexBlob is the id of the blob as everybody else writes it.
func (h head) hexBlob() string { return hex.EncodeToString([]byte(h.blob())) }

func (h head) sketch() string { return string(h[76 : 76+sketchSize]) }

func (h head) created() time.Time { return time.Unix(int64(h.u64(16)), 0).UTC() }

func (h head) links() int { return int(h.u32(4)) }

// linked reports whether a memory has links or is contested.
func (h head) linked() bool {
	return h[0] == kindMemory && (h[1]&flagContested != 0 || h.links() > 0)
}

func (h head) body() bodyRef {
	return bodyRef{
		offset: int64(h.u64(32)), meta: int(h.u32(40)), text: int(h.u32(44)), unknown: int(h.u32(48)),
		metaSum: h.u32(52), textSum: h.u32(56),
	}
}

// sound reports whether the checksum holds.
func (h head) sound() bool {
	return (h[0] == kindMemory || h[0] == kindProblem) && cachefile.Sound(string(h))
}

// fill sets the facts in m, but for links, which are in the body.
func (h head) fill(m *memory.Memory) {
	flags := h[1]
	m.ID, m.Type, m.Priority = h.id(), typeOf(h[3]), int(h[2])
	m.Confidence = math.Float64frombits(h.u64(8))
	m.Pinned, m.Contested = flags&flagPinned != 0, flags&flagContested != 0
	m.Created = h.created()
	m.Updated = time.Time{}
	if flags&flagUpdated != 0 {
		m.Updated = time.Unix(int64(h.u64(24)), 0).UTC()
	}
}

// facts are the facts without links.
func (h head) facts() Facts {
	var m memory.Memory
	h.fill(&m)
	return Facts{
		ID: m.ID, Type: m.Type, Created: m.Created, Updated: m.Updated, Confidence: m.Confidence,
		Priority: m.Priority, Pinned: m.Pinned, Contested: m.Contested,
	}
}

var typeList = sync.OnceValue(memory.Types)

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

// memoryHead is the head of m, of which the body is at ref.
func memoryHead(blob string, m *memory.Memory, s *sketch, ref bodyRef) []byte {
	b := make([]byte, headBlob, headSize(len(blob)))
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

func problemHead(blob string, ref bodyRef) []byte {
	b := make([]byte, headBlob, headSize(len(blob)))
	b[0] = kindProblem
	return endHead(b, blob, ref)
}

func endHead(b []byte, blob string, ref bodyRef) []byte {
	le := binary.LittleEndian
	le.PutUint32(b[40:], uint32(ref.meta))
	le.PutUint32(b[44:], uint32(ref.text))
	le.PutUint32(b[48:], uint32(ref.unknown))
	le.PutUint32(b[52:], ref.metaSum)
	le.PutUint32(b[56:], ref.textSum)
	return moveHead(append(append(b, blob...), 0, 0, 0, 0), ref.offset)
}

// moveHead notes that the body is at offset now.
func moveHead(b []byte, offset int64) []byte {
	binary.LittleEndian.PutUint64(b[32:], uint64(offset))
	binary.LittleEndian.PutUint32(b[len(b)-4:], cachefile.Sum(b[:len(b)-4]))
	return b
}

// heads are the heads of a catalog by number: those that were on disk, in one
// string, and those added since. A copy stays as it is while more are added.
type heads struct {
	size int
	old  string
	more []head
}

func (h *heads) onDisk() int { return len(h.old) / h.size }

func (h *heads) len() int { return h.onDisk() + len(h.more) }

func (h *heads) at(n int) head {
	if from := n * h.size; from < len(h.old) {
		return head(h.old[from : from+h.size])
	}
	return h.more[n-h.onDisk()]
}

// rawBlob is a blob id as bytes; false when it is none of that many bytes.
func rawBlob(blob string, hash int) (string, bool) {
	var raw [32]byte
	if len(blob) != 2*hash || hash > len(raw) {
		return "", false
	}
	if _, err := hex.Decode(raw[:hash], []byte(blob)); err != nil {
		return "", false
	}
	return string(raw[:hash]), true
}

// sameBlob reports whether the first 64 bits of raw are those of the
// hexadecimal blob: enough to confirm what a number claims.
func sameBlob(raw, blob string) bool {
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
