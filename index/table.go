package index

import (
	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/memory"
)

// table finds the number of a blob. Blob ids are digests, so their first bytes
// are hash enough; it holds numbers only, and what they stand for is compared
// in the heads.
type table struct {
	slots []int32 // 1 + number, 0 when free; a power of two of them
	used  int
}

// newTable makes room for n blobs.
func newTable(n int) *table {
	size := 64
	for size < 2*(n+16) {
		size *= 2
	}
	return &table{slots: mapped.Zeroes[int32](size)}
}

// find is the number of a blob; -1 when it has none.
func (t *table) find(h *heads, blob string) int {
	for i := cachefile.Uint64(blob, 0); ; i++ {
		slot := t.slots[i&uint64(len(t.slots)-1)]
		if slot == 0 {
			return -1
		}
		if n := int(slot - 1); h.at(n).blob() == blob {
			return n
		}
	}
}

// put enters number n under its blob, in the place of an earlier one.
func (t *table) put(h *heads, n int) {
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

func (t *table) enter(h *heads, slot int32) {
	blob := h.at(int(slot - 1)).blob()
	for i := cachefile.Uint64(blob, 0); ; i++ {
		at := &t.slots[i&uint64(len(t.slots)-1)]
		if *at == 0 || h.at(int(*at-1)).blob() == blob {
			*at = slot
			return
		}
	}
}

// idTable finds a memory id in a list of them. It is several times cheaper
// than a map, which matters when every process fills it anew. A slot is the tag
// of an id above 1 + its place in the list, or 0 when free.
type idTable struct{ slots []uint64 }

func newIDTable(n int) *idTable {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return &idTable{slots: mapped.Zeroes[uint64](size)}
}

// tagOf is a hash of an id. Between them, 16 characters of base32 hold 80 bits
// of a digest.
func tagOf(id memory.ID) uint32 {
	return uint32((cachefile.Uint64(string(id), 0) ^ cachefile.Uint64(string(id), 8)<<3) * 0x9e3779b97f4a7c15 >> 20)
}

// place is where an id stands in ids; if it is not there, it is entered as the
// next one, and place is -1. There must be a free slot.
func (t *idTable) place(ids []memory.ID, id memory.ID, tag uint32) int {
	for i := tag; ; i++ {
		slot := &t.slots[int(i)&(len(t.slots)-1)]
		switch {
		case *slot == 0:
			*slot = uint64(tag)<<32 | uint64(len(ids)+1)
			return -1
		case uint32(*slot>>32) == tag && ids[uint32(*slot)-1] == id:
			return int(uint32(*slot)) - 1
		}
	}
}
