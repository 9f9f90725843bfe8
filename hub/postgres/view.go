package postgres

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// headSet is the heads of a repository in a version.
type headSet struct {
	version int64
	heads   []head
}

// view is the memories of some repositories, each once.
type view struct {
	items   []index.Item
	heads   []*head // of items
	from    []int32 // their repositories
	lengths *index.Lengths
	places  map[int32][]int32 // by repository and document: where it is in items, or -1
	at      map[memory.ID]int32
}

// granted is a repository that is searched: a row of the database with what the caller of the store knows
// of it.
type granted struct {
	*hub.Repo
	id int32
}

// view reads the view of repositories in the transaction of a reader.
func (s *Store) view(ctx context.Context, tx pgx.Tx, in []granted, ask []int32) (*view, error) {
	sets, err := s.readHeads(ctx, tx, ask)
	if err != nil {
		return nil, err
	}
	name := ""
	for _, r := range in {
		name += fmt.Sprintf("%d %s %d\n", r.id, r.OID, sets[r.id].version)
	}
	now := s.now()
	if v, ok := s.views.Get(name, now); ok {
		return v, nil
	}
	v := &view{places: map[int32][]int32{}, at: map[memory.ID]int32{}}
	for _, r := range in {
		v.take(r, sets[r.id].heads)
	}
	v.place(in, sets)
	hub.Derive(v.items, func(i int) index.Facts { return v.heads[i].facts }, now)
	s.views.Put(name, v, now)
	return v, nil
}

// take takes in the memories of a repository. Of two files with one memory the one with the smaller path
// stands for it, then the one with the smaller blob.
func (v *view) take(r granted, heads []head) {
	paths := map[string]string{} // by blob
	for path, f := range r.Files {
		if was, ok := paths[f.Blob]; f.ID != "" && (!ok || path < was) {
			paths[f.Blob] = path
		}
	}
	for i := range heads {
		h := &heads[i]
		blob := hex.EncodeToString([]byte(h.blob))
		path, ok := paths[blob]
		if !ok {
			continue // of another version of the files than the caller knows
		}
		it := index.Item{Blob: blob, Path: path, Stage: index.Landed}
		at, known := v.at[h.facts.ID]
		switch {
		case !known:
			v.at[h.facts.ID] = int32(len(v.items))
			v.items, v.heads, v.from = append(v.items, it), append(v.heads, h), append(v.from, r.id)
		case before(&it, &v.items[at]):
			v.items[at], v.heads[at], v.from[at] = it, h, r.id
		}
	}
}

func before(a, b *index.Item) bool {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Blob, b.Blob)) < 0
}

// place notes which documents stand for which memories.
func (v *view) place(in []granted, sets map[int32]headSet) {
	lengths := make([][index.Fields]uint32, len(v.items))
	for _, r := range in {
		heads := sets[r.id].heads
		if len(heads) == 0 {
			continue
		}
		places := make([]int32, heads[len(heads)-1].doc+1)
		for i := range places {
			places[i] = -1
		}
		for i := range heads {
			h := &heads[i]
			if at, ok := v.at[h.facts.ID]; ok && v.heads[at] == h {
				places[h.doc], lengths[at] = at, h.lengths
			}
		}
		v.places[r.id] = places
	}
	v.lengths = index.MeasureLengths(lengths)
}

// readHeads reads the heads of repositories as a reader may. Those that did not change are not read again.
func (s *Store) readHeads(ctx context.Context, tx pgx.Tx, ask []int32) (map[int32]headSet, error) {
	out := make(map[int32]headSet, len(ask))
	var repo int32
	var set headSet
	var changed []int32
	s.mu.Lock()
	known := s.sets
	s.mu.Unlock()
	err := each(ctx, tx, []any{&repo, &set.version}, func() error {
		if was, ok := known[repo]; ok && was.version == set.version {
			out[repo] = was
			return nil
		}
		changed = append(changed, repo)
		return nil
	}, `select repo, version from `+s.table("head")+` where org = $1 and repo = any($2)`, s.org, ask)
	if err != nil {
		return out, err
	}
	for some := range slices.Chunk(changed, headRows) {
		var data []byte
		err = each(ctx, tx, []any{&repo, &set.version, &data}, func() (err error) {
			set.heads, err = unpackHeads(data)
			out[repo] = set
			return err
		}, `select repo, version, data from `+s.table("head")+` where org = $1 and repo = any($2)`, s.org, some)
		if err != nil {
			return out, err
		}
		s.keepHeads(out, some)
	}
	return out, nil
}

// headRows is how many heads one statement reads, so that the limit of time holds for thousands of repositories.
const headRows = 64

// keepHeads remembers heads. Other goroutines go on reading the map that was there.
func (s *Store) keepHeads(sets map[int32]headSet, changed []int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := make(map[int32]headSet, len(s.sets)+len(changed))
	maps.Copy(kept, s.sets)
	for _, id := range changed {
		kept[id] = sets[id]
	}
	s.sets = kept
}

// grantedOf are repositories with their rows, in order of their keys. Those that have none yet are left out.
func (s *Store) grantedOf(in []*hub.Repo) (out []granted, ids []int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range in {
		if st, ok := s.known[r.Key()]; ok {
			out, ids = append(out, granted{r, st.id}), append(ids, st.id)
		}
	}
	slices.SortFunc(out, func(a, b granted) int { return int(a.id) - int(b.id) })
	return out, ids
}
