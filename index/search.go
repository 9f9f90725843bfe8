package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/internal/work"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// SearchOptions bounds a search. The zero value is right for people.
type SearchOptions struct {
	Limit   int           // hits to return; 0 means 10, negative means all
	Snippet int           // characters of a snippet; 0 means 160
	Explain bool          // fill in why each hit has its score
	Fetch   Fetch         // reads pending memories again whose cached text is damaged; may be nil
	Overlay int           // memories that the index lacks are analysed up to this number, the newest; 0 is all
	Learn   int           // with more memories than this that the index lacks, they are indexed first; 0 is never
	Twins   bool          // matches that say the same are hits of their own
	AsTyped bool          // words that no memory holds stand for no others
	Vector  *VectorSearch // adds what is similar in meaning; nil searches by words alone
}

// Result is an answer.
type Result struct {
	Hits    []Hit       // best first; of equal score the smaller id first
	Total   int         // memories that match, before the limit
	View    int         // memories of the view, each counted once
	Overlay int         // memories of the view that were not in the index yet
	Meaning bool        // vectors had a part in it
	Hints   []string    // what was taken otherwise than typed, beside those of the query
	Query   query.Query // what was answered: without plain language that led nowhere
}

// Hit is one memory found.
type Hit struct {
	Item    Item
	Memory  *memory.Memory // whole
	Score   float64        // for ordering only; not comparable across queries
	Snippet Snippet
	Via     string       // "" when it matched itself; else how it was reached
	Why     *Explanation // when asked for
	Twins   []memory.ID  // matches that say the same in other files, which it stands for
}

// candidates is the number of memories, best first, whose texts are read to
// score neighbouring words.
const candidates = 128

// maxReread bounds the bytes of text read for that, in order of rank.
const maxReread = 4 << 20

// Search ranks the memories of v against q. A query without words lists what
// passes its filters by prior, newest first. Items that the catalog does not
// know are not found: call [Index.Fill] first. It fails only when ctx ends.
func (x *Index) Search(ctx context.Context, v View, q query.Query, opt SearchOptions) (*Result, error) {
	if opt.Limit == 0 {
		opt.Limit = 10
	}
	if opt.Snippet <= 0 {
		opt.Snippet = snippetWidth
	}
	s := &search{index: x, opt: opt}
	s.folded = x.foldOf(&v)
	err := s.run(ctx, q)
	if errors.Is(err, errLacking) {
		// To analyse them for this answer and again for the index would take twice as
		// long. While another process is writing, or the disk is full, that is done.
		_, _ = x.Update(ctx, v)
		opt.Learn = 0
		s = &search{index: x, opt: opt, folded: s.folded}
		err = s.run(ctx, q)
	}
	if err != nil {
		return nil, err
	}
	s.newest()
	return s.result(ctx)
}

// errLacking says that the index lacks more than SearchOptions.Learn.
var errLacking = errors.New("the index lacks many memories")

// run ranks q. If no memory matches the filters read from plain words, it drops the
// words or the filters, ranks again, and says so in a hint.
func (s *search) run(ctx context.Context, q query.Query) error {
	s.asked = q
	s.leaning, s.query = lean(s.index.catalog, &q)
	if err := s.rank(ctx); err != nil {
		return err
	}
	timed := s.isTimed()
	inside := s.outside < s.total
	switch {
	case q.Plain == nil, inside, s.leaning != nil && !timed:
		s.trim()
		return nil
	case timed && s.total == 0 && len(q.Phrases) == 0:
		bare := q
		bare.Words = nil
		s.restart("no memory holds these words: shown is all of that time")
		if err := s.run(ctx, bare); err != nil || s.total > 0 {
			return err
		}
	}
	if len(q.Words) == 0 {
		s.restart("nothing is of that kind or time: the words themselves were searched")
		return s.run(ctx, q.Literal())
	}
	s.restart("nothing is of that time: the other words were searched at any time")
	return s.run(ctx, q.Timeless())
}

// isTimed reports whether words of the query name a time.
func (s *search) isTimed() bool { return s.leaning != nil && len(s.leaning.time) > 0 }

// restart forgets what was found, and why.
func (s *search) restart(hint string) {
	*s = search{index: s.index, opt: s.opt, folded: s.folded, hints: []string{hint}}
}

// search is one search under way.
type search struct {
	index *Index
	asked query.Query
	query *query.Query // without what leans
	opt   SearchOptions

	leaning *leaning
	outside int // matches of another time than was asked for

	*folded
	plan    *plan
	ranking *ranking
	overlay int
	not     []excluded
	found   []scored
	total   int
	unheld  []missingWord
	loose   bool // quoted words need not stand together
	hints   []string
	texts   map[int32]*memory.Memory
	vector  *vectorHits // nil when vectors had no part in it
}

type scored struct {
	item  int32
	score float64
}

// rank fills found with everything that matches, in order.
func (s *search) rank(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	asked := s.askVectors(ctx) // while words are scored
	a := s.index.ranker.borrow()
	defer s.index.ranker.giveBack(a)
	s.plan = planQuery(a, s.query.Words)
	s.plan.leave(a, s.query.Phrases)
	s.texts = map[int32]*memory.Memory{}
	for _, q := range s.query.Not {
		if p := phraseOf(a, q); len(p) > 0 {
			s.not = append(s.not, excluded{phrase: p})
		}
	}
	if err := s.score(ctx); err != nil {
		return err
	}
	s.collect(ctx, a)
	if len(s.plan.pairs) > 0 {
		s.scorePairs(ctx)
	}
	if asked == nil {
		return nil
	}
	var err error
	s.vector, err = s.fuseVectors(ctx, a, asked)
	return err
}

// score runs the ranking over index and overlay. A Bluge index that fails while
// it is read is dropped, and everything is scored from memory.
func (s *search) score(ctx context.Context) error {
	if len(s.plan.terms)+len(s.not) == 0 {
		return nil
	}
	seg := s.index.segments()
	if seg == nil {
		return s.scoreWith(ctx, nil)
	}
	defer seg.Close()
	err := s.scoreWith(ctx, seg)
	if err == nil || ctx.Err() != nil || errors.Is(err, errLacking) {
		return err
	}
	s.index.discard(seg)
	return s.scoreWith(ctx, nil)
}

func (s *search) scoreWith(ctx context.Context, seg *postings.Segments) error {
	r := newRanking(len(s.items))
	if s.opt.Explain {
		r.trace = &trace{pairs: map[int32][]PairScore{}}
	}
	if !s.places.take(r, seg) {
		covered, lengths := make([]atomic.Bool, len(s.items)), mapped.Zeroes[[Fields]uint32](len(s.items))
		if seg != nil {
			s.place(r, seg, seg.Docs(), covered, lengths)
		}
		if err := s.placeOverlay(ctx, r, covered, lengths); err != nil {
			return err
		}
		r.lengths = MeasureLengths(lengths)
		if s.overlay == 0 {
			s.places.keep(r, seg)
		}
	}
	s.ranking = r
	if err := s.widen(r); err != nil {
		return err
	}
	if err := r.run(s.plan); err != nil {
		return err
	}
	return s.exclude(r)
}

func (s *search) place(r *ranking, from source, size int, covered []atomic.Bool, lengths [][Fields]uint32) {
	c := s.index.catalog
	c.mu.RLock()
	defer c.mu.RUnlock()
	r.place(from, size, covered, lengths, func(d *postings.Name) int32 {
		return s.placeNumber(c.numberRaw(d.Blob, d.Hint))
	})
}

// placeOverlay analyses what no source covers yet.
func (s *search) placeOverlay(
	ctx context.Context, r *ranking, covered []atomic.Bool, lengths [][Fields]uint32,
) error {
	x := s.index
	x.overlayMu.Lock()
	defer x.overlayMu.Unlock()
	lacking := s.lacking(covered)
	s.overlay = len(lacking)
	if s.opt.Learn > 0 && len(lacking) > s.opt.Learn && x.opt.Dir != "" {
		return errLacking
	}
	if most := s.opt.Overlay; most > 0 && len(lacking) > most {
		slices.SortStableFunc(lacking, func(a, b int) int { // the newest first
			return -s.head(a).Created().Compare(s.head(b).Created())
		})
		lacking = lacking[:most]
	}
	for _, i := range lacking {
		if blob := s.items[i].Blob; !x.overlay.Holds(blob) {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("searching: %w", err)
			}
			if m := x.whole(ctx, s.items[i], s.opt.Fetch); m != nil {
				x.overlay.Add(blob, m)
			}
		}
	}
	if s.overlay > 0 {
		s.place(r, x.overlay, x.overlay.Size(), covered, lengths)
	}
	return nil
}

// lacking are the places of the items that no source covers.
func (s *search) lacking(covered []atomic.Bool) []int {
	var out []int
	for i := range covered {
		if !covered[i].Load() {
			out = append(out, i)
		}
	}
	return out
}

// collect gathers what matches words, phrases and filters, best first. Of what
// is beyond the limit and the candidates for pairs only the number is kept.
func (s *search) collect(ctx context.Context, a *words.Analyser) {
	m := newMatcher(s.index.catalog, s.query)
	out := s.excluded(ctx, a)
	need := s.required(a)
	ranked := len(s.plan.terms) > 0
	if ranked {
		s.found = make([]scored, 0, s.ranking.scored())
	}
	for i, it := range s.items {
		at := int32(i)
		if ranked && s.ranking.scores[i] <= 0 || out[at] {
			continue
		}
		if m.match(ctx, it) && s.holds(ctx, a, at, need) {
			s.found = append(s.found, scored{at, s.scoreOf(at, ranked)})
		}
	}
	if len(s.found) == 0 && len(need) > 0 {
		s.loose = true
		s.hints = append(s.hints, "no memory holds the quoted words in that order; they were searched as single words")
		s.collect(ctx, a)
		return
	}
	s.total = len(s.found)
	kept := s.total
	if s.opt.Limit > 0 {
		kept = max(s.opt.Limit, candidates)
	}
	s.found = work.Best(s.found, kept, s.compare)
}

// scoreOf is the score of an item that matches: by its words, or by its prior where there
// are none. It counts what is of another time than was asked for.
func (s *search) scoreOf(at int32, ranked bool) float64 {
	it := s.items[at]
	switch {
	case ranked:
		factor, inside := s.leaning.factor(it)
		if !inside {
			s.outside++
		}
		return float64(s.ranking.scores[at] * float64(boost(it)*factor))
	case s.asked.Newest: // the time decides
		return 0
	}
	return it.prior()
}

func (it *Item) prior() float64 { return min(max(it.Prior, 0), 1) }

// boost is the factor of the prior in a score, 1 to 1.1: enough to order near-ties, too
// little to bury a clear match.
func boost(it *Item) float64 { return 1 + float64(weightPrior*it.prior()) }

func (s *search) compare(a, b scored) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return s.younger(a, b)
}

// younger compares two items of equal score: if the query has no words or asks for the
// newest the younger comes first, then the smaller id.
func (s *search) younger(a, b scored) int {
	if len(s.plan.terms) == 0 || s.asked.Newest {
		fa, _ := s.index.catalog.FactsOf(s.items[a.item])
		fb, _ := s.index.catalog.FactsOf(s.items[b.item])
		if c := fb.touched().Compare(fa.touched()); c != 0 {
			return c
		}
	}
	return cmp.Compare(s.ids[a.item], s.ids[b.item])
}

// newest puts the newest of the best matches first, if they were asked for: those
// of at least half the best score, which are all there are without words.
func (s *search) newest() {
	if !s.asked.Newest || len(s.found) == 0 {
		return
	}
	enough := s.found[0].score / 2
	n := len(s.found)
	if i := slices.IndexFunc(s.found, func(f scored) bool { return f.score < enough }); i >= 0 {
		n = i
	}
	slices.SortFunc(s.found[:n], s.younger)
}

// text is the memory of an item with its text, kept for the snippet.
func (s *search) text(ctx context.Context, at int32) *memory.Memory {
	m, ok := s.texts[at]
	if !ok {
		m = s.index.whole(ctx, s.items[at], s.opt.Fetch)
		s.texts[at] = m
	}
	return m
}

// result reads the memories of the first hits and cuts their snippets.
func (s *search) result(ctx context.Context) (*Result, error) {
	r := &Result{
		Total: s.total, View: len(s.items), Overlay: s.overlay, Meaning: s.vector != nil,
		Hints: s.hinted(), Hits: []Hit{}, Query: s.asked,
	}
	a := s.index.ranker.borrow()
	defer s.index.ranker.giveBack(a)
	twins := map[string]int{} // places in r.Hits, by what they say
	for _, f := range s.found {
		if s.opt.Limit > 0 && len(r.Hits) == s.opt.Limit {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("searching: %w", err)
		}
		m := s.text(ctx, f.item)
		if m == nil {
			continue
		}
		said := saying(m, s.items[f.item].Status)
		if at, ok := twins[said]; ok && !s.opt.Twins {
			r.Hits[at].Twins = append(r.Hits[at].Twins, m.ID)
			continue
		}
		twins[said] = len(r.Hits)
		r.Hits = append(r.Hits, Hit{
			Item: *s.items[f.item], Memory: m, Score: f.score,
			Snippet: cutSnippet(a, m.Text, s.plan.marks, s.opt.Snippet),
			Why:     s.explain(f.item), Via: s.vector.via(f.item),
		})
	}
	return r, nil
}

// saying returns a key that is equal for memories that say the same: type, status, and
// the letters and digits of title and text, in lower case.
func saying(m *memory.Memory, status memory.Status) string {
	said := slices.Collect(words.Split(strings.ToLower(m.Title+"\n"+m.Text), ""))
	return string(m.Type) + " " + string(status) + " " + strings.Join(said, " ")
}

// whole reads a memory with its text, again from its file or by fetch when the
// catalog's copy is damaged; nil when it cannot be had.
func (x *Index) whole(ctx context.Context, it *Item, fetch Fetch) *memory.Memory {
	if m, ok := x.catalog.MemoryOf(ctx, it); ok {
		return m
	}
	if _, err := x.Fill(ctx, []Item{*it}, fetch); err != nil {
		return nil
	}
	m, _ := x.catalog.Memory(ctx, it.Blob)
	return m
}
