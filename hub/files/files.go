// Package files keeps a hub in one folder of one machine: a file for each repository, and one index of all
// memories. Call [Open]. A file is replaced whole, so what a process was killed at is as if it had not
// begun; the index is a cache, which is made again from the mirrors.
package files

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// maxRecord bounds the file of a repository: 20,000 memories with long paths.
const maxRecord = 64 << 20

// Store keeps a hub in a folder. It is safe for concurrent use.
type Store struct {
	dir  string
	read hub.Read // what the index lost is read again
	now  func() time.Time

	opening sync.RWMutex // held for reading while the index is used
	index   *index.Index
	number  int

	mu    sync.Mutex
	known map[string]record

	learning sync.Mutex                               // the index has one writer
	views    hub.Views[[sha256.Size]byte, index.View] // by [hub.NameOf]
}

// Read hands blobs of a repository to yield, as [hub.Mirror] does.
type Read = hub.Read

// record is a repository as its file was when it was read.
type record struct {
	repo    *hub.Repo
	size    int64
	written time.Time
}

// Open opens the store in a folder, which is made where there is none.
func Open(dir string, read Read, now func() time.Time) (*Store, error) {
	for _, folder := range []string{"repositories", "locks", "audit"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			return nil, fmt.Errorf("making the folder of the hub: %w", err)
		}
	}
	s := &Store{dir: dir, read: read, now: now, known: map[string]record{}}
	return s, s.reopen()
}

// Close writes what the index has learned.
func (s *Store) Close() error {
	s.opening.Lock()
	defer s.opening.Unlock()
	return s.index.Close()
}

func (s *Store) path(key string) string { return filepath.Join(s.dir, "repositories", key+".json") }

// Load returns all repositories. A file that is as it was is not read again.
func (s *Store) Load() (map[string]*hub.Repo, error) {
	if err := s.reopen(); err != nil { // another process has purged something
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(s.dir, "repositories"))
	if err != nil {
		return nil, fmt.Errorf("listing repositories: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]*hub.Repo{}
	for _, e := range entries {
		key, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok {
			continue
		}
		r, err := s.load(key)
		if err != nil {
			return nil, err
		}
		out[key] = r
	}
	return out, nil
}

// load reads one repository.
func (s *Store) load(key string) (*hub.Repo, error) {
	info, err := os.Lstat(s.path(key))
	if err != nil {
		return nil, fmt.Errorf("looking at a repository: %w", err)
	}
	if was := s.known[key]; was.size == info.Size() && was.written.Equal(info.ModTime()) {
		return was.repo, nil
	}
	data, err := atomicfile.Read(s.path(key), maxRecord)
	if err != nil {
		return nil, fmt.Errorf("reading a repository: %w", err)
	}
	r := &hub.Repo{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("reading %s, which can be removed and added again: %w", s.path(key), err)
	}
	s.known[key] = record{r, info.Size(), info.ModTime()}
	return r, nil
}

// Save replaces the file of a repository.
func (s *Store) Save(r *hub.Repo) error {
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("writing a repository: %w", err)
	}
	return hub.While(atomicfile.WritePath(s.path(r.Key()), data, atomicfile.Options{}), "writing a repository")
}

// Drop removes the file of a repository. Its texts go when the index is made anew.
func (s *Store) Drop(_ context.Context, r *hub.Repo) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, r.Key())
	if err := os.Remove(s.path(r.Key())); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing a repository: %w", err)
	}
	return nil
}

// Claim locks a repository for one job. A process that ends leaves no lock behind.
func (s *Store) Claim(keys []string) (string, func(), error) {
	for _, key := range keys {
		lock := flock.New(filepath.Join(s.dir, "locks", key))
		ok, err := lock.TryLock()
		if err != nil {
			return "", nil, fmt.Errorf("claiming a repository: %w", err)
		}
		if ok {
			return key, func() { _ = lock.Unlock() }, nil
		}
	}
	return "", nil, nil
}

// Learn takes texts into the index.
func (s *Store) Learn(ctx context.Context, _ *hub.Repo, texts map[string][]byte) error {
	if len(texts) == 0 {
		return nil
	}
	var items []index.Item
	for blob := range texts {
		items = append(items, index.Item{Blob: blob, Stage: index.Landed})
	}
	s.learning.Lock()
	defer s.learning.Unlock()
	_, err := s.index.Fill(ctx, items, func(_ context.Context, blobs []string, yield func(string, []byte) error) error {
		for _, blob := range blobs {
			if err := yield(blob, texts[blob]); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		_, err = s.index.Update(ctx, s.index.View(items))
	}
	if err == nil {
		err = s.index.Flush()
	}
	return hub.While(err, "indexing memories")
}
