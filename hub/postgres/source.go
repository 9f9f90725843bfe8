package postgres

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// source is the memories of some repositories for one search: all of it sees the database as it was when the
// search began.
type source struct {
	*Store
	*view
	tx  pgx.Tx
	ask []int32 // repositories
}

// hits list where a term is found.
type hits []index.Posting

func (h *hits) add(place int32, freq uint32) {
	if h != nil && freq > 0 {
		*h = append(*h, index.Posting{Item: place, Freq: freq})
	}
}

// foundIn names what is found of a term in a view.
type foundIn struct {
	view [sha256.Size]byte
	term index.Term
}

// Bounds of what is kept of postings: most words of queries are few, and most of what is read is of these.
const (
	maxFound    = 256 << 20 // bytes
	postingSize = 8
	foundSize   = 256 // of a list, beside its postings
)

// Search ranks what repositories hold.
func (s *Store) Search(
	ctx context.Context, in []*hub.Repo, q query.Query, limit int,
) (result *index.Result, err error) {
	err = s.read(ctx, in, func(f *source) error {
		result, err = s.ranker.Rank(ctx, f, q, index.SearchOptions{Limit: limit})
		return err
	})
	return result, err
}

// Memories are memories by their ids, as a search has them.
func (s *Store) Memories(ctx context.Context, in []*hub.Repo, ids []memory.ID) (hits []hub.Hit, err error) {
	err = s.read(ctx, in, func(f *source) error {
		var places []int32
		for _, id := range ids {
			if at, ok := f.at[id]; ok {
				places = append(places, at)
			}
		}
		list, err := f.Memories(ctx, places, true)
		hits = nil
		for i, m := range list {
			if m != nil {
				hits = append(hits, hub.Hit{Item: f.items[places[i]], Memory: m})
			}
		}
		return err
	})
	return hits, err
}

// read does something in one transaction that writes nothing, as a reader of some repositories.
func (s *Store) read(ctx context.Context, in []*hub.Repo, do func(f *source) error) error {
	granted, ids := s.grantedOf(in)
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := s.transaction(ctx, options, func(tx pgx.Tx) error {
		if err := s.become(ctx, tx, "hub_reader", s.rights(ids), readTime); err != nil {
			return err
		}
		v, err := s.view(ctx, tx, granted, ids)
		if err != nil {
			return err
		}
		return do(&source{Store: s, view: v, tx: tx, ask: ids})
	})
	return hub.While(err, "reading PostgreSQL")
}

// rights are the repositories that the database lets a reader of some see.
func (s *Store) rights(ids []int32) []int32 {
	if s.testing.rights != nil {
		return s.testing.rights
	}
	return ids
}

// Len is the number of memories.
func (f *source) Len() int { return len(f.items) }

// ID is the id of a memory.
func (f *source) ID(place int32) memory.ID { return f.heads[place].facts.ID }

// Item is a memory as hits show it.
func (f *source) Item(place int32) *index.Item { return &f.items[place] }

// Prior is the prior of a memory.
func (f *source) Prior(place int32) float64 { return f.priors[place] }

// Facts are the fields that filters on type and time see.
func (f *source) Facts(place int32) (index.Facts, bool) { return f.heads[place].facts, true }

// TextSize is the length of a text.
func (f *source) TextSize(place int32) int { return int(f.heads[place].text.size) }

// Lengths are the lengths of the fields.
func (f *source) Lengths(context.Context) (*index.Lengths, error) { return f.lengths, nil }

// Postings takes what was found in this view before, and looks the other terms up.
func (f *source) Postings(ctx context.Context, terms []index.Term) ([][]index.Posting, error) {
	lacking := map[index.Term]*hits{}
	out := lists.Map(terms, func(t index.Term) []index.Posting {
		list, known := f.found.Get(foundIn{f.name, t}, f.now())
		if !known {
			lacking[t] = f.spare.Get().(*hits)
		}
		return list
	})
	if err := f.lookUp(ctx, lacking); err != nil {
		return nil, err
	}
	for t, h := range lacking {
		lacking[t] = f.keep(t, *h)
		*h = (*h)[:0]
		f.spare.Put(h)
	}
	for i, t := range terms {
		if h := lacking[t]; h != nil {
			out[i] = *h
		}
	}
	return out, nil
}

// keep keeps what was found of a term. That nothing was found is not kept: what is not there and what may not be read
// are asked for by the same statements each time.
func (f *source) keep(t index.Term, found hits) *hits {
	kept := slices.Clone(found)
	if len(kept) > 0 {
		f.found.Put(foundIn{f.name, t}, kept, foundSize+postingSize*len(kept), f.now())
	}
	return &kept
}

// lookUp finds terms by one statement, of which a row has what is found of a text in some repositories: many rows
// cost the hub more, and rows of megabytes cost the server memory that the kernel has to clear for it.
func (f *source) lookUp(ctx context.Context, found map[index.Term]*hits) error {
	if len(found) == 0 {
		return nil
	}
	texts := lists.Map(slices.Collect(maps.Keys(found)), f.rowOf)
	slices.Sort(texts)
	var term pgtype.DriverBytes
	var repos []int32
	var rows pgtype.FlatArray[pgtype.DriverBytes]
	return each(ctx, f.tx, []any{&term, &repos, &rows}, func() error {
		w := wanted{
			text: string(term), found: found,
			stem: found[index.StemField.Of(string(term))], title: found[index.TitleField.Of(string(term))],
		}
		for i, repo := range repos {
			if err := w.read(rows[i], f.placesOf(repo)); err != nil {
				return err
			}
		}
		return nil
	}, `select term, array_agg(repo), array_agg(data) from `+f.table("post")+`
		where org = $1 and term = any($2) and repo = any($3) group by term, repo / 64`,
		f.org, bytesOf(slices.Compact(texts)), f.ask)
}

// rowOf is the text of the rows in which a term is found.
func (f *source) rowOf(t index.Term) string {
	if t.Field == index.ExactField {
		return f.ranker.Home(t.Text)
	}
	return t.Text
}

// wanted says what a search asks for of the rows of a text. Lists are nil that it does not ask for.
type wanted struct {
	text        string
	stem, title *hits
	found       map[index.Term]*hits

	row   reading
	forms []*hits // of the row
}

// read adds what is found in a row. Documents stand for no memory whose places are negative.
func (w *wanted) read(data []byte, places []int32) error {
	w.forms = w.forms[:0]
	w.row.read(w.text, data, func(form []byte) {
		w.forms = append(w.forms, w.found[index.ExactField.Of(string(form))])
	})
	for w.row.next() {
		if w.row.doc >= uint32(len(places)) || places[w.row.doc] < 0 {
			continue
		}
		at := places[w.row.doc]
		w.stem.add(at, w.row.stem)
		w.title.add(at, w.row.title)
		for _, e := range w.row.exact {
			w.forms[e.form].add(at, e.freq)
		}
	}
	return w.row.err()
}

// Texts are titles and texts of memories.
func (f *source) Texts(ctx context.Context, places []int32) ([]index.Text, error) {
	out := slices.Repeat([]index.Text{{Missing: true}}, len(places))
	err := f.files(ctx, places, func(i int, data []byte) {
		h := f.heads[places[i]]
		title, hasTitle := h.title.in(data)
		text, hasText := h.text.in(data)
		if hasTitle && hasText {
			out[i] = index.Text{Title: title, Text: text}
			return
		}
		if m, err := memory.Parse("", data); err == nil {
			out[i] = index.Text{Title: m.Title, Text: m.Text}
		}
	})
	return out, err
}

// Memories are whole memories.
func (f *source) Memories(ctx context.Context, places []int32, _ bool) ([]*memory.Memory, error) {
	out := make([]*memory.Memory, len(places))
	err := f.files(ctx, places, func(i int, data []byte) {
		if m, err := memory.Parse(f.items[places[i]].Path, data); err == nil {
			out[i] = m
		}
	})
	return out, err
}

// files reads the files of memories by one statement.
func (f *source) files(ctx context.Context, places []int32, visit func(i int, data []byte)) error {
	repos, oids, numbers := make([]int32, len(places)), make([][]byte, len(places)), make([]int32, len(places))
	for i, at := range places {
		repos[i], oids[i], numbers[i] = f.from[at], []byte(f.heads[at].blob), int32(i)
	}
	var number int32
	var data pgtype.DriverBytes
	return each(ctx, f.tx, []any{&number, &data}, func() error {
		visit(int(number), data)
		return nil
	}, `select w.number, b.data
		from unnest($2::int[], $3::int[], $4::bytea[]) as w (number, repo, oid)
		join hub.blob b on b.org = $1 and b.repo = w.repo and b.oid = w.oid`, f.org, numbers, repos, oids)
}
