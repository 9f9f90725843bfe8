package index

// table numbers strings that are hashes already: blob ids and memory ids. It is
// several times cheaper than a map, which matters when every process fills it
// anew. The zero value is empty.
type table struct {
	slots []int32 // 1 + number of the key, 0 when free; a power of two of them
	keys  []string
}

// newTable makes room for n keys.
func newTable(n int) table {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return table{slots: make([]int32, size), keys: make([]string, 0, n)}
}

// hash takes two runs of 8 bytes of s, which between them hold 64 bits of a
// digest in hexadecimal and 80 in base32.
func (t *table) hash(s string) uint64 {
	var a, b uint64
	if len(s) >= 16 {
		a, b = word(s), word(s[8:])
	} else {
		for i := range len(s) {
			a = a<<8 | uint64(s[i])
		}
	}
	return ((a ^ b>>3 ^ b<<29) * 0x9e3779b97f4a7c15) >> 20
}

func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// find is the number of key; -1 when it has none.
func (t *table) find(key string) int {
	if len(t.slots) == 0 {
		return -1
	}
	for i := t.hash(key); ; i++ {
		slot := t.slots[i&uint64(len(t.slots)-1)]
		if slot == 0 {
			return -1
		}
		if t.keys[slot-1] == key {
			return int(slot - 1)
		}
	}
}

// add gives key the next number, unless it has one.
func (t *table) add(key string) (number int, fresh bool) {
	if 2*(len(t.keys)+1) > len(t.slots) {
		t.grow()
	}
	for i := t.hash(key); ; i++ {
		slot := &t.slots[i&uint64(len(t.slots)-1)]
		if *slot == 0 {
			t.keys = append(t.keys, key)
			*slot = int32(len(t.keys))
			return len(t.keys) - 1, true
		}
		if t.keys[*slot-1] == key {
			return int(*slot - 1), false
		}
	}
}

func (t *table) grow() {
	bigger := newTable(2*len(t.keys) + 8)
	for _, k := range t.keys {
		bigger.add(k)
	}
	*t = bigger
}
