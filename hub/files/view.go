package files

import (
	"context"
	"fmt"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
)

// view is the view of what repositories hold: each memory once.
func (s *Store) view(ctx context.Context, in []*hub.Repo) (index.View, error) {
	now, id := s.now(), hub.NameOf(in)
	if v, ok := s.views.Get(id, now); ok {
		return v, nil
	}
	var items []index.Item
	for _, r := range in {
		for path, f := range r.Files {
			if f.ID != "" {
				items = append(items, index.Item{Blob: f.Blob, Path: path, Stage: index.Landed})
			}
		}
	}
	if _, err := s.index.Fill(ctx, items, s.fetch(in)); err != nil {
		return index.View{}, fmt.Errorf("reading memories again: %w", err)
	}
	v := s.index.View(items)
	hub.Derive(v.Items, v.Facts, now)
	s.views.Put(id, v, viewSize*len(v.Items), now)
	return v, nil
}

// viewSize is how many bytes a view has for a memory.
const viewSize = 256

// fetch reads again from the mirrors what the index does not hold any more.
func (s *Store) fetch(in []*hub.Repo) index.Fetch {
	return func(ctx context.Context, blobs []string, yield func(string, []byte) error) error {
		lacking := lists.Set(blobs)
		for _, r := range in {
			var here []string
			for _, f := range r.Files {
				if lacking[f.Blob] {
					here = append(here, f.Blob)
					delete(lacking, f.Blob)
				}
			}
			if len(here) == 0 {
				continue
			}
			if err := s.read(ctx, r.URL, here, yield); err != nil {
				return err
			}
		}
		return nil
	}
}
