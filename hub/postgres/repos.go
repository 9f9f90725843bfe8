package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/git-cortex/cortex/hub"
)

// stored is a repository as a row of the database was when it was read.
type stored struct {
	repo    *hub.Repo
	id      int32
	version int64 // of all of it
	moved   int64 // of its files
}

// Load returns all repositories. A row that is as it was is not read again.
func (s *Store) Load() (map[string]*hub.Repo, error) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	s.mu.Lock()
	known := maps.Clone(s.known)
	s.mu.Unlock()
	var now map[string]stored
	var changed []int32
	err := s.write(ctx, func(tx pgx.Tx) error {
		now, changed = map[string]stored{}, nil
		var id int32
		var key string
		var version int64
		err := each(ctx, tx, []any{&id, &key, &version}, func() error {
			if was, ok := known[key]; ok && was.id == id && was.version == version {
				now[key] = was
				return nil
			}
			changed = append(changed, id)
			return nil
		}, `select id, key, version from hub.repo where org = $1`, s.org)
		if err == nil && len(changed) > 0 {
			err = s.loadRows(ctx, tx, changed, known, now)
		}
		return err
	})
	if err == nil && len(changed) > 0 {
		s.words.outdate()
		err = s.catchUp(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("loading repositories: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = now
	out := make(map[string]*hub.Repo, len(now))
	for key, st := range now {
		out[key] = st.repo
	}
	return out, nil
}

// loadRows reads repositories into now. Files that did not move are those that are known.
func (s *Store) loadRows(ctx context.Context, tx pgx.Tx, ids []int32, known, now map[string]stored) error {
	var moved []int64 // versions of files that are known
	for _, st := range known {
		moved = append(moved, st.moved)
	}
	var st stored
	var key string
	var record, files []byte
	return each(ctx, tx, []any{&st.id, &key, &st.version, &st.moved, &record, &files}, func() error {
		r := &hub.Repo{}
		if err := json.Unmarshal(record, r); err != nil {
			return fmt.Errorf("reading %s: %w", key, err)
		}
		st.repo = r
		now[key] = st
		if was := known[key]; files == nil {
			r.Files = was.repo.Files
			return nil
		}
		var err error
		r.Files, err = unpackFiles(files)
		return err
	}, `select id, key, version, moved, record,
		case when moved = any($3) then null else files end from hub.repo where org = $1 and id = any($2)`,
		s.org, ids, moved)
}

// unpackFiles are the files of a repository as Save packs them.
func unpackFiles(data []byte) (files map[string]hub.File, err error) {
	raw, err := inflate(data)
	if err != nil || len(raw) == 0 {
		return nil, err
	}
	return files, json.Unmarshal(raw, &files)
}

// errLost says that a job took longer than its lease, and is another's now.
var errLost = errors.New("another process took the repository over")

// Save replaces a repository with all that is found of it. A job whose lease was lost saves nothing.
func (s *Store) Save(r *hub.Repo) error {
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	key := r.Key()
	s.mu.Lock()
	was, holder := s.known[key], s.held[key]
	s.mu.Unlock()
	bare := *r
	bare.Files = nil
	record, err := json.Marshal(bare)
	if err != nil {
		return fmt.Errorf("writing a repository: %w", err)
	}
	saved := stored{repo: r}
	err = s.write(ctx, func(tx pgx.Tx) error {
		next, err := s.lock(ctx, tx, key, holder, &saved)
		if err != nil {
			return err
		}
		same := was.repo != nil && was.moved == saved.moved && reflect.DeepEqual(was.repo.Files, r.Files)
		if !same {
			if saved.moved, err = s.replace(ctx, tx, saved.id, next, r); err != nil {
				return err
			}
		}
		if err := s.step("record"); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `update hub.repo set record = $3, version = nextval('hub.moves')
			where org = $1 and id = $2 returning version`, s.org, saved.id, record).Scan(&saved.version)
	})
	if err != nil {
		return fmt.Errorf("saving %s: %w", key, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[key] = saved
	return nil
}

// Drop deletes all rows of a repository.
func (s *Store) Drop(ctx context.Context, r *hub.Repo) error {
	key := r.Key()
	err := s.write(ctx, func(tx pgx.Tx) error {
		var id int32
		err := tx.QueryRow(ctx, `select id from hub.repo where org = $1 and key = $2 for update`, s.org, key).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `with
			postings as (delete from `+s.table("post")+` where org = $1 and repo = $2),
			heads as (delete from `+s.table("head")+` where org = $1 and repo = $2),
			texts as (delete from hub.blob where org = $1 and repo = $2),
			jobs as (delete from hub.job where org = $1 and repo = $2)
			delete from hub.repo where org = $1 and id = $2`, s.org, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("removing %s: %w", r.Name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, key)
	return nil
}

// lock makes the row of a repository where there is none, and has it for this transaction alone. It returns
// the number of its next memory.
func (s *Store) lock(ctx context.Context, tx pgx.Tx, key string, holder int64, to *stored) (next int32, err error) {
	_, err = tx.Exec(ctx, `insert into hub.repo (org, key, record, files) values ($1, $2, '{}', '')
		on conflict do nothing`, s.org, key)
	if err != nil {
		return 0, err
	}
	err = tx.QueryRow(ctx, `select id, moved, next_doc from hub.repo where org = $1 and key = $2 for update`,
		s.org, key).Scan(&to.id, &to.moved, &next)
	if err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, `insert into hub.job (org, repo) values ($1, $2) on conflict do nothing`, s.org, to.id)
	if err != nil || holder == 0 {
		return next, err
	}
	var now int64
	err = tx.QueryRow(ctx, `select holder from hub.job where org = $1 and repo = $2 for update`,
		s.org, to.id).Scan(&now)
	if err == nil && now != holder {
		err = errLost
	}
	return next, err
}

// The lease of a job: it is made longer while its process lives, and ends soon after it.
const (
	lease = time.Minute
	renew = lease / 3
)

// maxCandidates is how many repositories a job is chosen from at once.
const maxCandidates = 64

// Claim leases the first of some repositories that nobody has.
func (s *Store) Claim(keys []string) (string, func(), error) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	s.mu.Lock()
	ids, names := []int32{}, map[int32]string{}
	for _, key := range keys {
		if st, ok := s.known[key]; ok && len(ids) < maxCandidates {
			ids = append(ids, st.id)
			names[st.id] = key
		}
	}
	s.mu.Unlock()
	var id int32
	var holder int64
	err := s.write(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `with free as (
				select org, repo from hub.job where org = $1 and repo = any($2) and leased < clock_timestamp()
				order by array_position($2, repo) limit 1 for update skip locked)
			update hub.job j set holder = nextval('hub.moves'), leased = clock_timestamp() + $3
			from free where j.org = $1 and j.repo = free.repo returning j.repo, j.holder`,
			s.org, ids, lease).Scan(&id, &holder)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("claiming a repository: %w", err)
	}
	key := names[id]
	s.mu.Lock()
	s.held[key] = holder
	s.mu.Unlock()
	return key, s.keep(key, id, holder), nil
}

// keep makes a lease longer until what it returns is called, which ends it.
func (s *Store) keep(key string, id int32, holder int64) func() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticks := time.NewTicker(renew)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
				_ = s.extend(ctx, id, holder, lease) // what is lost is found when it is saved
			}
		}
	}()
	return func() {
		cancel()
		<-ended
		s.mu.Lock()
		delete(s.held, key)
		s.mu.Unlock()
		_ = s.extend(context.Background(), id, holder, 0) // else it ends by itself
	}
}

func (s *Store) extend(ctx context.Context, id int32, holder int64, by time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, renew)
	defer cancel()
	return s.write(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `update hub.job set leased = clock_timestamp() + $4
			where org = $1 and repo = $2 and holder = $3`, s.org, id, holder, by)
		return err
	})
}
