package postgres

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// Rows of one statement.
const (
	textRows    = 500
	postingRows = 4096
)

// Learn takes in the texts of a repository that is about to be saved.
func (s *Store) Learn(ctx context.Context, r *hub.Repo, texts map[string][]byte) error {
	var oids, data [][]byte
	for _, blob := range slices.Sorted(maps.Keys(texts)) {
		oid, err := hex.DecodeString(blob)
		if err != nil {
			return fmt.Errorf("learning %q: %w", blob, err)
		}
		oids, data = append(oids, oid), append(data, texts[blob])
	}
	err := s.write(ctx, func(tx pgx.Tx) error {
		if err := s.step("learn"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `insert into hub.blob (org, repo, oid, data)
			select $1, r.id, w.oid, w.data from hub.repo r, unnest($3::bytea[], $4::bytea[]) as w (oid, data)
			where r.org = $1 and r.key = $2 on conflict do nothing`, s.org, r.Key(), oids, data)
		return err
	})
	return hub.While(err, "learning memories")
}

// replacing is the content of a repository being replaced in a transaction.
type replacing struct {
	*Store
	tx    pgx.Tx
	repo  int32
	next  uint32
	heads []head          // of what stays, then of what is new
	gone  map[uint32]bool // documents that go
	terms map[string]int  // places in lists, of what is new
	lists [][]posting
	bare  bool            // no posting of the repository is there
	worn  map[string]bool // terms of what goes
}

// replace makes the files of a repository, and what is found of it, those of r. What stays is not written
// again. It returns the version of the files.
func (s *Store) replace(ctx context.Context, tx pgx.Tx, repo, next int32, r *hub.Repo) (moved int64, err error) {
	c := s.replacing(tx, repo, next)
	wanted, err := memoriesOf(r.Files)
	if err != nil {
		return 0, err
	}
	if err := c.index(ctx, wanted); err != nil {
		return 0, err
	}
	if err := c.dropTexts(ctx, wanted); err != nil {
		return 0, err
	}
	files, err := json.Marshal(r.Files)
	if err != nil {
		return 0, err
	}
	if err := s.step("files"); err != nil {
		return 0, err
	}
	err = tx.QueryRow(ctx, `update hub.repo set files = $3, next_doc = $4, moved = nextval('hub.moves')
		where org = $1 and id = $2 returning moved`, s.org, repo, deflate(files), int32(c.next)).Scan(&moved)
	if err != nil {
		return 0, err
	}
	return moved, c.putHeads(ctx, moved)
}

func (s *Store) replacing(tx pgx.Tx, repo, next int32) *replacing {
	return &replacing{
		Store: s, tx: tx, repo: repo, next: uint32(next),
		gone: map[uint32]bool{}, terms: map[string]int{}, worn: map[string]bool{},
	}
}

// memoriesOf are the blobs, as bytes, of files that are memories.
func memoriesOf(files map[string]hub.File) (map[string]bool, error) {
	wanted := map[string]bool{}
	for path, f := range files {
		oid, err := hex.DecodeString(f.Blob)
		if err != nil {
			return nil, fmt.Errorf("replacing %s: %w", path, err)
		}
		if f.ID != "" {
			wanted[string(oid)] = true
		}
	}
	return wanted, nil
}

// index brings heads and postings to the wanted blobs.
func (c *replacing) index(ctx context.Context, wanted map[string]bool) error {
	if len(wanted) == 0 { // as before it is read anew: no text is needed to know the terms of what goes
		if err := c.step("postings"); err != nil || c.next == 0 {
			return err
		}
		_, err := c.tx.Exec(ctx, `delete from `+c.table("post")+` where org = $1 and repo = $2`, c.org, c.repo)
		return err
	}
	before, err := c.readHeads(ctx)
	if err != nil {
		return err
	}
	c.bare = len(before) == 0
	fresh := maps.Clone(wanted)
	going := map[string]uint32{} // documents by blob
	for _, h := range before {
		if wanted[h.blob] {
			c.heads = append(c.heads, h)
			delete(fresh, h.blob)
			continue
		}
		c.gone[h.doc], going[h.blob] = true, h.doc
	}
	if err := c.eachText(ctx, slices.Sorted(maps.Keys(going)), c.wear); err != nil {
		return err
	}
	have := len(c.heads)
	if err := c.eachText(ctx, slices.Sorted(maps.Keys(fresh)), c.add); err != nil {
		return err
	}
	if got := len(c.heads) - have; got < len(fresh) {
		return fmt.Errorf("%d of %d texts of memories were not learned", len(fresh)-got, len(fresh))
	}
	if err := c.putPostings(ctx); err != nil {
		return err
	}
	return c.learnWords(ctx)
}

// eachText calls visit for the memories of blobs that are there.
func (c *replacing) eachText(ctx context.Context, blobs []string,
	visit func(data []byte, h head, m *memory.Memory),
) error {
	for part := range slices.Chunk(blobs, textRows) {
		oids := make([][]byte, len(part))
		for i, blob := range part {
			oids[i] = []byte(blob)
		}
		var oid, data []byte
		err := each(ctx, c.tx, []any{&oid, &data}, func() error {
			if m, err := memory.Parse("", data); err == nil {
				visit(data, head{blob: string(oid)}, m)
			}
			return nil
		}, `select oid, data from hub.blob where org = $1 and repo = $2 and oid = any($3) order by oid`, c.org, c.repo,
			oids)
		if err != nil {
			return err
		}
	}
	return nil
}

// wear notes the terms of a memory that goes.
func (c *replacing) wear(_ []byte, _ head, m *memory.Memory) {
	d := c.ranker.Document("", m)
	for f := range index.Fields {
		for term := range d.Terms(index.Field(f)) {
			c.worn[term] = true
		}
	}
}

// add takes in a memory.
func (c *replacing) add(data []byte, h head, m *memory.Memory) {
	d := c.ranker.Document("", m)
	doc := c.next
	c.next++
	h.doc, h.lengths = doc, d.Lengths()
	h.title, h.text = spanOf(data, m.Title), spanOf(data, m.Text)
	h.facts = index.Facts{
		ID: m.ID, Type: m.Type, Created: m.Created, Updated: m.Updated, Confidence: m.Confidence,
		Priority: m.Priority, Pinned: m.Pinned, Contested: m.Contested, Links: m.Links,
	}
	c.heads = append(c.heads, h)
	for f := range index.Fields {
		for term, freq := range d.Terms(index.Field(f)) {
			p := c.posting(term, doc)
			p.freqs[f] = freq
		}
	}
}

// posting is the posting of a term in the newest document.
func (c *replacing) posting(term string, doc uint32) *posting {
	at, ok := c.terms[term]
	if !ok {
		at = len(c.lists)
		c.terms[term], c.lists = at, append(c.lists, nil)
	}
	list := &c.lists[at]
	if n := len(*list); n == 0 || (*list)[n-1].doc != doc {
		*list = append(*list, posting{doc: doc})
	}
	return &(*list)[len(*list)-1]
}

// fresh are the postings of a term in what is new.
func (c *replacing) fresh(term string) []posting {
	if at, ok := c.terms[term]; ok {
		return c.lists[at]
	}
	return nil
}

// putPostings writes the rows of all terms that something has changed of.
func (c *replacing) putPostings(ctx context.Context) error {
	for term := range c.terms {
		c.worn[term] = true
	}
	table := c.table("post")
	for part := range slices.Chunk(slices.Sorted(maps.Keys(c.worn)), postingRows) {
		terms := make([][]byte, len(part))
		for i, term := range part {
			terms[i] = []byte(term)
		}
		rows := map[string][]byte{}
		if !c.bare {
			if err := c.staying(ctx, table, terms, rows); err != nil {
				return err
			}
		}
		if err := c.putRows(ctx, table, terms, rows); err != nil {
			return err
		}
	}
	return nil
}

// staying reads rows of terms, without documents that go.
func (c *replacing) staying(ctx context.Context, table string, terms [][]byte, to map[string][]byte) error {
	var term, data []byte
	return each(ctx, c.tx, []any{&term, &data}, func() error {
		var kept []byte
		before := uint32(0)
		err := eachPosting(data, func(p *posting) {
			if !c.gone[p.doc] {
				kept, before = appendPosting(kept, before, p), p.doc
			}
		})
		to[string(term)] = kept
		return err
	}, `select term, data from `+table+` where org = $1 and term = any($2) and repo = $3`, c.org, terms, c.repo)
}

// putRows writes terms with what stays of them and what is new, and deletes those that nothing holds.
func (c *replacing) putRows(ctx context.Context, table string, terms [][]byte, stay map[string][]byte) error {
	var put, data, empty [][]byte
	for _, term := range terms {
		row := stay[string(term)]
		before := lastDoc(row)
		list := c.fresh(string(term))
		for i := range list {
			p := &list[i]
			row, before = appendPosting(row, before, p), p.doc
		}
		if len(row) == 0 {
			empty = append(empty, term)
			continue
		}
		put, data = append(put, term), append(data, row)
	}
	if err := c.step("postings"); err != nil {
		return err
	}
	if len(put) > 0 {
		insert := `insert into ` + table + ` (org, repo, term, data)
			select $1, $2, w.term, w.data from unnest($3::bytea[], $4::bytea[]) as w (term, data)`
		if !c.bare {
			insert += ` on conflict (org, term, repo) do update set data = excluded.data`
		}
		_, err := c.tx.Exec(ctx, insert, c.org, c.repo, put, data)
		if err != nil {
			return err
		}
	}
	if err := c.step("empty"); err != nil || len(empty) == 0 {
		return err
	}
	_, err := c.tx.Exec(ctx, `delete from `+table+` where org = $1 and term = any($2) and repo = $3`,
		c.org, empty, c.repo)
	return err
}

// lastDoc is the last document of a row that this process packed.
func lastDoc(row []byte) (doc uint32) {
	_ = eachPosting(row, func(p *posting) { doc = p.doc })
	return doc
}

// dropTexts deletes all texts but those of the wanted blobs: also what a killed process left behind.
func (c *replacing) dropTexts(ctx context.Context, wanted map[string]bool) error {
	oids := make([][]byte, 0, len(wanted))
	for blob := range wanted {
		oids = append(oids, []byte(blob))
	}
	if err := c.step("texts"); err != nil {
		return err
	}
	_, err := c.tx.Exec(ctx, `delete from hub.blob b where b.org = $1 and b.repo = $2
		and not exists (select from unnest($3::bytea[]) as w (oid) where w.oid = b.oid)`, c.org, c.repo, oids)
	return err
}

func (c *replacing) readHeads(ctx context.Context) ([]head, error) {
	var data []byte
	err := c.tx.QueryRow(ctx, `select coalesce((select data from `+c.table("head")+`
		where org = $1 and repo = $2), '')`, c.org, c.repo).Scan(&data)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	return unpackHeads(data)
}

func (c *replacing) putHeads(ctx context.Context, version int64) error {
	if err := c.step("heads"); err != nil {
		return err
	}
	_, err := c.tx.Exec(ctx, `insert into `+c.table("head")+` (org, repo, version, data) values ($1, $2, $3, $4)
		on conflict (org, repo) do update set version = excluded.version, data = excluded.data`,
		c.org, c.repo, version, packHeads(c.heads))
	return err
}

// table is the name of a table of the generation.
func (s *Store) table(name string) string { return fmt.Sprintf("hub.%s_%d", name, s.generation) }
