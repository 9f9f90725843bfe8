// Package scoring says what the words of a query are worth to every memory of a source, by BM25.
//
// Call [NewPlan] to take a query apart, [New] for a ranking of a [Source], [Ranking.Widen] to find the
// words of the query as the memories spell them, and [Ranking.Run]. [Plan.CountPairs] counts words
// that stand side by side in a text, and [Ranking.PairScore] says what they add.
//
// What the package promises: a score depends on the plan, the postings and the lengths alone, bit for
// bit on every machine. A source is asked for many terms at once.
package scoring

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/git-cortex/cortex/index/internal/postings"
)

// The ranking: BM25 over the memories of a source, summed over stems, exact
// words and compounds, and title words, plus pairs of neighbouring query words.
// The weights were chosen by measuring on retrieval sets; see docs/benchmarks.md.
const (
	bm25K1 = 1.5
	bm25B  = 0.75

	weightExact    = 0.3  // a word as written, beside its stem
	weightCompound = 0.3  // an identifier, path or flag as written
	weightTitle    = 0.75 // a word of the title, beside its place in the whole
	weightPair     = 0.3  // two words of the query side by side

	// minLength is the lower bound of the average length of a memory, in words,
	// so that among short notes the shortest is not the best.
	minLength = 100
)

// Lengths are the lengths of the fields of the memories of a source, by place, and their averages.
type Lengths struct {
	words   [][postings.Fields]uint32
	average [postings.Fields]float64

	// Most memories are short, and hold a word once or twice: what bm25 says of those by length and frequency, and
	// their lengths in little memory. Others have the length usualLength there.
	usual [postings.Fields][usualLength][usualFreq]float64
	short [postings.Fields][]uint8
}

const (
	usualLength = math.MaxUint8
	usualFreq   = 8
)

// MeasureLengths are the lengths of the fields of every memory of a source, by place. They are not
// changed any more.
func MeasureLengths(words [][postings.Fields]uint32) *Lengths {
	l := &Lengths{words: words}
	for f := range l.short {
		l.measure(postings.Field(f))
	}
	return l
}

// measure is MeasureLengths for a field.
func (l *Lengths) measure(f postings.Field) {
	sum := uint64(0)
	l.short[f] = make([]uint8, len(l.words))
	for i := range l.words {
		n := l.words[i][f]
		sum += uint64(n)
		l.short[f][i] = uint8(min(n, usualLength))
	}
	l.average[f] = max(1, float64(sum)/float64(max(1, len(l.words))))
	if f != postings.Title {
		l.average[f] = max(minLength, l.average[f])
	}
	for length := range usualLength {
		for freq := range usualFreq {
			l.usual[f][length][freq] = bm25(uint32(freq), uint32(length), l.average[f])
		}
	}
}

// bm25 is the weight of a hit in a field.
func (l *Lengths) bm25(f postings.Field, h postings.Hit) float64 {
	return bm25(h.Freq, l.words[h.Item][f], l.average[f])
}

// Source is where postings and words come from. See index.Source.
type Source interface {
	Len() int
	Postings(ctx context.Context, terms []postings.Term) ([][]postings.Hit, error)
	Spelled(ctx context.Context, word string, edits int) ([]string, error)
}

// Ranking scores the memories of a source against a plan.
type Ranking struct {
	// Hits are those of every term of the plan, if they are not nil before Run.
	Hits [][]postings.Hit

	*Plan
	*room
	source  Source
	total   int // memories of the source
	lengths *Lengths
	known   map[postings.Term][]postings.Hit // looked up already, or standing for what would be found
	rooms   *Rooms
}

// Rooms are the arrays of rankings that ended, for those that follow. The zero value is ready, and safe for
// concurrent use.
type Rooms struct{ spare sync.Pool }

// room is the arrays of a ranking, all zero before it begins and when it has ended.
type room struct {
	Scores []float64 // by place; 0 for what holds no term
	masks  []uint64  // which of the first 64 stems of the plan a memory holds
	marks  []uint32  // see widening.mark
	places []int32   // see Ranking.Scored
}

// of is a room for so many memories.
func (r *Rooms) of(size int) *room {
	if was, ok := r.spare.Get().(*room); ok && cap(was.Scores) >= size {
		return &room{was.Scores[:size], was.masks[:size], was.marks[:size], was.places}
	}
	return &room{make([]float64, size), make([]uint64, size), make([]uint32, size), nil}
}

// New makes a ranking in which no memory has a score. Call [Ranking.End] when nothing is asked of it any more.
func New(from Source, lengths *Lengths, p *Plan, rooms *Rooms) *Ranking {
	total := from.Len()
	return &Ranking{
		Plan: p, source: from, total: total, lengths: lengths, known: map[postings.Term][]postings.Hit{},
		room: rooms.of(total), rooms: rooms,
	}
}

// End gives the arrays of a ranking back. A nil one has none.
func (r *Ranking) End() {
	if r == nil {
		return
	}
	clear(r.Scores)
	clear(r.masks)
	r.rooms.spare.Put(r.room)
	r.room = &room{}
}

// Find returns the memories that hold each of some terms, and asks the source once for those
// that are not known.
func (r *Ranking) Find(ctx context.Context, terms []postings.Term) ([][]postings.Hit, error) {
	out := make([][]postings.Hit, len(terms))
	var lacking []postings.Term
	var places []int
	for i, t := range terms {
		hits, ok := r.known[t]
		if !ok {
			lacking, places = append(lacking, t), append(places, i)
		}
		out[i] = hits
	}
	if len(lacking) == 0 {
		return out, nil
	}
	found, err := r.source.Postings(ctx, lacking)
	if err != nil {
		return nil, err
	}
	for i, hits := range found {
		out[places[i]] = hits
	}
	return out, nil
}

// learn is Find, and keeps what was found.
func (r *Ranking) learn(ctx context.Context, terms ...postings.Term) ([][]postings.Hit, error) {
	found, err := r.Find(ctx, terms)
	for i := range found {
		r.known[terms[i]] = found[i]
	}
	return found, err
}

// lookedUp are the terms of a plan as they are looked up.
func lookedUp(terms []Term) []postings.Term {
	out := make([]postings.Term, len(terms))
	for i, t := range terms {
		out[i] = t.Term
	}
	return out
}

// Measure is how a term counts in a memory that holds it freq times, where df memories hold it.
func (r *Ranking) Measure(t Term, at int32, df int, freq uint32) (weight, score float64, length uint32) {
	weight, length = idf(df, r.total), r.lengths.words[at][t.Field]
	return weight, float64(float64(t.Weight*weight) * bm25(freq, length, r.lengths.average[t.Field])), length
}

// PairScore is the score that a pair of the plan adds to a memory that has it freq times, where df
// memories have it.
func (r *Ranking) PairScore(at int32, df int, freq uint32) float64 {
	_, score, _ := r.Measure(Term{Term: postings.Stem.Of(""), Weight: weightPair}, at, df, freq)
	return score
}

// MayHavePair reports whether a memory holds both words of some pair.
func (r *Ranking) MayHavePair(at int32) bool {
	mask := r.masks[at]
	return slices.ContainsFunc(r.pairMasks, func(both uint64) bool { return both == 0 || mask&both == both })
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

// Run adds to the scores what the terms of the plan are worth.
func (r *Ranking) Run(ctx context.Context) error {
	for part := range slices.Chunk(r.Terms, lookupStep) {
		found, err := r.Find(ctx, lookedUp(part))
		if err != nil {
			return err
		}
		for i, hits := range found {
			r.gain(part[i], hits)
		}
	}
	return nil
}

// gain adds what a term is worth to the memories that hold it.
func (r *Ranking) gain(t Term, hits []postings.Hit) {
	if r.Hits != nil {
		r.Hits = append(r.Hits, slices.Clone(hits))
	}
	w, usual, short := float64(t.Weight*idf(len(hits), r.total)), &r.lengths.usual[t.Field], r.lengths.short[t.Field]
	for _, h := range hits {
		if length := short[h.Item]; length < usualLength && h.Freq < usualFreq {
			r.Scores[h.Item] += float64(w * usual[length][h.Freq])
		} else {
			r.Scores[h.Item] += float64(w * r.lengths.bm25(t.Field, h))
		}
	}
	if t.Field == postings.Stem {
		bit := r.bits[t.Text]
		for _, h := range hits {
			r.masks[h.Item] |= bit
		}
	}
}

// Scored are the memories that hold some term, by place, until the ranking ends.
func (r *Ranking) Scored() []int32 {
	r.places = r.places[:0]
	for at, score := range r.Scores {
		if score > 0 {
			r.places = append(r.places, int32(at))
		}
	}
	return r.places
}
