package files

import (
	"context"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// learnFirst is how many memories that the index lacks a search analyses by itself.
const learnFirst = 2000

// Search ranks what repositories hold.
func (s *Store) Search(ctx context.Context, in []*hub.Repo, q query.Query, limit int) (*index.Result, error) {
	s.opening.RLock()
	defer s.opening.RUnlock()
	v, err := s.view(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.index.Search(ctx, v, q, index.SearchOptions{Limit: limit, Learn: learnFirst, Fetch: s.fetch(in)})
}

// Memories are memories by their ids, as a search has them.
func (s *Store) Memories(ctx context.Context, in []*hub.Repo, ids []memory.ID) ([]hub.Hit, error) {
	s.opening.RLock()
	defer s.opening.RUnlock()
	v, err := s.view(ctx, in)
	if err != nil {
		return nil, err
	}
	wanted := lists.Set(ids)
	var hits []hub.Hit
	for i := range v.Items {
		if !wanted[v.ID(i)] {
			continue
		}
		if m, ok := s.index.Catalog().MemoryOf(ctx, &v.Items[i]); ok {
			hits = append(hits, hub.Hit{Item: v.Items[i], Memory: m})
		}
	}
	return hits, nil
}
