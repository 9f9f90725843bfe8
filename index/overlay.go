package index

import "github.com/git-cortex/cortex/index/internal/words"

// overlay is an inverted index in memory over what the Bluge index does not
// hold yet. It only grows; a view picks from it what it needs.
type overlay struct {
	analyser words.Analyser
	raw      []string // blobs as bytes
	has      map[string]bool
	lengths  [][fieldCount]uint32
	terms    [fieldCount]map[string][]posting
}

// posting says how often a term occurs in a document of the overlay.
type posting struct{ doc, freq uint32 }

func newOverlay() *overlay {
	o := &overlay{has: map[string]bool{}}
	for f := range o.terms {
		o.terms[f] = map[string][]posting{}
	}
	return o
}

// add takes in d unless it is there.
func (o *overlay) add(d *document) {
	raw, ok := rawBlob(d.blob, len(d.blob)/2)
	if o.has[d.blob] || !ok {
		return
	}
	doc := uint32(len(o.raw))
	o.has[d.blob] = true
	o.raw = append(o.raw, raw)
	o.lengths = append(o.lengths, d.length)
	for f := range d.terms {
		for _, t := range d.terms[f] {
			o.terms[f][t.term] = append(o.terms[f][t.term], posting{doc, t.freq})
		}
	}
}

func (o *overlay) postings(f field, term string, ordinals []int32, hits []hitFreq) ([]hitFreq, error) {
	for _, p := range o.terms[f][term] {
		if at := ordinals[p.doc]; at >= 0 {
			hits = append(hits, hitFreq{at, p.freq})
		}
	}
	return hits, nil
}

func (o *overlay) parts() int { return 1 }

func (o *overlay) each(_ int, visit func(uint32, docName)) {
	for i, blob := range o.raw {
		visit(uint32(i), docName{blob: blob, length: o.lengths[i]})
	}
}
