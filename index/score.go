package index

import (
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/internal/work"

	"github.com/git-cortex/cortex/internal/words"
)

// The ranking: BM25 over the memories of the view, summed over stems, exact
// words and compounds, and title words, plus pairs of neighbouring query words.
// The weights were chosen by measuring on retrieval sets; see docs/benchmarks.md.
const (
	bm25K1 = 1.5
	bm25B  = 0.75

	weightExact    = 0.3  // a word as written, beside its stem
	weightCompound = 0.3  // an identifier, path or flag as written
	weightTitle    = 0.75 // a word of the title, beside its place in the whole
	weightPair     = 0.3  // two words of the query side by side
	weightPrior    = 0.1  // of the score: near-ties only

	// minLength is the lower bound of the average length of a memory, in words,
	// so that among short notes the shortest is not the best.
	minLength = 100
)

// maxQueryTerms bounds the work of a pasted page.
const maxQueryTerms = 256

// queryTerm is one term to look up.
type queryTerm struct {
	field  postings.Field
	term   string
	weight float64
}

// plan is a query taken apart for ranking.
type plan struct {
	terms []queryTerm
	marks map[string]bool // stems and exact terms to highlight
	pairs []pair
	words []queryWord
	alias map[string]string // by stem: the stem of the query that it stands for
	bits  map[string]uint64 // of the first 64 stems, in the masks of a ranking

	// pairMasks are the bits of both stems of a pair; 0 when one has none.
	pairMasks []uint64
}

func planQuery(a *words.Analyser, query []string) *plan {
	p := &plan{marks: map[string]bool{}, alias: map[string]string{}}
	var tokens []words.Token
	var typed []string // by token
	for _, w := range query {
		for _, t := range a.Analyse(w) {
			tokens, typed = append(tokens, t), append(typed, w)
		}
	}
	meaning := slices.ContainsFunc(tokens, func(t words.Token) bool { return t.Stem != "" && !words.IsStop(t.Term) })
	bits := map[string]uint64{}
	prev := ""
	for i, t := range tokens {
		switch {
		case t.Stem == "":
			p.add(postings.Exact, t.Term, weightCompound)
			p.marks[t.Term] = true
			continue
		case meaning && words.IsStop(t.Term):
			continue
		}
		p.words = append(p.words, queryWord{t.Term, t.Stem, typed[i]})
		if !p.marks[t.Stem] && len(bits) < 64 {
			bits[t.Stem] = 1 << len(bits)
		}
		p.add(postings.Stem, t.Stem, 1)
		p.add(postings.Exact, t.Term, weightExact)
		p.add(postings.Title, t.Stem, weightTitle)
		p.marks[t.Stem] = true
		p.addPair(pair{prev, t.Stem}, bits)
		prev = t.Stem
	}
	p.bits = bits
	return p
}

// leave takes the words of phrases out of those that may be widened.
func (p *plan) leave(a *words.Analyser, phrases []string) {
	for _, phrase := range phrases {
		for _, t := range a.Analyse(phrase) {
			p.words = slices.DeleteFunc(p.words, func(q queryWord) bool { return q.term == t.Term })
		}
	}
}

func (p *plan) add(f postings.Field, term string, weight float64) {
	known := slices.ContainsFunc(p.terms, func(t queryTerm) bool { return t.field == f && t.term == term })
	if !known && len(p.terms) < maxQueryTerms {
		p.terms = append(p.terms, queryTerm{f, term, weight})
	}
}

func (p *plan) addPair(two pair, bits map[string]uint64) {
	known := two[0] == "" || two[0] == two[1] || slices.Contains(p.pairs, two)
	if known {
		return
	}
	p.pairs = append(p.pairs, two)
	p.pairMasks = append(p.pairMasks, maskOf(bits[two[0]], bits[two[1]]))
}

// maskOf has the bits of two words; none if one of them has none.
func maskOf(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a | b
}

// source is where postings come from: the Bluge index, or the overlay.
type source interface {
	// postings appends to hits the places of the documents that hold term in f:
	// ordinals are places by document, negative where there is none.
	Postings(f postings.Field, term string, ordinals []int32, hits []postings.Hit) ([]postings.Hit, error)
	// each calls visit for every document of a part with its number.
	Each(part int, visit func(doc uint32, d postings.Name))
	Parts() int
}

// placed is a source with the place of each of its documents in the view.
type placed struct {
	source
	ordinals []int32        // by document; -1: not in the view
	recent   *postings.Kept // of this source alone; nil keeps nothing
}

// lookup appends the hits of a term. What is appended to nothing may be kept, and is not
// to be changed. It is kept in memory of its own: the hits have room for documents that are
// not in the view, and the term may be cut from a long query.
func (p *placed) lookup(t postings.Term, hits []postings.Hit) ([]postings.Hit, error) {
	if p.recent == nil || len(hits) > 0 {
		return p.Postings(t.Field, t.Text, p.ordinals, hits)
	}
	hits, ok := p.recent.Get(t)
	if ok {
		return hits, nil
	}
	hits, err := p.Postings(t.Field, t.Text, p.ordinals, nil)
	if err == nil {
		kept := make([]postings.Hit, len(hits))
		copy(kept, hits)
		p.recent.Put(t.Field.Of(strings.Clone(t.Text)), kept)
	}
	return hits, err
}

// ranking scores the items of a view.
type ranking struct {
	sources []placed
	total   int // items of the view
	lengths *Lengths

	scores []float64
	masks  []uint64                         // which of the first 64 stems of the plan an item holds
	trace  *trace                           // when it is to be explained
	known  map[postings.Term][]postings.Hit // looked up already
}

func newRanking(total int) *ranking {
	return &ranking{
		total: total, scores: mapped.Zeroes[float64](total), masks: mapped.Zeroes[uint64](total),
	}
}

// place adds a source: its documents stand for the items that find places them
// at and that no earlier source covers. It sets their lengths.
func (r *ranking) place(
	s source, size int, covered []atomic.Bool, lengths [][Fields]uint32, find func(d *postings.Name) int32,
) {
	p := placed{source: s, ordinals: mapped.Zeroes[int32](size)}
	for i := range p.ordinals {
		p.ordinals[i] = -1
	}
	work.Share(s.Parts(), func(next func() (int, bool)) {
		for part, ok := next(); ok; part, ok = next() {
			s.Each(part, func(doc uint32, d postings.Name) {
				at := find(&d)
				if at < 0 || !covered[at].CompareAndSwap(false, true) {
					return
				}
				p.ordinals[doc], lengths[at] = at, d.Length
			})
		}
	})
	r.sources = append(r.sources, p)
}

// lookup collects the items of the view that hold term in f.
func (r *ranking) lookup(f postings.Field, term string) ([]postings.Hit, error) {
	if hits, ok := r.known[f.Of(term)]; ok {
		return hits, nil
	}
	var hits []postings.Hit
	for i := range r.sources {
		var err error
		if hits, err = r.sources[i].lookup(f.Of(term), hits); err != nil {
			return nil, err
		}
	}
	return hits, nil
}

// worth holds the items that contain one term, and for each the score that the term
// adds.
type worth struct {
	hits []postings.Hit
	adds []float64
}

// worths looks terms up and weighs them, on all cores.
func (r *ranking) worths(terms []queryTerm) ([]worth, error) {
	out := make([]worth, len(terms))
	err := work.ShareErr(len(terms), func(next func() (int, bool)) error {
		for i, ok := next(); ok; i, ok = next() {
			t := terms[i]
			hits, err := r.lookup(t.field, t.term)
			if err != nil {
				return err
			}
			w := float64(t.weight * idf(len(hits), r.total))
			average := r.lengths.average[t.field]
			adds := make([]float64, len(hits))
			for k, h := range hits {
				adds[k] = float64(w * bm25(h.Freq, r.lengths.words[h.Item][t.field], average))
			}
			out[i] = worth{hits, adds}
		}
		return nil
	})
	return out, err
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

// lookupStep is the number of terms looked up at once, of which the hits are in
// memory together.
const lookupStep = 24

// run scores every item against the plan. Items that hold no term keep 0.
func (r *ranking) run(p *plan) error {
	for part := range slices.Chunk(p.terms, lookupStep) {
		worths, err := r.worths(part)
		if err != nil {
			return err
		}
		for i := range worths {
			r.add(p, part[i], &worths[i])
		}
	}
	return nil
}

// add adds what a term is worth to the items that hold it.
func (r *ranking) add(p *plan, t queryTerm, from *worth) {
	r.trace.term(from.hits)
	for i, h := range from.hits {
		r.scores[h.Item] += from.adds[i]
	}
	if t.field == postings.Stem {
		bit := p.bits[t.term]
		for _, h := range from.hits {
			r.masks[h.Item] |= bit
		}
	}
}

// scored is the number of items that hold some term.
func (r *ranking) scored() int {
	n := 0
	for _, score := range r.scores {
		if score > 0 {
			n++
		}
	}
	return n
}
