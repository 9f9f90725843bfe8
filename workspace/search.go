package workspace

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/embedder"
	"github.com/git-cortex/cortex/workspace/internal/sessionnames"
	"github.com/git-cortex/cortex/workspace/internal/sessionsearch"
)

// SearchOptions bound a search; the zero value is ten hits of the present view.
type SearchOptions struct {
	View     ViewOptions
	Limit    int  // matches; what they are linked to comes on top
	Sessions bool // look through session records too
	Alone    bool // matches alone, nothing that is linked to them
	Overlay  int  // memories that the index lacks are looked at up to this number, the newest; 0 is all
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
	// Sessions are the matches in session records; nil when they were not asked for, by an
	// option or by a query that names sessions and no words.
	Sessions []SessionHit `json:"sessions,omitzero"`
	Instead  *Suggestions `json:"instead,omitempty"` // what to try when nothing was found
	TookMS   float64      `json:"took_ms"`

	Overlay int  `json:"-"` // memories that the index did not hold yet
	Meaning bool `json:"-"` // vectors had a part in it
}

// ViewShape names the state that an answer was computed from. Tree is the id of
// the git tree that landed memories are from, with "+dirty" behind it if the
// memory files of the working tree are others; "" in a workspace that was not
// opened with [Env].Named, and for a branch that is gone.
type ViewShape struct {
	Branch  string `json:"branch"`
	Tree    string `json:"tree"`
	Landed  int    `json:"landed"`
	Pending int    `json:"pending"`
	Global  int    `json:"global"`
}

// Shape returns the summary of the view that an answer carries.
func (v *View) Shape() ViewShape {
	return ViewShape{
		Branch: v.Branch, Tree: v.tree.String(),
		Landed: v.Count(index.Landed), Pending: v.Count(index.Pending), Global: v.Count(index.Global),
	}
}

// Found is one hit: the memory without its text, and why it was found.
type Found struct {
	Entry   Entry
	Score   float64
	Snippet index.Snippet
	Via     string             // "" for a match of words; else what led to it: "supersedes k7q2m9x", "similar in meaning"
	Twins   []memory.ID        // matches that say the same, which it stands for
	Linked  bool               // not a match itself: a link from one led here
	Why     *index.Explanation // when asked for, of a match
}

// searcher answers queries. It is safe for concurrent use.
type searcher struct {
	index   *index.Index
	tree    *worktree
	journal *journal
	views   *viewer
	vectors *embedder.Embedder
	notices *notices
	now     func() time.Time
}

// Search answers a query over a view, best first.
func (w *Workspace) Search(ctx context.Context, text string, opt SearchOptions) (*Answer, error) {
	return w.searcher.search(ctx, text, opt)
}

func (s *searcher) search(ctx context.Context, text string, opt SearchOptions) (*Answer, error) {
	start := s.now()
	v, err := s.views.view(ctx, opt.View)
	if err != nil {
		return nil, err
	}
	q := query.Parse(text, s.now())
	if said := v.QuarantineText(); said != "" {
		q.Hints = append(q.Hints, said)
	}
	if len(q.Mistyped) > 0 {
		return nil, q.Mistyped[0]
	}
	if opt.Overlay == 0 {
		opt.learn = learnFirst
	}
	q = sessionnames.Named(q, s.sessions(ctx, v))
	answer, err := s.in(ctx, v, q, opt)
	if err != nil {
		return nil, err
	}
	if len(answer.Results) == 0 {
		answer.Instead = s.suggest(ctx, v, q, opt.View)
	}
	if opt.Sessions || sessionnames.Asks(q) {
		answer.Sessions = sessionsearch.Search(s.journal.sessionsAtHand(ctx, maxSessions), q, opt.Limit)
	}
	answer.TookMS = float64(s.now().Sub(start).Microseconds()) / 1000
	if answer.Overlay > 0 {
		// Answered already: now the index may learn what it lacked.
		if _, err := s.index.Update(ctx, v.Index); err != nil {
			s.notices.add("the index was not updated: %v", err)
		}
	}
	s.vectors.Flush()
	return answer, nil
}

// foundInUse is how many hits of a search, the first, are taken for what it was for.
const foundInUse = 3

// NoteFound notes that somebody looked at an answer: what it found first is in use.
func (w *Workspace) NoteFound(ctx context.Context, a *Answer) {
	var found []Entry
	for _, f := range a.Results {
		if !f.Linked && len(found) < foundInUse {
			found = append(found, f.Entry)
		}
	}
	noteUse(ctx, w, w.Diary.NoteLooked, found)
}

// SearchIn answers a query over a view that is at hand. It neither updates the
// index nor looks at session records, and leaves TookMS to the caller.
func (w *Workspace) SearchIn(ctx context.Context, v *View, q query.Query, opt SearchOptions) (*Answer, error) {
	return w.searcher.in(ctx, v, q, opt)
}

func (s *searcher) in(ctx context.Context, v *View, q query.Query, opt SearchOptions) (*Answer, error) {
	if slices.ContainsFunc(q.Clauses, func(c query.Clause) bool { return c.Key == query.Is && c.Value == "stale" }) {
		s.markStale(ctx, v)
	}
	res, err := s.index.Search(ctx, v.Index, q, index.SearchOptions{Limit: opt.Limit, Explain: opt.Explain, Overlay: opt.Overlay, Learn: opt.learn, Twins: opt.Twins, AsTyped: opt.AsTyped, Vector: s.meaning(ctx, opt)})
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	out := &Answer{Query: q.Text, Filters: res.Query.Filters(), Notes: res.Query.Notes, Hints: append(q.Hints, res.Hints...), View: v.Shape(), Results: []Found{}, Total: res.Total, Overlay: res.Overlay, Meaning: res.Meaning}
	for _, h := range res.Hits {
		e := Entry{Item: h.Item, Memory: h.Memory, Recalls: v.uses[h.Memory.ID].Recalls, Recalled: v.uses[h.Memory.ID].Last, Centrality: v.central[h.Memory.ID]}
		e.Stale = v.code.changed(ctx, h.Memory)
		out.Results = append(out.Results, Found{Entry: e, Score: h.Score, Snippet: h.Snippet, Via: h.Via, Why: h.Why, Twins: h.Twins})
	}
	if !opt.Alone {
		out.Results = s.expand(ctx, v, res.Query, out.Results)
	}
	return out, nil
}

// markStale fills in which memories are about code that changed; it reads
// every anchored file, so it is done only when asked for, and once a view.
func (s *searcher) markStale(ctx context.Context, v *View) {
	if v.stale {
		return
	}
	v.stale = true
	for i := range v.Items {
		if m, ok := s.index.Catalog().Head(ctx, v.Items[i].Blob); ok {
			v.Items[i].Stale = v.code.changed(ctx, m)
		}
	}
}

// MarshalJSON writes the shape of docs/json.md. The score is
// rounded, because its last digits move with every moment that confidence fades.
func (f Found) MarshalJSON() ([]byte, error) {
	o := f.Entry.Object(false)
	o.Add("score", Round3(f.Score))
	o.Add("snippet", f.Snippet.Text)
	o.Add("marks", marks(f.Snippet.Marks))
	o.Add("via", f.Via)
	o.AddIf(len(f.Twins) > 0, "twins", f.Twins)
	o.AddIf(f.Why != nil, "explain", f.Why)
	return o.End()
}

func marks(spans []index.Span) []index.Span {
	if spans == nil {
		return []index.Span{}
	}
	return spans
}

// Searcher returns a function that answers many queries over one view.
func (w *Workspace) Searcher(ctx context.Context, opt SearchOptions) (func(query string) (*Answer, error), error) {
	return w.searcher.many(ctx, opt)
}

func (s *searcher) many(ctx context.Context, opt SearchOptions) (func(query string) (*Answer, error), error) {
	v, err := s.views.view(ctx, opt.View)
	if err != nil {
		return nil, err
	}
	if _, err := s.index.Update(ctx, v.Index); err != nil {
		s.notices.add("the index was not updated: %v", err)
	}
	return func(text string) (*Answer, error) {
		start := s.now()
		q := query.Parse(text, s.now())
		if len(q.Mistyped) > 0 {
			return nil, q.Mistyped[0]
		}
		q = sessionnames.Named(q, s.sessions(ctx, v))
		answer, err := s.in(ctx, v, q, opt)
		if err == nil {
			answer.TookMS = float64(s.now().Sub(start).Microseconds()) / 1000
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
