package postgres

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// oldest is the oldest version of PostgreSQL that has all that the tables need.
const oldest = 150000

// migrate brings the tables up to date. Of several processes one does it, and the others wait.
func migrate(ctx context.Context, pool *pgxpool.Pool, generation int) error {
	var version int
	err := pool.QueryRow(ctx, `select current_setting('server_version_num')::int`).Scan(&version)
	if err != nil {
		return fmt.Errorf("connecting to PostgreSQL: %w", err)
	}
	if version < oldest {
		return fmt.Errorf("connecting to PostgreSQL: it is version %d, and 15 is needed", version/10000)
	}
	steps, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	once, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60)) // a second, tried for a minute
	if err != nil {
		return err
	}
	if err := makeSchema(ctx, pool); err != nil {
		return fmt.Errorf("making the schema hub: %w", err)
	}
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	kept, err := database.NewStore(goose.DialectPostgres, "hub.migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider("", db, steps, goose.WithStore(kept), goose.WithSessionLocker(once))
	if err != nil {
		return fmt.Errorf("reading the steps to the tables of the hub: %w", err)
	}
	if err := upToDate(ctx, provider); err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, `call hub.generation($1)`, generation); err != nil {
		return fmt.Errorf("making the tables of postings: %w", err)
	}
	return nil
}

// makeSchema makes the schema of all tables, where it is not there.
func makeSchema(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var made bool
		if err := tx.QueryRow(ctx, `select to_regnamespace('hub') is not null`).Scan(&made); err != nil || made {
			return err
		}
		if _, err := tx.Exec(ctx, `select pg_advisory_xact_lock(hashtext('hub'))`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `create schema if not exists hub`)
		return err
	})
}

// upToDate makes the steps that are lacking. A database that a newer program made is left alone.
func upToDate(ctx context.Context, provider *goose.Provider) error {
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("bringing the tables of the hub up to date: %w", err)
	}
	sources := provider.ListSources()
	at, err := provider.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("reading the version of the tables of the hub: %w", err)
	}
	if newest := sources[len(sources)-1].Version; at > newest {
		return fmt.Errorf("the tables of the hub are of version %d, and this program knows %d: use a newer cortex-hub",
			at, newest)
	}
	return nil
}
