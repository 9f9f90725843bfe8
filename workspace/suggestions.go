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

// suggest looks for what a search without a result could have meant.
func (s *searcher) suggest(ctx context.Context, v *View, q query.Query, opt ViewOptions) *Suggestions {
	out := &Suggestions{Words: []string{}}
	count := func(v *View, q query.Query) int {
		if q.Empty() {
			return 0
		}
		res, err := s.index.Search(ctx, index.View{Items: v.Items}, q, index.SearchOptions{Limit: 1})
		if err != nil {
			return 0
		}
		return res.Total
	}
	if len(q.Clauses) > 0 || len(q.Not) > 0 {
		bare := q.Literal()
		bare.Clauses, bare.Not = nil, nil
		out.Unfiltered = count(v, bare)
	}
	if out.Unfiltered == 0 {
		out.Words = append(out.Words, s.index.Nearest(ctx, index.View{Items: v.Items}, q)...)
		if len(out.Words) > 6 {
			out.Words = out.Words[:6]
		}
	}
	if !opt.AllBranches && opt.At == "" {
		opt.AllBranches = true
		if all, err := s.views.view(ctx, opt); err == nil && len(all.Items) > len(v.Items) {
			out.OtherBranches = count(all, q)
		}
	}
	return out
}
