package files

import (
	"context"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
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

// Memory is the memory of a blob that one of the repositories holds; nil where none does.
func (s *Store) Memory(ctx context.Context, in []*hub.Repo, blob string) (*index.Hit, error) {
	s.opening.RLock()
	defer s.opening.RUnlock()
	v, err := s.view(ctx, in)
	if err != nil {
		return nil, err
	}
	for _, r := range in {
		for _, f := range r.Files {
			if f.Blob == blob {
				return s.hit(ctx, v, f), nil
			}
		}
	}
	return nil, nil
}

// hit is the memory of a file, as the view has it.
func (s *Store) hit(ctx context.Context, v index.View, f hub.File) *index.Hit {
	for i := range v.Items {
		if v.ID(i) != f.ID {
			continue
		}
		if m, ok := s.index.Catalog().MemoryOf(ctx, &v.Items[i]); ok {
			return &index.Hit{Item: v.Items[i], Memory: m}
		}
	}
	return nil
}
