package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/index/internal/scoring"
	"github.com/git-cortex/cortex/index/internal/work"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// SearchOptions bounds a search. The zero value is right for people.
type SearchOptions struct {
	Limit   int           // hits to return; 0 means 10, negative means all
	Snippet int           // characters of a snippet; 0 means 160
	Explain bool          // fill in why each hit has its score
	Fetch   Fetch         // reads pending memories again whose cached text is damaged; may be nil
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

// weightPrior is the weight of the prior in a score: it orders near-ties only.
const weightPrior = 0.1

// maxReread bounds the bytes of text read for that, in order of rank.
const maxReread = 4 << 20

// Search ranks the memories of v against q. A query without words lists what
// passes its filters by prior, newest first. Items that the catalog does not
// know are not found: call [Index.Fill] first. It fails only when ctx ends.
func (x *Index) Search(ctx context.Context, v View, q query.Query, opt SearchOptions) (*Result, error) {
	var out *Result
	err := x.over(ctx, v, opt, func(from *stored) (err error) {
		s := x.ranker.search(from, opt)
		s.place = from.placeVector
		if out, err = s.answer(ctx, q); err == nil && s.ranking != nil {
			out.Overlay = from.overlay
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Rank ranks the memories of a source against q, as [Index.Search] ranks those of a view. Options
// about an index (Fetch, Learn) and about vectors say nothing here. It fails when ctx
// ends, or when the source does.
func (r *Ranker) Rank(ctx context.Context, from Source, q query.Query, opt SearchOptions) (*Result, error) {
	return r.search(from, opt).answer(ctx, q)
}

// search is a search of a source that begins.
func (r *Ranker) search(from Source, opt SearchOptions) *search {
	opt.Limit, opt.Snippet = cmp.Or(opt.Limit, 10), cmp.Or(opt.Snippet, snippetWidth)
	return &search{ranker: r, source: from, opt: opt}
}

func (s *search) answer(ctx context.Context, q query.Query) (*Result, error) {
	defer func() { s.ranking.End() }()
	if err := s.run(ctx, q); err != nil {
		return nil, err
	}
	s.newest()
	return s.result(ctx)
}

// run ranks q. If no memory matches the filters read from plain words, it drops the
// words or the filters, ranks again, and says so in a hint.
func (s *search) run(ctx context.Context, q query.Query) error {
	s.asked = q
	s.leaning, s.query = lean(s.source, &q)
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
	s.ranking.End()
	*s = search{ranker: s.ranker, source: s.source, place: s.place, opt: s.opt, hints: []string{hint}}
}

// search is one search under way.
type search struct {
	ranker *Ranker
	source Source
	place  func(blob string) int32 // for vectors; nil where there can be none
	opt    SearchOptions
	asked  query.Query
	query  *query.Query // without what leans

	leaning *leaning
	outside int // matches of another time than was asked for

	plan    *scoring.Plan
	trace   trace
	named   map[int32][]string
	ranking *scoring.Ranking // nil for a query without words
	not     []excluded
	found   []scored
	total   int
	unheld  []scoring.Missing
	loose   bool // quoted words need not stand together
	hints   []string
	texts   map[int32]*memory.Memory
	vector  *vectorHits // nil when vectors had no part in it
}

type scored struct {
	Item  int32
	Score float64
}

// rank fills found with everything that matches, in order.
func (s *search) rank(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	asked := s.askVectors(ctx) // while words are scored
	a := s.ranker.borrow()
	defer s.ranker.giveBack(a)
	s.plan = scoring.NewPlan(a, s.query.Words)
	s.plan.Leave(a, s.query.Phrases)
	s.texts = map[int32]*memory.Memory{}
	for _, q := range s.query.Not {
		if p := phraseOf(a, q); len(p) > 0 {
			s.not = append(s.not, excluded{phrase: p})
		}
	}
	if err := s.score(ctx, a); err != nil {
		return err
	}
	if err := s.collect(ctx, a); err != nil {
		return err
	}
	if err := s.scorePairs(ctx); err != nil {
		return err
	}
	if err := s.scoreNames(ctx); err != nil || asked == nil {
		return err
	}
	var err error
	s.vector, err = s.fuseVectors(ctx, a, asked)
	return err
}

// score looks the words of the query up and adds what they are worth.
func (s *search) score(ctx context.Context, a *words.Analyser) error {
	if len(s.plan.Terms)+len(s.not) == 0 {
		return nil
	}
	lengths, err := s.source.Lengths(ctx)
	if err != nil {
		return err
	}
	r := scoring.New(s.source, lengths, s.plan, &s.ranker.rooms)
	if s.opt.Explain {
		r.Hits, s.trace = [][]Posting{}, trace{}
	}
	s.ranking = r
	if s.unheld, err = r.Widen(ctx, a, s.opt.AsTyped); err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	if err := r.Run(ctx); err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	return s.exclude(ctx)
}

// collect gathers what matches words, phrases and filters, best first. Of what
// is beyond the limit and the candidates for pairs only the number is kept.
func (s *search) collect(ctx context.Context, a *words.Analyser) error {
	need := s.required(a)
	places, err := s.matching(ctx, a)
	if err == nil {
		places, err = s.filtered(ctx, places)
	}
	if err == nil {
		places, err = s.holding(ctx, a, places, need)
	}
	if err != nil {
		return err
	}
	if len(places) == 0 && len(need) > 0 {
		s.loose = true
		s.hints = append(s.hints, "no memory holds the quoted words in that order; they were searched as single words")
		return s.collect(ctx, a)
	}
	s.total = len(places)
	kept := s.total
	if s.opt.Limit > 0 {
		kept = max(s.opt.Limit, candidates)
	}
	s.choose(places, kept)
	return nil
}

// choose makes those of places with the highest scores, so many, what was found, best first. It changes places.
func (s *search) choose(places []int32, kept int) {
	least := 0.0 // that is among the best so far
	for part := range slices.Chunk(places, max(chooseStep, kept)) {
		for _, at := range lists.Without(part, func(at int32) bool { return s.atMost(at) < least }) {
			s.found = append(s.found, scored{at, s.scoreOf(at)})
		}
		s.found = work.Best(s.found, kept, s.compare)
		if len(s.found) == kept {
			least = s.found[kept-1].Score
		}
	}
}

// atMost bounds scoreOf by words alone, so that nothing else of most memories has to be looked at.
func (s *search) atMost(at int32) float64 {
	if s.leaning != nil || len(s.plan.Terms) == 0 {
		return math.Inf(1)
	}
	return s.ranking.Scores[at] * (1 + weightPrior)
}

// chooseStep is how many places the best are chosen from at once.
const chooseStep = 4096

// matching are the memories that hold a word of the query, or all if it has none, without those
// that hold something it excludes.
func (s *search) matching(ctx context.Context, a *words.Analyser) ([]int32, error) {
	out, err := s.excluded(ctx, a)
	if err != nil {
		return nil, err
	}
	var places []int32
	if len(s.plan.Terms) > 0 {
		places = s.ranking.Scored()
	} else {
		for at := range int32(s.source.Len()) {
			places = append(places, at)
		}
	}
	if len(out) == 0 {
		return places, nil
	}
	return lists.Without(places, func(at int32) bool { return out[at] }), nil
}

// scoreOf is the score of a memory that matches: by its words, or by its prior where there
// are none. It counts what is of another time than was asked for.
func (s *search) scoreOf(at int32) float64 {
	switch {
	case len(s.plan.Terms) > 0:
		factor, inside := s.leaning.factor(at)
		if !inside {
			s.outside++
		}
		return float64(s.ranking.Scores[at] * float64(s.boost(at)*factor))
	case s.asked.Newest: // the time decides
		return 0
	}
	return s.prior(at)
}

func (s *search) prior(at int32) float64 { return min(max(s.source.Prior(at), 0), 1) }

// boost is the factor of the prior in a score, 1 to 1.1: enough to order near-ties, too
// little to bury a clear match.
func (s *search) boost(at int32) float64 { return 1 + float64(weightPrior*s.prior(at)) }

func (s *search) compare(a, b scored) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c
	}
	return s.younger(a, b)
}

// younger compares two items of equal score: if the query has no words or asks for the
// newest the younger comes first, then the smaller id.
func (s *search) younger(a, b scored) int {
	if len(s.plan.Terms) == 0 || s.asked.Newest {
		fa, _ := s.source.Facts(a.Item)
		fb, _ := s.source.Facts(b.Item)
		if c := fb.touched().Compare(fa.touched()); c != 0 {
			return c
		}
	}
	return cmp.Compare(s.source.ID(a.Item), s.source.ID(b.Item))
}

// newest puts the newest of the best matches first, if they were asked for: those
// of at least half the best score, which are all there are without words.
func (s *search) newest() {
	if !s.asked.Newest || len(s.found) == 0 {
		return
	}
	enough := s.found[0].Score / 2
	n := len(lists.Without(s.found, func(f scored) bool { return f.Score < enough }))
	slices.SortFunc(s.found[:n], s.younger)
}

// atOnce is how many memories are asked of a source at once.
const atOnce = 512

// read reads memories with their texts, unless they were read before, and keeps them in texts.
func (s *search) read(ctx context.Context, places []int32) error {
	var lacking []int32
	for _, at := range places {
		if _, ok := s.texts[at]; !ok {
			lacking = append(lacking, at)
		}
	}
	for part := range slices.Chunk(lacking, atOnce) {
		found, err := s.source.Memories(ctx, part, true)
		if err != nil {
			return fmt.Errorf("searching: %w", err)
		}
		for i, m := range found {
			s.texts[part[i]] = m
		}
	}
	return nil
}

// result reads the memories of the first hits and cuts their snippets.
func (s *search) result(ctx context.Context) (*Result, error) {
	r := &Result{
		Total: s.total, View: s.source.Len(), Meaning: s.vector != nil,
		Hints: s.hinted(), Hits: []Hit{}, Query: s.asked,
	}
	a := s.ranker.borrow()
	defer s.ranker.giveBack(a)
	step := min(atOnce, cmp.Or(max(0, s.opt.Limit), atOnce))
	twins := map[string]int{} // places in r.Hits, by what they say
	for part := range slices.Chunk(s.found, step) {
		if len(r.Hits) == s.opt.Limit {
			break
		}
		if err := s.read(ctx, placesOf(part)); err != nil {
			return nil, err
		}
		for _, f := range part {
			if m := s.texts[f.Item]; m != nil && len(r.Hits) != s.opt.Limit {
				s.addHit(a, r, twins, f, m)
			}
		}
	}
	return r, nil
}

func placesOf(list []scored) []int32 {
	out := make([]int32, len(list))
	for i, f := range list {
		out[i] = f.Item
	}
	return out
}

// addHit adds a memory that was found to r, or to the hit that says the same.
func (s *search) addHit(a *words.Analyser, r *Result, twins map[string]int, f scored, m *memory.Memory) {
	it := s.source.Item(f.Item)
	said := saying(m, it.Status)
	if at, ok := twins[said]; ok && !s.opt.Twins {
		r.Hits[at].Twins = append(r.Hits[at].Twins, m.ID)
		return
	}
	twins[said] = len(r.Hits)
	r.Hits = append(r.Hits, Hit{
		Item: *it, Memory: m, Score: f.Score,
		Snippet: cutSnippet(a, m.Text, s.plan.Marks, s.opt.Snippet),
		Why:     s.explain(f.Item), Via: s.vector.via(f.Item),
	})
}

// hinted are the hints of a search, and which words no memory holds.
func (s *search) hinted() []string {
	out := s.hints
	var none []string
	for _, m := range s.unheld {
		if len(m.Near) == 0 {
			none = append(none, strconv.Quote(m.Word))
			continue
		}
		near := strings.Join(m.Near, ", ")
		out = append(out, fmt.Sprintf("no memory holds %q: searched for %s instead", m.Word, near))
	}
	if len(none) > 0 && s.total > 0 {
		out = append(out, "no memory holds "+strings.Join(none, ", "))
	}
	return out
}

// saying returns a key that is equal for memories that say the same: type, status, and
// the letters and digits of title and text, in lower case.
func saying(m *memory.Memory, status memory.Status) string {
	said := slices.Collect(words.Split(strings.ToLower(m.Title+"\n"+m.Text), ""))
	return string(m.Type) + " " + string(status) + " " + strings.Join(said, " ")
}
