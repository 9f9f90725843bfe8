package index

import (
	"math"
	"slices"
)

// The ranking: BM25 over the memories of the view, summed over stems, exact
// words and compounds, and title words, plus pairs of neighbouring query words.
// The weights are those of "stack E" of the measurements behind DESIGN §6.
const (
	bm25K1 = 1.5
	bm25B  = 0.75

	weightExact    = 0.3  // a word as written, beside its stem
	weightCompound = 0.3  // an identifier, path or flag as written
	weightTitle    = 0.75 // a word of the title, beside its place in the whole
	weightPair     = 0.3  // two words of the query side by side
	weightPrior    = 0.1  // of the score: near-ties only

	// minLength is what the average length of a memory counts as at least, in
	// words, so that among short notes the shortest is not the best.
	minLength = 100
)

// maxQueryTerms bounds the work of a pasted page.
const maxQueryTerms = 256

// queryTerm is one term to look up.
type queryTerm struct {
	field  field
	term   string
	weight float64
}

// plan is a query taken apart for ranking.
type plan struct {
	terms []queryTerm
	stems []string // query words in order, stop words dropped, for pairs
	pairs map[[2]string]bool
	marks map[string]bool // stems and exact terms to highlight
}

func planQuery(a *analyser, words []string) *plan {
	p := &plan{pairs: map[[2]string]bool{}, marks: map[string]bool{}}
	var tokens []token
	for _, w := range words {
		for _, t := range a.analyse(w) {
			tokens = append(tokens, t)
		}
	}
	meaning := slices.ContainsFunc(tokens, func(t token) bool { return t.stem != "" && !isStopWord(t.term) })
	seen := map[queryTerm]bool{}
	add := func(f field, term string, weight float64) {
		key := queryTerm{field: f, term: term}
		if !seen[key] && len(p.terms) < maxQueryTerms {
			seen[key] = true
			p.terms = append(p.terms, queryTerm{f, term, weight})
		}
	}
	for _, t := range tokens {
		switch {
		case t.stem == "":
			add(fieldExact, t.term, weightCompound)
			p.marks[t.term] = true
			continue
		case meaning && isStopWord(t.term):
			continue
		}
		add(fieldStem, t.stem, 1)
		add(fieldExact, t.term, weightExact)
		add(fieldTitle, t.stem, weightTitle)
		p.marks[t.stem] = true
		if n := len(p.stems); n > 0 && p.stems[n-1] != t.stem {
			p.pairs[[2]string{p.stems[n-1], t.stem}] = true
		}
		p.stems = append(p.stems, t.stem)
	}
	return p
}

// posting is one occurrence of a term: in which document of the source, how
// often.
type posting struct {
	doc  uint32
	freq uint32
}

// source is where postings come from: the Bluge index, or the overlay.
type source interface {
	// postings calls visit for every document that holds term in f.
	postings(f field, term string, visit func(posting)) error
	// each calls visit for every document with its number, blob and lengths.
	each(visit func(doc uint32, blob string, length [fieldCount]uint32))
}

// placed is a source with the place of each of its documents in the view.
type placed struct {
	source
	ordinals []int32 // by document; -1: not in the view
}

// ranking scores the items of a view.
type ranking struct {
	sources []placed
	total   int // items of the view
	length  [fieldCount][]uint32
	average [fieldCount]float64

	scores []float64
	masks  []uint64 // which of the first 64 stems of the plan an item holds
	hits   []hitFreq
}

type hitFreq struct {
	item int32
	freq uint32
}

func newRanking(total int) *ranking {
	r := &ranking{total: total, scores: make([]float64, total), masks: make([]uint64, total)}
	for f := range r.length {
		r.length[f] = make([]uint32, total)
	}
	return r
}

// place adds a source: its documents stand for the items of places, by blob,
// that no earlier source covers.
func (r *ranking) place(s source, places map[string]int32, covered []bool) {
	p := placed{source: s}
	s.each(func(doc uint32, blob string, length [fieldCount]uint32) {
		at, ok := places[blob]
		if !ok || covered[at] {
			at = -1
		} else {
			covered[at] = true
			for f := range length {
				r.length[f][at] = length[f]
			}
		}
		for len(p.ordinals) <= int(doc) {
			p.ordinals = append(p.ordinals, -1)
		}
		p.ordinals[doc] = at
	})
	r.sources = append(r.sources, p)
}

// measure computes average lengths; call it when all sources are placed.
func (r *ranking) measure() {
	for f := range r.length {
		sum := uint64(0)
		for _, n := range r.length[f] {
			sum += uint64(n)
		}
		r.average[f] = max(1, float64(sum)/float64(max(1, r.total)))
		if field(f) != fieldTitle {
			r.average[f] = max(minLength, r.average[f])
		}
	}
}

// lookup collects the items of the view that hold term in f.
func (r *ranking) lookup(f field, term string) ([]hitFreq, error) {
	r.hits = r.hits[:0]
	for i := range r.sources {
		s := &r.sources[i]
		if err := s.postings(f, term, func(p posting) {
			if at := s.ordinals[p.doc]; at >= 0 {
				r.hits = append(r.hits, hitFreq{at, p.freq})
			}
		}); err != nil {
			return nil, err
		}
	}
	return r.hits, nil
}

// idf is how much a term that df of n documents hold tells.
func idf(df, n int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// bm25 is the weight of a term that occurs freq times in a text of length
// words. Every product is rounded by itself, so that no compiler fuses them
// and scores are the same on every machine.
func bm25(freq, length uint32, average float64) float64 {
	tf := float64(freq)
	norm := float64(bm25B*float64(length)) / average
	k := float64(bm25K1 * float64(1-bm25B+norm))
	return float64(tf*(bm25K1+1)) / float64(tf+k)
}

// run scores every item against the plan. Items that hold no term keep 0.
func (r *ranking) run(p *plan) error {
	stem := 0
	for _, t := range p.terms {
		hits, err := r.lookup(t.field, t.term)
		if err != nil {
			return err
		}
		w := float64(t.weight * idf(len(hits), r.total))
		for _, h := range hits {
			r.scores[h.item] += float64(w * bm25(h.freq, r.length[t.field][h.item], r.average[t.field]))
		}
		if t.field == fieldStem {
			if stem < 64 {
				for _, h := range hits {
					r.masks[h.item] |= 1 << stem
				}
			}
			stem++
		}
	}
	return nil
}
