package workspace

import (
	"context"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
)

// Suggestions holds suggestions for a search that found nothing.
type Suggestions struct {
	Words         []string `json:"words"`          // of this view, spelled like those that were typed
	Unfiltered    int      `json:"unfiltered"`     // matches without the filters
	OtherBranches int      `json:"other_branches"` // matches that are pending for other branches
}

// mostWords is how many words are suggested at most.
const mostWords = 6

// suggest looks for what a search without a result could have meant.
func (s *searcher) suggest(ctx context.Context, v *View, q query.Query, opt ViewOptions) *Suggestions {
	out := &Suggestions{Words: []string{}, Unfiltered: s.unfiltered(ctx, v, q)}
	if out.Unfiltered == 0 {
		words := s.index.Nearest(ctx, index.View{Items: v.Items}, q)
		out.Words = append(out.Words, words[:min(len(words), mostWords)]...)
	}
	if !opt.AllBranches && opt.At == "" {
		out.OtherBranches = s.elsewhere(ctx, v, q, opt)
	}
	return out
}

// unfiltered counts what a search would find without its filters; 0 if it has none.
func (s *searcher) unfiltered(ctx context.Context, v *View, q query.Query) int {
	if len(q.Clauses)+len(q.Not) == 0 {
		return 0
	}
	bare := q.Literal()
	bare.Clauses, bare.Not = nil, nil
	return s.count(ctx, v, bare)
}

// elsewhere counts what a search would find in all branches; 0 where these hold no more than the view.
func (s *searcher) elsewhere(ctx context.Context, v *View, q query.Query, opt ViewOptions) int {
	if !v.Others {
		return 0
	}
	opt.AllBranches = true
	all, err := s.views.View(ctx, opt)
	if err != nil {
		return 0
	}
	return s.count(ctx, all, q)
}

// count is how many memories of a view match a query; 0 for one that lists.
func (s *searcher) count(ctx context.Context, v *View, q query.Query) int {
	if q.Empty() {
		return 0
	}
	res, err := s.index.Search(ctx, index.View{Items: v.Items}, q, index.SearchOptions{Limit: 1})
	if err != nil {
		return 0
	}
	return res.Total
}
