package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/hub/files"
	"github.com/git-cortex/cortex/internal/hubtest"
	"github.com/git-cortex/cortex/internal/pgtest"
	"github.com/git-cortex/cortex/internal/testrun"
)

// statements counts what a database is sent.
type statements struct{ atomic.Int64 }

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	s.Add(1)
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// leaking is a corpus in a database and in a folder, and how far the one is opened by a mutation.
type leaking struct {
	*hubtest.Corpus
	dsn   string
	pg    *Store
	files *files.Store
	sent  statements
}

func newLeaking(t *testing.T, server *pgtest.Server) *leaking {
	t.Helper()
	l := &leaking{Corpus: hubtest.New(30, 14, 12), dsn: server.Database(t)}
	var err error
	if l.pg, err = Open(t.Context(), Options{DSN: l.dsn, Now: clock, tracer: &l.sent}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.pg.Close() })
	if l.files, err = files.Open(t.TempDir(), l.Read, clock); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.files.Close() })
	l.Fill(t, l.pg)
	l.Fill(t, l.files)
	return l
}

// way names the guards of rows that a test leaves in place.
type way int

const (
	both       way = iota
	policies       // alone: the statements name all repositories
	conditions     // alone: nobody gives up rights
	neither
)

// find looks for leaks where rows are kept from callers in one way. What the folder answers is right.
func (l *leaking) find(t *testing.T, by way, rounds int) []string {
	t.Helper()
	var store hub.Store = l.pg
	if by == policies || by == neither {
		store = hubtest.Wide{Store: l.pg, All: l.Repos}
	}
	leaks := &hubtest.Leaks{
		Corpus: l.Corpus, Store: store, Like: l.files, Count: func() int { return int(l.sent.Load()) },
		Before: func(_ int, in []*hub.Repo) {
			l.pg.testing = faults{owner: by == conditions || by == neither}
			if by == policies {
				l.pg.testing.rights = l.pg.idsOf(in)
			}
		},
	}
	defer func() { l.pg.testing = faults{} }()
	return leaks.Find(t, rounds)
}

// TestLeaks: nothing that a caller can ask tells of a repository that they may not read, whether the database, the
// statements or both keep it from them.
func TestLeaks(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		l := newLeaking(t, server)
		for _, by := range []way{both, policies, conditions} {
			for _, wrong := range l.find(t, by, testrun.Rounds(30, 340)) {
				t.Errorf("%d: %s", by, wrong)
			}
		}
	})
}

// TestLeaksAreSeen: without conditions and rights, and with the policies of one table or of all opened, the test above
// finds a leak. What rows of postings or texts alone would tell is said of no memory that has no head, see TestPolicies.
func TestLeaksAreSeen(t *testing.T) {
	const rounds = 60
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		l := newLeaking(t, server)
		if l.find(t, neither, rounds) == nil {
			t.Error("nobody sees that nothing keeps rows from callers")
		}
		head := l.pg.table("head")
		for _, tables := range [][]string{{head}, l.pg.tables()} {
			for _, table := range tables {
				pgtest.Exec(t, l.dsn, fmt.Sprintf("create policy more on %s for select to hub_reader using (true)", table))
			}
			if l.find(t, policies, rounds) == nil {
				t.Errorf("nobody sees that the policies of %v let everything through", tables)
			}
			for _, table := range tables {
				pgtest.Exec(t, l.dsn, "drop policy more on "+table)
			}
		}
		pgtest.Exec(t, l.dsn, "drop policy reads on "+head)
		if l.find(t, policies, rounds) == nil {
			t.Error("nobody sees that a policy is lacking")
		}
	})
}
