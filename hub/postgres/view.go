package postgres

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// A shelf is what a repository holds: the heads of its memories in a version, and their files.
type shelf struct {
	version int64
	heads   []head

	name  [sha256.Size]byte // of what the files are of
	files []file            // of the heads; a zero one is of another version of the files than the caller knows
	docs  int               // one more than the last document
}

// file is where a memory stands.
type file struct{ blob, path string }

// view is the memories of some repositories, each once.
type view struct {
	name    [sha256.Size]byte // see nameOf
	items   []index.Item
	heads   []*head // of items
	from    []int32 // their repositories
	priors  []float64
	lengths *index.Lengths
	repos   []int32   // in order
	places  [][]int32 // by repository and document: where it is in items, or -1
	at      map[memory.ID]int32
}

// viewSize is how many bytes a view has for a memory, without heads and files, which views share.
const viewSize = 256

// granted is a repository that is searched: a row of the database with what the caller of the store knows
// of it.
type granted struct {
	*hub.Repo
	id int32
}

// view reads the view of repositories in the transaction of a reader.
func (s *Store) view(ctx context.Context, tx pgx.Tx, in []granted, ask []int32) (*view, error) {
	versions, err := s.versions(ctx, tx, ask)
	if err != nil {
		return nil, err
	}
	name := nameOf(in, versions)
	now := s.now()
	if v, ok := s.views.Get(name, now); ok {
		return v, nil
	}
	shelves, err := s.shelves(ctx, tx, in, versions)
	if err != nil {
		return nil, err
	}
	v := newView(ask, shelves)
	v.name = name
	hub.Derive(v.items, func(i int) index.Facts { return v.heads[i].facts }, now)
	for i := range v.items {
		v.priors = append(v.priors, v.items[i].Prior)
	}
	s.views.Put(name, v, viewSize*len(v.items), now)
	return v, nil
}

// versions are those of the heads of repositories, as the database shows them to a reader; 0 where it shows none.
func (s *Store) versions(ctx context.Context, tx pgx.Tx, ask []int32) ([]int64, error) {
	var repos []int32
	var found []int64
	err := tx.QueryRow(ctx, `select coalesce(array_agg(repo), '{}'), coalesce(array_agg(version), '{}')
		from `+s.table("head")+` where org = $1 and repo = any($2)`, s.org, ask).Scan(&repos, &found)
	out := make([]int64, len(ask))
	for i, repo := range repos {
		at, _ := slices.BinarySearch(ask, repo) // it is one of them
		out[at] = found[i]
	}
	return out, err
}

// nameOf names what repositories hold, as the caller knows them and in the versions of the database.
func nameOf(in []granted, versions []int64) [sha256.Size]byte {
	b := make([]byte, 0, len(in)*nameSize)
	for i, r := range in {
		b = binary.LittleEndian.AppendUint32(b, uint32(r.id))
		b = binary.LittleEndian.AppendUint64(b, uint64(versions[i]))
		b = binary.LittleEndian.AppendUint64(b, uint64(r.Moved.UnixNano()))
		b = appendString(b, r.OID)
	}
	return sha256.Sum256(b)
}

// nameSize is how much of a name a repository mostly is.
const nameSize = 64

// newView is the view of shelves. Of two files with one memory the one with the smaller path stands for it,
// then the one with the smaller blob.
func newView(repos []int32, shelves []*shelf) *view {
	size := 0
	for _, h := range shelves {
		size += len(h.heads)
	}
	v := &view{
		items: make([]index.Item, 0, size), heads: make([]*head, 0, size), from: make([]int32, 0, size),
		repos: repos, places: make([][]int32, len(repos)), at: make(map[memory.ID]int32, size),
	}
	for i, h := range shelves {
		v.take(repos[i], h)
	}
	lengths := make([][index.Fields]uint32, len(v.items))
	for i, h := range shelves {
		v.places[i] = v.place(h, lengths)
	}
	v.lengths = index.MeasureLengths(lengths)
	return v
}

// take takes in the memories of a repository.
func (v *view) take(repo int32, from *shelf) {
	for i := range from.heads {
		h, f := &from.heads[i], from.files[i]
		if f.blob == "" {
			continue
		}
		it := index.Item{Blob: f.blob, Path: f.path, Stage: index.Landed}
		at, known := v.at[h.facts.ID]
		switch {
		case !known:
			v.at[h.facts.ID] = int32(len(v.items))
			v.items, v.heads, v.from = append(v.items, it), append(v.heads, h), append(v.from, repo)
		case before(&it, &v.items[at]):
			v.items[at], v.heads[at], v.from[at] = it, h, repo
		}
	}
}

func before(a, b *index.Item) bool {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Blob, b.Blob)) < 0
}

// place notes which documents of a shelf stand for which memories, and how long those are.
func (v *view) place(from *shelf, lengths [][index.Fields]uint32) []int32 {
	places := slices.Repeat([]int32{-1}, from.docs)
	for i := range from.heads {
		h := &from.heads[i]
		if at, ok := v.at[h.facts.ID]; ok && v.heads[at] == h {
			places[h.doc], lengths[at] = at, h.lengths
		}
	}
	return places
}

// placesOf are the places of the documents of a repository.
func (v *view) placesOf(repo int32) []int32 {
	if at, ok := slices.BinarySearch(v.repos, repo); ok {
		return v.places[at]
	}
	return nil
}

// shelves are the shelves of repositories in some versions. Those that did not change are not read again.
func (s *Store) shelves(ctx context.Context, tx pgx.Tx, in []granted, versions []int64) ([]*shelf, error) {
	out := make([]*shelf, len(in))
	var changed []int32
	places := map[int32]int{} // of changed
	for i, r := range in {
		kept, _ := s.kept.Load(r.id)
		out[i], _ = kept.(*shelf)
		if out[i] == nil || out[i].version != versions[i] {
			out[i] = &shelf{version: versions[i]}
			changed, places[r.id] = append(changed, r.id), i
		}
	}
	for some := range slices.Chunk(changed, headRows) {
		var repo int32
		var data []byte
		err := each(ctx, tx, []any{&repo, &data}, func() (err error) {
			out[places[repo]].heads, err = unpackHeads(data)
			return err
		}, `select repo, data from `+s.table("head")+` where org = $1 and repo = any($2)`, s.org, some)
		if err != nil {
			return nil, err
		}
	}
	for i, r := range in {
		out[i] = out[i].with(r)
		s.kept.Store(r.id, out[i])
	}
	return out, nil
}

// headRows is how many heads one statement reads, so that the limit of time holds for thousands of repositories.
const headRows = 64

// with is the shelf with the files of a repository as the caller knows it.
func (h *shelf) with(r granted) *shelf {
	name := nameOf([]granted{r}, []int64{h.version})
	if h.name == name {
		return h
	}
	files := make(map[string]file, len(r.Files)) // by blob
	for path, f := range r.Files {
		if was := files[f.Blob].path; f.ID != "" && path <= cmp.Or(was, path) {
			files[f.Blob] = file{f.Blob, path}
		}
	}
	out := &shelf{version: h.version, heads: h.heads, name: name, files: make([]file, len(h.heads))}
	var blob []byte
	for i := range h.heads {
		blob = hex.AppendEncode(blob[:0], []byte(h.heads[i].blob))
		out.files[i] = files[string(blob)]
		out.docs = max(out.docs, int(h.heads[i].doc)+1)
	}
	return out
}

// grantedOf are repositories with their rows, in order of these. Those that have none yet are left out.
func (s *Store) grantedOf(in []*hub.Repo) (out []granted, ids []int32) {
	s.mu.Lock()
	for _, r := range in {
		if st, ok := s.known[r.Key()]; ok {
			out = append(out, granted{r, st.id})
		}
	}
	s.mu.Unlock()
	slices.SortFunc(out, func(a, b granted) int { return int(a.id) - int(b.id) })
	return out, lists.Map(out, func(r granted) int32 { return r.id })
}
