package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/git-cortex/cortex/hub"
)

// Tombs are all that were buried.
func (s *Store) Tombs(ctx context.Context) (out []hub.Tomb, err error) {
	err = s.write(ctx, func(tx pgx.Tx) error {
		out = nil
		var t hub.Tomb
		return each(ctx, tx, []any{&t.Kind, &t.Value, &t.Purge, &t.At}, func() error {
			out = append(out, t)
			return nil
		}, `select kind, value, purge, at from hub.tomb where org = $1`, s.org)
	})
	return out, err
}

// Bury adds tombs.
func (s *Store) Bury(ctx context.Context, tombs []hub.Tomb) error {
	var kinds, values, purges []string
	var at []time.Time
	for _, t := range tombs {
		kinds, values = append(kinds, string(t.Kind)), append(values, t.Value)
		purges, at = append(purges, t.Purge), append(at, t.At)
	}
	return s.write(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `insert into hub.tomb (org, kind, value, purge, at)
			select $1, w.kind, w.value, w.purge, w.at
			from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) as w (kind, value, purge, at)
			on conflict do nothing`, s.org, kinds, values, purges, at)
		return err
	})
}

// Cleanse removes the words that no text has any more, and the rows that went before.
func (s *Store) Cleanse(ctx context.Context, _ hub.Read) error {
	s.words.outdate()
	err := s.write(ctx, func(tx pgx.Tx) error { return s.forgetWords(ctx, tx) })
	if err != nil {
		return err
	}
	s.words.outdate()
	_, err = s.pool.Exec(ctx, `vacuum hub.blob, hub.word, hub.repo, `+s.table("post")+`, `+s.table("head"))
	return hub.While(err, "removing the rows that went")
}

// Remains say where a purged text may be that is not reached from here.
func (s *Store) Remains() []string {
	return []string{
		"backups, replicas that lag and archived write-ahead logs of the database have what it had then",
		"tables of another version of the hub have it until that version follows or its tables are dropped",
	}
}

// Record adds a line to the audit. A crash of the server may lose those of its last moment.
func (s *Store) Record(ctx context.Context, a hub.Asked) error {
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `set local synchronous_commit = off`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `insert into hub.audit (org, at, line) values ($1, $2, $3)`, s.org, a.At, line)
		return err
	})
}

// Asked are the lines of the audit since a time.
func (s *Store) Asked(ctx context.Context, since time.Time) (out []hub.Asked, err error) {
	err = s.write(ctx, func(tx pgx.Tx) error {
		out = nil
		var line []byte
		return each(ctx, tx, []any{&line}, func() error {
			var a hub.Asked
			err := json.Unmarshal(line, &a)
			out = append(out, a)
			return err
		}, `select line from hub.audit where org = $1 and at >= $2 order by at, id`, s.org, since)
	})
	return out, err
}

// Forget removes the lines of the audit from before a time.
func (s *Store) Forget(ctx context.Context, before time.Time) error {
	return s.write(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `delete from hub.audit where org = $1 and at < $2`, s.org, before)
		return err
	})
}
