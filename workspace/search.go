package workspace

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/embedder"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// SearchOptions bound a search; the zero value is ten hits of the present view.
type SearchOptions struct {
	View     ViewOptions
	Limit    int  // matches; what they are linked to comes on top
	Sessions bool // look through session records too
	Notes    bool // notes alone, no memories
	Alone    bool // matches alone, nothing that is linked to them
	Twins    bool // matches that say the same are found each by itself
	AsTyped  bool // words that no memory holds stand for no others
	Explain  bool // say what each score is made of

	// Where the user has configured an embedder:
	Alpha     float64 // weight of vectors, 0–1; 0 means as far as both lists agree
	Hyde      string  // a hypothetical answer to compare instead of the query's words
	WordsOnly bool    // no vectors
	Hook      bool    // an agent waits: not long for vectors

	learn int // as in [index.SearchOptions]
}

// learnFirst is how many memories that the index lacks a search analyses by itself.
const learnFirst = 2000

// Answer is the result of a search, with the state it was read from. As JSON it
// has the shape "search" of docs/json.md.
type Answer struct {
	Query   string              `json:"query"`
	Filters map[string][]string `json:"filters"`
	Notes   []string            `json:"notes,omitempty"` // what plain language became
	Hints   []string            `json:"hints,omitempty"`
	View    ViewShape           `json:"view"`
	Results []Found             `json:"results"`
	Total   int                 `json:"total"`
	// Sessions are the matches in session records: a few notes, and what else the records
	// say where that was asked for, by an option or by a query that names sessions and no words.
	Sessions []SessionHit `json:"sessions,omitzero"`
	Instead  *Suggestions `json:"instead,omitempty"` // what to try when nothing was found
	TookMS   float64      `json:"took_ms"`

	Overlay int  `json:"-"` // memories that the index did not hold yet
	Meaning bool `json:"-"` // vectors had a part in it
}

// Found is one hit: the memory without its text, and why it was found.
type Found struct {
	Entry   Entry
	Score   float64
	Snippet index.Snippet
	// "" for a match of words; else what led to it: "supersedes k7q2m9x", "similar in meaning"
	Via    string
	Twins  []memory.ID        // matches that say the same, which it stands for
	Linked bool               // not a match itself: a link from one led here
	Why    *index.Explanation // when asked for, of a match
}

// searcher answers queries. It is safe for concurrent use.
type searcher struct {
	index   *index.Index
	journal *journal.Journal
	views   *view.Reader
	vectors *embedder.Embedder
	notices *notices.List
	now     func() time.Time
}

// Search answers a query over a view, best first.
func (w *Workspace) Search(ctx context.Context, text string, opt SearchOptions) (*Answer, error) {
	return w.searcher.search(ctx, text, opt)
}

func (s *searcher) search(ctx context.Context, text string, opt SearchOptions) (*Answer, error) {
	start := s.now()
	v, err := s.views.View(ctx, opt.View)
	if err != nil {
		return nil, err
	}
	q, err := s.parse(ctx, v, text)
	if err != nil {
		return nil, err
	}
	if said := v.QuarantineText(); said != "" {
		q.Hints = append(q.Hints, said)
	}
	if opt.Notes {
		notes := s.searchNotes(ctx, v, q, opt.Limit)
		return &Answer{
			Query: text, Filters: q.Filters(), Notes: q.Notes, Hints: q.Hints, View: v.Shape(),
			Results: []Found{}, Sessions: notes, TookMS: s.took(start),
		}, nil
	}
	opt.learn = learnFirst
	answer, err := s.in(ctx, v, q, opt)
	if err != nil {
		return nil, err
	}
	if len(answer.Results) == 0 {
		answer.Instead = s.suggest(ctx, v, q, opt.View)
	}
	answer.Sessions = s.searchNotes(ctx, v, q, noteHits)
	if opt.Sessions || asksSessions(q) {
		records := s.journal.SessionsAtHand(ctx, journal.MaxSessions)
		answer.Sessions = append(searchSessions(records, q, opt.Limit), answer.Sessions...)
	}
	if asksSessions(q) { // as it happened
		lists.Sort(answer.Results, func(a, b Found) int {
			return a.Entry.Memory.Created.Compare(b.Entry.Memory.Created)
		})
	}
	answer.TookMS = s.took(start)
	if answer.Overlay > 0 {
		s.update(ctx, v) // answered already: now the index may learn what it lacked
	}
	s.vectors.Flush()
	return answer, nil
}

// parse reads a query, with the ids of the sessions that it names otherwise.
func (s *searcher) parse(ctx context.Context, v *View, text string) (query.Query, error) {
	q := query.Parse(text, s.now())
	if len(q.Mistyped) > 0 {
		return q, q.Mistyped[0]
	}
	return s.sessions(ctx, v).named(q), nil
}

func (s *searcher) took(start time.Time) float64 {
	return float64(s.now().Sub(start).Microseconds()) / 1000
}

// update has the index learn what it lacks of a view.
func (s *searcher) update(ctx context.Context, v *View) {
	if _, err := s.index.Update(ctx, v.Index); err != nil {
		s.notices.Add("the index was not updated: %v", err)
	}
}

// SearchIn answers a query over a view that is at hand. It neither updates the
// index nor looks at session records, and leaves TookMS to the caller.
func (w *Workspace) SearchIn(ctx context.Context, v *View, q query.Query, opt SearchOptions) (*Answer, error) {
	return w.searcher.in(ctx, v, q, opt)
}

func (s *searcher) in(ctx context.Context, v *View, q query.Query, opt SearchOptions) (*Answer, error) {
	if slices.ContainsFunc(q.Clauses, asksStale) {
		v.MarkStale(ctx)
	}
	res, err := s.index.Search(ctx, v.Index, q, index.SearchOptions{
		Limit: opt.Limit, Explain: opt.Explain, Learn: opt.learn, Twins: opt.Twins,
		AsTyped: opt.AsTyped, Vector: s.meaning(ctx, opt),
	})
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	out := &Answer{
		Query: q.Text, Filters: res.Query.Filters(), Notes: res.Query.Notes, Hints: append(q.Hints, res.Hints...),
		View: v.Shape(), Results: []Found{}, Total: res.Total, Overlay: res.Overlay, Meaning: res.Meaning,
	}
	for _, h := range res.Hits {
		e := v.Found(ctx, h.Item, h.Memory)
		out.Results = append(out.Results,
			Found{Entry: e, Score: h.Score, Snippet: h.Snippet, Via: h.Via, Why: h.Why, Twins: h.Twins})
	}
	if !opt.Alone {
		out.Results = s.expand(ctx, v, res.Query, out.Results)
	}
	return out, nil
}

// asksStale reports whether a filter is about code that has changed.
func asksStale(c query.Clause) bool { return c.Key == query.Is && c.Value == "stale" }

// MarshalJSON writes the shape of docs/json.md. The score is
// rounded, because its last digits move with every moment that confidence fades.
func (f Found) MarshalJSON() ([]byte, error) {
	o := f.Entry.Object(false)
	o.Add("score", view.Round3(f.Score))
	o.Add("snippet", f.Snippet.Text)
	o.Add("marks", append([]index.Span{}, f.Snippet.Marks...))
	o.Add("via", f.Via)
	o.AddIf(len(f.Twins) > 0, "twins", f.Twins)
	o.AddIf(f.Why != nil, "explain", f.Why)
	return o.End()
}

// Searcher returns a function that answers many queries over one view.
func (w *Workspace) Searcher(ctx context.Context, opt SearchOptions) (func(query string) (*Answer, error), error) {
	return w.searcher.many(ctx, opt)
}

func (s *searcher) many(ctx context.Context, opt SearchOptions) (func(query string) (*Answer, error), error) {
	v, err := s.views.View(ctx, opt.View)
	if err != nil {
		return nil, err
	}
	s.update(ctx, v)
	return func(text string) (*Answer, error) {
		start := s.now()
		q, err := s.parse(ctx, v, text)
		if err != nil {
			return nil, err
		}
		answer, err := s.in(ctx, v, q, opt)
		if err == nil {
			answer.TookMS = s.took(start)
		}
		return answer, err
	}, nil
}

// Nearest is the one of known that word was probably meant to be; "" when none is
// spelled like it.
func Nearest(word string, known []string) string { return query.Nearest(word, known) }

// meaning is the part of a search that vectors do; nil when there are none, or they
// are not wanted.
func (s *searcher) meaning(ctx context.Context, opt SearchOptions) *index.VectorSearch {
	if opt.WordsOnly {
		return nil
	}
	return s.vectors.Search(ctx, embedder.Query{Text: opt.Hyde, Alpha: opt.Alpha, Hook: opt.Hook})
}
