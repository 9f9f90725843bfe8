package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/git-cortex/cortex/hub"
)

// catchUp makes what this generation lacks of repositories, from their texts: where the program is new, or an
// older one saved them. Each is ready when its transaction ends, and the older program goes on meanwhile.
func (s *Store) catchUp(ctx context.Context) error {
	var lacking []int32
	err := s.write(ctx, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, `select id from hub.repo r where org = $1 and moved > 0 and not exists (
			select from `+s.table("head")+` h where h.org = r.org and h.repo = r.id and h.version = r.moved)`, s.org)
		var err error
		lacking, err = pgx.CollectRows(rows, pgx.RowTo[int32])
		return err
	})
	for _, id := range lacking {
		if err == nil {
			err = s.write(ctx, func(tx pgx.Tx) error { return s.catchUpOne(ctx, tx, id) })
		}
	}
	return hub.While(err, "indexing what another version of the program left")
}

func (s *Store) catchUpOne(ctx context.Context, tx pgx.Tx, id int32) error {
	var moved int64
	var next int32
	var packed []byte
	err := tx.QueryRow(ctx, `select moved, next_doc, files from hub.repo where org = $1 and id = $2 for update`,
		s.org, id).Scan(&moved, &next, &packed)
	if err != nil {
		return err
	}
	files, err := unpackFiles(packed)
	if err != nil {
		return err
	}
	wanted, err := memoriesOf(files)
	if err != nil {
		return err
	}
	c := s.replacing(tx, id, next)
	if err := c.index(ctx, wanted); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `update hub.repo set next_doc = $3 where org = $1 and id = $2`, s.org, id, int32(c.next))
	if err != nil {
		return err
	}
	return c.putHeads(ctx, moved)
}
