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
	out := &Suggestions{Words: []string{}}
	if len(q.Clauses) > 0 || len(q.Not) > 0 {
		bare := q.Literal()
		bare.Clauses, bare.Not = nil, nil
		out.Unfiltered = s.count(ctx, v, bare)
	}
	if out.Unfiltered == 0 {
		words := s.index.Nearest(ctx, index.View{Items: v.Items}, q)
		out.Words = append(out.Words, words[:min(len(words), mostWords)]...)
	}
	if !opt.AllBranches && opt.At == "" {
		opt.AllBranches = true
		if all, err := s.views.View(ctx, opt); err == nil && len(all.Items) > len(v.Items) {
			out.OtherBranches = s.count(ctx, all, q)
		}
	}
	return out
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
