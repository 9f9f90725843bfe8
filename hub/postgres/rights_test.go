package postgres

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/internal/pgtest"
)

// tables are those that a reader may see something of, all of which have a policy.
func (s *Store) tables() []string { return []string{"hub.blob", s.table("post"), s.table("head")} }

// seen counts, for each table, the rows of repositories that a reader of some sees, and of others.
func (s *Store) seen(ctx context.Context, ids []int32) (rows map[string][2]int, err error) {
	rows = map[string][2]int{}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.become(ctx, tx, "hub_reader", ids, readTime); err != nil {
			return err
		}
		for _, table := range s.tables() {
			var n [2]int
			counts := `select count(*) filter (where repo = any($1)), count(*) filter (where repo <> all($1)) from `
			if err := tx.QueryRow(ctx, counts+table, ids).Scan(&n[0], &n[1]); err != nil {
				return err
			}
			rows[table] = n
		}
		return nil
	})
	return rows, err
}

// guards checks that a reader sees all of what is granted and nothing else, and says what is wrong.
func (s *Store) guards(t *testing.T, ids []int32) (wrong []string) {
	t.Helper()
	rows, err := s.seen(t.Context(), ids)
	if err != nil {
		return []string{err.Error()}
	}
	for table, n := range rows {
		if n[0] == 0 || n[1] > 0 {
			wrong = append(wrong, fmt.Sprintf("%s: %d rows of what is granted, %d of others", table, n[0], n[1]))
		}
	}
	return wrong
}

// TestPolicies: the policies of the database alone hide what is not granted, and the test would see it if one
// of them was missing or let everything through.
func TestPolicies(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		dsn := server.Database(t)
		s := open(t, dsn)
		one := put(t, s, "a", "the proxy drops large uploads")
		put(t, s, "b", "the proxy password rotates on Mondays")
		ids := []int32{s.known[one.Key()].id}
		if wrong := s.guards(t, ids); wrong != nil {
			t.Fatal(wrong)
		}
		for _, table := range s.tables() {
			for _, mutation := range [][2]string{
				{"drop policy reads on " + table, `create policy reads on ` + table + ` for select to hub_reader using (
					org = (select current_setting('hub.org')::int) and
					repo in (select unnest(current_setting('hub.repos')::int[])))`},
				{
					"alter table " + table + " disable row level security",
					"alter table " + table + " enable row level security",
				},
				{"create policy more on " + table + " for select to hub_reader using (true)", "drop policy more on " + table},
			} {
				pgtest.Exec(t, dsn, mutation[0])
				if wrong := s.guards(t, ids); wrong == nil {
					t.Errorf("nobody sees that somebody did %s", mutation[0])
				}
				pgtest.Exec(t, dsn, mutation[1])
			}
		}
		if wrong := s.guards(t, ids); wrong != nil {
			t.Fatal(wrong)
		}
	})
}

// TestOrganisationsApart: a writer of one organisation sees and changes no row of another.
func TestOrganisationsApart(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		dsn := server.Database(t)
		s := open(t, dsn)
		put(t, s, "a", "the proxy drops large uploads")
		other, err := Open(t.Context(), Options{DSN: dsn, Organisation: "other", Now: clock})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		if err := s.Bury(t.Context(), []hub.Tomb{{Kind: hub.TombBlob, Value: "x", At: start}}); err != nil {
			t.Fatal(err)
		}
		if err := s.Record(t.Context(), hub.Asked{At: start}); err != nil {
			t.Fatal(err)
		}
		tables := append(s.tables(), "hub.repo", "hub.job", "hub.word", "hub.tomb", "hub.audit")
		err = other.write(t.Context(), func(tx pgx.Tx) error {
			for _, table := range tables {
				tag, err := tx.Exec(t.Context(), "delete from "+table)
				if err != nil || tag.RowsAffected() > 0 {
					t.Errorf("%s: %d rows were deleted, %v", table, tag.RowsAffected(), err)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// TestRightsEnd: what a transaction gave up or was granted does not stay with its connection.
func TestRightsEnd(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		s := open(t, server.Database(t)+" pool_max_conns=1")
		r := put(t, s, "a", "the proxy drops large uploads")
		if _, err := s.seen(t.Context(), []int32{s.known[r.Key()].id}); err != nil {
			t.Fatal(err)
		}
		var role, repos string
		err := s.pool.QueryRow(t.Context(), `select current_user, coalesce(current_setting('hub.repos', true), '')`).
			Scan(&role, &repos)
		if diff := cmp.Diff([]string{"hub", ""}, []string{role, repos}); err != nil || diff != "" {
			t.Error(err, diff)
		}
	})
}

// TestReadersWriteNothing: a reader changes nothing, and sees no table but those it searches.
func TestReadersWriteNothing(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		s := open(t, server.Database(t))
		put(t, s, "a", "the proxy drops large uploads")
		for _, statement := range []string{
			"select from hub.repo", "select from hub.job", "select from hub.word", "select from hub.org",
			"select from hub.tomb", "select from hub.audit",
			"delete from hub.blob", "delete from " + s.table("post"), "update " + s.table("head") + " set version = 1",
		} {
			err := pgx.BeginFunc(t.Context(), s.pool, func(tx pgx.Tx) error {
				if err := s.become(t.Context(), tx, "hub_reader", []int32{1}, readTime); err != nil {
					t.Fatal(err)
				}
				_, err := tx.Exec(t.Context(), statement)
				return err
			})
			if err == nil {
				t.Errorf("a reader may %s", statement)
			}
		}
	})
}

// TestAuditIsForgotten: lines of the audit go when they are old, and those that are not stay.
func TestAuditIsForgotten(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		s := open(t, server.Database(t))
		for day := range 3 {
			if err := s.Record(t.Context(), hub.Asked{At: start.AddDate(0, 0, day), Hits: day}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Forget(t.Context(), start.AddDate(0, 0, 1)); err != nil {
			t.Fatal(err)
		}
		list, err := s.Asked(t.Context(), start.AddDate(0, 0, 2))
		if err != nil || len(list) != 1 || list[0].Hits != 2 {
			t.Errorf("since the last day: %v, %v", list, err)
		}
		if list, err = s.Asked(t.Context(), start); err != nil || len(list) != 2 {
			t.Errorf("after the first day is forgotten: %v, %v", list, err)
		}
	})
}

// TestOrganisationLeadsKeys: every table but those of organisations and migrations has its rows by organisation, and every key of it
// and every index begin with that, so that tables can be spread over nodes by it.
func TestOrganisationLeadsKeys(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		dsn := server.Database(t)
		s := open(t, dsn)
		rows, _ := s.pool.Query(t.Context(), `
			select c.relname::text, coalesce(i.relname::text, 'no index'), coalesce(a.attname::text, '')
			from pg_class c
			left join pg_index x on x.indrelid = c.oid
			left join pg_class i on i.oid = x.indexrelid
			left join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
			where c.relnamespace = 'hub'::regnamespace and c.relkind = 'r' and c.relname not in ('org', 'migrations')`)
		var table, key, first string
		seen := 0
		_, err := pgx.ForEachRow(rows, []any{&table, &key, &first}, func() error {
			if seen++; first != "org" {
				t.Errorf("%s of hub.%s begins with %q", key, table, first)
			}
			return nil
		})
		if err != nil || seen < 10 {
			t.Errorf("%d keys, %v", seen, err)
		}
		links := `select count(*) from pg_constraint where contype = 'f' and connamespace = 'hub'::regnamespace`
		if n := pgtest.Number(t, dsn, links); n > 0 {
			t.Errorf("%d foreign keys lead from table to table", n)
		}
	})
}
