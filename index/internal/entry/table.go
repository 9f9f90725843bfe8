package entry

import (
	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/memory"
)

// Table finds the number of a blob. Blob ids are digests, so their first bytes
// are hash enough; it holds numbers only, and what they stand for is compared
// in the heads.
type Table struct {
	slots []int32 // 1 + number, 0 when free; a power of two of them
	used  int
}

// NewTable makes room for n blobs.
func NewTable(n int) *Table {
	size := 64
	for size < 2*(n+16) {
		size *= 2
	}
	return &Table{slots: make([]int32, size)}
}

// Find is the number of a blob; -1 when it has none.
func (t *Table) Find(h *Heads, blob string) int {
	for i := cachefile.Uint64(blob, 0); ; i++ {
		slot := t.slots[i&uint64(len(t.slots)-1)]
		if slot == 0 {
			return -1
		}
		if n := int(slot - 1); h.At(n).Blob() == blob {
			return n
		}
	}
}

// Put enters number n under its blob, in the place of an earlier one.
func (t *Table) Put(h *Heads, n int) {
	if 2*(t.used+1) > len(t.slots) {
		old := t.slots
		t.slots = make([]int32, 2*len(old))
		for _, slot := range old {
			if slot != 0 {
				t.enter(h, slot)
			}
		}
	}
	t.used++
	t.enter(h, int32(n+1))
}

func (t *Table) enter(h *Heads, slot int32) {
	blob := h.At(int(slot - 1)).Blob()
	for i := cachefile.Uint64(blob, 0); ; i++ {
		at := &t.slots[i&uint64(len(t.slots)-1)]
		if *at == 0 || h.At(int(*at-1)).Blob() == blob {
			*at = slot
			return
		}
	}
}

// IDs finds a memory id in a list of them. It is several times cheaper
// than a map, which matters when every process fills it anew. A slot is the tag
// of an id above 1 + its place in the list, or 0 when free.
type IDs struct{ slots []uint64 }

// NewIDs makes room for n ids.
func NewIDs(n int) *IDs {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return &IDs{slots: make([]uint64, size)}
}

// TagOf is a hash of an id. Between them, 16 characters of base32 hold 80 bits
// of a digest.
func TagOf(id memory.ID) uint32 {
	return uint32((cachefile.Uint64(string(id), 0) ^ cachefile.Uint64(string(id), 8)<<3) * 0x9e3779b97f4a7c15 >> 20)
}

// Find is where an id stands in ids; -1 when it is not there. There must be a free slot.
func (t *IDs) Find(ids []memory.ID, id memory.ID, tag uint32) int {
	return int(uint32(*t.slot(ids, id, tag))) - 1
}

// Place is [IDs.Find], and enters an id that is not there as the next one.
func (t *IDs) Place(ids []memory.ID, id memory.ID, tag uint32) int {
	slot := t.slot(ids, id, tag)
	at := int(uint32(*slot)) - 1
	if at < 0 {
		*slot = uint64(tag)<<32 | uint64(len(ids)+1)
	}
	return at
}

// slot is that of an id, or the free one where it belongs.
func (t *IDs) slot(ids []memory.ID, id memory.ID, tag uint32) *uint64 {
	for i := tag; ; i++ {
		slot := &t.slots[int(i)&(len(t.slots)-1)]
		if *slot == 0 || uint32(*slot>>32) == tag && ids[uint32(*slot)-1] == id {
			return slot
		}
	}
}
