package postings

import (
	"encoding/hex"
	"sync"

	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// Overlay is an inverted index in memory over what the stored index lacks. It only
// grows; callers pick from it what they need. It is safe for concurrent use.
type Overlay struct {
	mu       sync.RWMutex
	analyser words.Analyser
	raw      []string // blobs as bytes
	has      map[string]bool
	lengths  [][Fields]uint32
	terms    [Fields]map[string][]posting
}

// posting says how often a term occurs in a document of the overlay.
type posting struct{ doc, freq uint32 }

// NewOverlay makes an empty overlay.
func NewOverlay() *Overlay {
	o := &Overlay{has: map[string]bool{}}
	for f := range o.terms {
		o.terms[f] = map[string][]posting{}
	}
	return o
}

// Size is the number of documents.
func (o *Overlay) Size() int {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return len(o.raw)
}

// Holds reports whether a blob, in hexadecimal, is there.
func (o *Overlay) Holds(blob string) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.has[blob]
}

// Terms calls visit for the terms of a field, in no order.
func (o *Overlay) Terms(f Field, visit func(term string)) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	for term := range o.terms[f] {
		visit(term)
	}
}

// Add analyses a memory and takes it in unless it is there.
func (o *Overlay) Add(blob string, m *memory.Memory) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.has[blob] {
		return
	}
	d := NewDocument(&o.analyser, blob, m)
	raw, err := hex.DecodeString(blob)
	if err != nil {
		return
	}
	doc := uint32(len(o.raw))
	o.has[d.blob] = true
	o.raw = append(o.raw, string(raw))
	o.lengths = append(o.lengths, d.Lengths())
	for f := range o.terms {
		for term, freq := range d.Terms(Field(f)) {
			o.terms[f][term] = append(o.terms[f][term], posting{doc, freq})
		}
	}
}

// Postings is [Segments.Postings] for the overlay. Documents that were added after
// the ordinals were made are left out.
func (o *Overlay) Postings(f Field, term string, ordinals []int32, hits []Hit) ([]Hit, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	for _, p := range o.terms[f][term] {
		if int(p.doc) >= len(ordinals) {
			break // they stand in the order in which they were added
		}
		if at := ordinals[p.doc]; at >= 0 {
			hits = append(hits, Hit{at, p.freq})
		}
	}
	return hits, nil
}

// Parts is [Segments.Parts] for the overlay.
func (o *Overlay) Parts() int { return 1 }

// Each is [Segments.Each] for the overlay.
func (o *Overlay) Each(_ int, visit func(uint32, Name)) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	for i, blob := range o.raw {
		visit(uint32(i), Name{Blob: blob, Length: o.lengths[i]})
	}
}
