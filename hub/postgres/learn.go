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
	"github.com/git-cortex/cortex/internal/lists"
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
	heads []head            // of what stays, then of what is new
	gone  map[uint32]bool   // documents that go
	rows  map[string]*row   // that change, by text
	homes map[string]formOf // of what is new, by terms as they are written
	bare  bool              // no posting of the repository is there
}

// formOf is a form of a row.
type formOf struct {
	*row
	form uint32
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
		gone: map[uint32]bool{}, rows: map[string]*row{}, homes: map[string]formOf{},
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
	var parser memory.Parser
	for part := range slices.Chunk(blobs, textRows) {
		var oid, data []byte
		err := each(ctx, c.tx, []any{&oid, &data}, func() error {
			if m, err := parser.Parse("", string(data)); err == nil {
				visit(data, head{blob: string(oid)}, m)
			}
			return nil
		}, `select oid, data from hub.blob where org = $1 and repo = $2 and oid = any($3) order by oid`, c.org, c.repo,
			bytesOf(part))
		if err != nil {
			return err
		}
	}
	return nil
}

// wear notes the rows of a memory that goes.
func (c *replacing) wear(_ []byte, _ head, m *memory.Memory) {
	c.ranker.Each(m, func(f index.Field, term string, _ bool) {
		if f == index.ExactField {
			term = c.ranker.Home(term)
		}
		c.row(term)
	})
}

// add takes in a memory.
func (c *replacing) add(data []byte, h head, m *memory.Memory) {
	h.doc = c.next
	c.next++
	c.ranker.Each(m, func(f index.Field, term string, word bool) {
		if word {
			h.lengths[f]++
		}
		switch f {
		case index.ExactField:
			at := c.home(term)
			at.of(h.doc).write(at.form)
		case index.StemField:
			c.row(term).of(h.doc).stem++
		default:
			c.row(term).of(h.doc).title++
		}
	})
	h.title, h.text = spanOf(data, m.Title), spanOf(data, m.Text)
	h.facts = index.Facts{
		ID: m.ID, Type: m.Type, Created: m.Created, Updated: m.Updated, Confidence: m.Confidence,
		Priority: m.Priority, Pinned: m.Pinned, Contested: m.Contested, Links: m.Links,
	}
	c.heads = append(c.heads, h)
}

// row is the row of a text.
func (c *replacing) row(text string) *row {
	r := c.rows[text]
	if r == nil {
		r = &row{text: text}
		c.rows[text] = r
	}
	return r
}

// home is where a term is counted as it is written.
func (c *replacing) home(term string) formOf {
	at, ok := c.homes[term]
	if !ok {
		at.row = c.row(c.ranker.Home(term))
		at.form = at.row.form(term)
		c.homes[term] = at
	}
	return at
}

// putPostings writes the rows that something has changed of.
func (c *replacing) putPostings(ctx context.Context) error {
	for part := range slices.Chunk(slices.Sorted(maps.Keys(c.rows)), postingRows) {
		if !c.bare {
			if err := c.mergeRows(ctx, part); err != nil {
				return err
			}
		}
		if err := c.putRows(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// bytesOf are texts as a parameter of a statement, where nil would be null.
func bytesOf(texts []string) [][]byte {
	return append([][]byte{}, lists.Map(texts, func(text string) []byte { return []byte(text) })...)
}

// mergeRows puts what stays of rows before what is new in them.
func (c *replacing) mergeRows(ctx context.Context, texts []string) error {
	var term, data []byte
	return each(ctx, c.tx, []any{&term, &data}, func() error {
		r, err := unpack(string(term), data, c.gone)
		fresh := c.row(r.text)
		for i := range fresh.list {
			r.take(&fresh.list[i], fresh.forms)
		}
		c.rows[r.text] = r
		return err
	}, `select term, data from `+c.table("post")+` where org = $1 and term = any($2) and repo = $3`,
		c.org, bytesOf(texts), c.repo)
}

// putRows writes rows, and deletes those in which nothing is.
func (c *replacing) putRows(ctx context.Context, texts []string) error {
	var put, empty []string
	var data [][]byte
	for _, text := range texts {
		if r := c.rows[text]; len(r.list) > 0 {
			put, data = append(put, text), append(data, r.pack())
		} else {
			empty = append(empty, text)
		}
	}
	if err := c.step("postings"); err != nil {
		return err
	}
	insert := `insert into ` + c.table("post") + ` (org, repo, term, data)
		select $1, $2, w.term, w.data from unnest($3::bytea[], $4::bytea[]) as w (term, data)`
	if !c.bare {
		insert += ` on conflict (org, term, repo) do update set data = excluded.data`
	}
	if _, err := c.tx.Exec(ctx, insert, c.org, c.repo, bytesOf(put), data); err != nil {
		return err
	}
	if err := c.step("empty"); err != nil || len(empty) == 0 {
		return err
	}
	_, err := c.tx.Exec(ctx, `delete from `+c.table("post")+` where org = $1 and term = any($2) and repo = $3`,
		c.org, bytesOf(empty), c.repo)
	return err
}

// dropTexts deletes all texts but those of the wanted blobs: also what a killed process left behind.
func (c *replacing) dropTexts(ctx context.Context, wanted map[string]bool) error {
	oids := bytesOf(slices.Collect(maps.Keys(wanted)))
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
