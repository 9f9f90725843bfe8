// Package recent keeps what was looked up lately, within a bound: call [New], and
// [Kept.Get] before a lookup and [Kept.Put] after it. What was used since the bound was
// reached last stays; the rest makes room. It promises nothing but that what it returns
// is what was put there: a miss is no error, only a lookup more.
package recent

import "sync"

// Kept holds slices by key. It is for any number of goroutines, and nobody changes the
// elements of a slice once it is here. A nil Kept keeps nothing.
type Kept[K comparable, E any] struct {
	half int // elements in each of the two generations

	mu       sync.Mutex
	now, old map[K][]E
	size     int // elements in now
}

// New returns what keeps at most so many elements in all.
func New[K comparable, E any](most int) *Kept[K, E] {
	return &Kept[K, E]{half: most / 2, now: map[K][]E{}}
}

// Get returns what was put under a key, and whether it is still here.
func (k *Kept[K, E]) Get(key K) ([]E, bool) {
	if k == nil {
		return nil, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if list, ok := k.now[key]; ok {
		return list, true
	}
	list, ok := k.old[key]
	if ok {
		k.put(key, list)
	}
	return list, ok
}

// Put keeps a slice under a key, if it is not too large to be kept at all.
func (k *Kept[K, E]) Put(key K, list []E) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.now[key]; !ok {
		k.put(key, list)
	}
}

// put adds to the generation of now, or begins another when that is full. A key costs
// as much as an element: keys without elements are bounded too.
func (k *Kept[K, E]) put(key K, list []E) {
	size := len(list) + 1
	if size > k.half {
		return
	}
	if k.size+size > k.half {
		k.old, k.now, k.size = k.now, map[K][]E{}, 0
	}
	k.now[key], k.size = list, k.size+size
}
