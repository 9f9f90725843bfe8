package postings

import "sync"

// Term is a term in a field, as a ranking looks it up.
type Term struct {
	Field Field
	Text  string
}

// Of returns the term of a text in the field.
func (f Field) Of(text string) Term { return Term{f, text} }

// Kept keeps the hits of terms that were looked up lately, within a bound. What was used
// since the bound was reached last stays; the rest makes room. It is safe for concurrent
// use, and nobody changes the hits once they are here. A nil Kept keeps nothing.
type Kept struct {
	half int // hits in each of the two generations

	mu       sync.Mutex
	now, old map[Term][]Hit
	size     int // of now
}

// NewKept makes a store of at most so many hits in all.
func NewKept(most int) *Kept { return &Kept{half: most / 2, now: map[Term][]Hit{}} }

// Get returns the hits of a term, and whether they are still here.
func (k *Kept) Get(t Term) ([]Hit, bool) {
	if k == nil {
		return nil, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if hits, ok := k.now[t]; ok {
		return hits, true
	}
	hits, ok := k.old[t]
	if ok {
		k.put(t, hits)
	}
	return hits, ok
}

// Put keeps the hits of a term, if they are not too many to be kept at all.
func (k *Kept) Put(t Term, hits []Hit) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.now[t]; !ok {
		k.put(t, hits)
	}
}

// put adds to the generation of now, or begins another when that is full. A term costs
// as much as a hit: terms without hits are bounded too.
func (k *Kept) put(t Term, hits []Hit) {
	size := len(hits) + 1
	if size > k.half {
		return
	}
	if k.size+size > k.half {
		k.old, k.now, k.size = k.now, map[Term][]Hit{}, 0
	}
	k.now[t], k.size = hits, k.size+size
}
