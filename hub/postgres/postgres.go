// Package postgres keeps a hub in a PostgreSQL database, of version 15 or newer and without extensions, for
// more memories or more processes than one folder is good for. Call [Open].
//
// What a caller may read is decided by the key of each row: every statement names the organisation and the
// repositories, and row-level security of the database says so a second time. Everything of a repository is
// replaced in one transaction, so what a process was killed at is as if it had not begun. Git stays the
// store: the database can be dropped, and is made again from the mirrors.
package postgres

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
)

// Options say which database a hub is kept in.
type Options struct {
	DSN          string // as libpq reads it: a URL, or "host=… user=… dbname=…"
	Organisation string // "" is "hub": what several hubs in one database are told apart by
	Now          func() time.Time

	tracer pgx.QueryTracer // of tests; nil for none
}

// generation is the number of the tables of postings. It goes up with whatever changes what the
// analyser makes of a text: TestGeneration says when.
const generation = 2

// Bounds of statements and connections.
const (
	maxConnections = 16
	readTime       = 2 * time.Second // of one statement of a search
	writeTime      = 2 * time.Minute // of one statement of a job
	storeTime      = 5 * time.Minute // to load or save
)

// Store keeps a hub in a database. It is safe for concurrent use, also by several processes.
type Store struct {
	pool       *pgxpool.Pool
	org        int32
	generation int
	now        func() time.Time

	mu      sync.Mutex
	known   map[string]stored // by key, as Load last read it
	held    map[string]int64  // the leases of this process, by key
	kept    sync.Map          // of *shelf, by repository, as they were last read
	words   vocabulary
	views   hub.Views[[sha256.Size]byte, *view] // by nameOf
	found   hub.Views[foundIn, []index.Posting]
	ranker  index.Ranker
	spare   sync.Pool // of *hits
	testing faults
}

// faults are set by tests alone.
type faults struct {
	rights []int32            // of every reader, whatever is asked for: the policies alone decide
	owner  bool               // nobody gives up rights: the statements alone decide
	step   func(string) error // is called before each statement that writes
}

// Open opens the store of an organisation, and brings the tables of its database up to date.
func Open(ctx context.Context, opt Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(opt.DSN)
	if err != nil {
		return nil, errors.New("reading how to connect to PostgreSQL: it is neither a URL nor a list of key=value")
	}
	if !strings.Contains(opt.DSN, "pool_max_conns") {
		config.MaxConns = maxConnections
	}
	config.ConnConfig.Tracer = opt.tracer
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting to PostgreSQL: %w", err)
	}
	s := &Store{
		pool: pool, now: opt.Now, generation: generation,
		known: map[string]stored{}, held: map[string]int64{}, spare: sync.Pool{New: func() any { return &hits{} }},
		found: hub.Views[foundIn, []index.Posting]{Max: maxFound},
	}
	if err := s.begin(ctx, opt.Organisation); err != nil {
		pool.Close()
		return nil, err
	}
	return s, nil
}

// begin makes tables and the organisation, where they are not there.
func (s *Store) begin(ctx context.Context, organisation string) error {
	organisation = cmp.Or(organisation, "hub")
	if err := migrate(ctx, s.pool, s.generation); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `insert into hub.org (name) values ($1) on conflict do nothing`, organisation)
	if err == nil {
		err = s.pool.QueryRow(ctx, `select id from hub.org where name = $1`, organisation).Scan(&s.org)
	}
	return hub.While(err, "opening the organisation %s", organisation)
}

// Close ends all connections.
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}

// write does something in one transaction, as the role that may write the rows of the organisation. It is done
// again where the connection was lost.
func (s *Store) write(ctx context.Context, do func(tx pgx.Tx) error) error {
	err := s.transaction(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := s.become(ctx, tx, "hub_writer", nil, writeTime); err != nil {
			return err
		}
		return do(tx)
	})
	return hub.While(err, "writing to PostgreSQL")
}

// maxLost is how many connections are lost before something fails.
const maxLost = 3

// transaction does something in a transaction. Where its connection was lost, so may be all others: it is done
// again with a new one.
func (s *Store) transaction(ctx context.Context, opt pgx.TxOptions, do func(tx pgx.Tx) error) (err error) {
	for range maxLost {
		var lost bool
		if lost, err = s.try(ctx, opt, do); !lost || ctx.Err() != nil {
			return err
		}
		s.pool.Reset()
	}
	return err
}

func (s *Store) try(ctx context.Context, opt pgx.TxOptions, do func(tx pgx.Tx) error) (lost bool, err error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	err = pgx.BeginTxFunc(ctx, conn, opt, do)
	return err != nil && conn.Conn().IsClosed(), err
}

// become gives up, until the transaction ends, all rights but those of a role: in the organisation, and as
// a reader in some repositories.
func (s *Store) become(ctx context.Context, tx pgx.Tx, role string, repos []int32, limit time.Duration) error {
	if s.testing.owner {
		return nil
	}
	_, err := tx.Exec(ctx, `select set_config('role', $1, true), set_config('hub.org', $2, true),
		set_config('hub.repos', $3, true), set_config('statement_timeout', $4, true),
		set_config('idle_in_transaction_session_timeout', $5, true)`,
		role, strconv.Itoa(int(s.org)), arrayOf(repos), milliseconds(limit), milliseconds(writeTime))
	return err
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// arrayOf is a list of numbers as PostgreSQL reads one.
func arrayOf(list []int32) string {
	b := []byte{'{'}
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, '}'))
}

// each calls visit for the rows of a statement, whose columns are in into then.
func each(ctx context.Context, tx pgx.Tx, into []any, visit func() error, statement string, args ...any) error {
	rows, _ := tx.Query(ctx, statement, args...) // rows have its error
	_, err := pgx.ForEachRow(rows, into, visit)
	return err
}

// step is where tests end a transaction.
func (s *Store) step(name string) error {
	if s.testing.step == nil {
		return nil
	}
	return s.testing.step(name)
}

var _ hub.Store = (*Store)(nil)
