package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
)

// purged is the file of what was purged.
type purged struct {
	Index int        `json:"index"` // the number of the index in use, which is made anew by each purge
	Tombs []hub.Tomb `json:"tombs"`
}

const (
	purgedFile = "purged.json"
	lockTime   = time.Minute
	lockPause  = 50 * time.Millisecond
)

// readPurged reads the file of what was purged; none is empty.
func (s *Store) readPurged() (p purged, err error) {
	data, err := atomicfile.Read(filepath.Join(s.dir, purgedFile), maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil {
		return p, fmt.Errorf("reading what was purged: %w", err)
	}
	return p, nil
}

// turn waits until no other purge holds a lock of the store, and takes it.
func (s *Store) turn(ctx context.Context, name string) (release func(), err error) {
	lock := flock.New(filepath.Join(s.dir, "locks", name))
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		return nil, fmt.Errorf("waiting for another purge: %w", err)
	}
	return func() { _ = lock.Unlock() }, nil
}

// editPurged changes the file of what was purged, while no other process does.
func (s *Store) editPurged(ctx context.Context, edit func(*purged)) error {
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	release, err := s.turn(ctx, purgedFile)
	if err != nil {
		return err
	}
	defer release()
	p, err := s.readPurged()
	if err != nil {
		return err
	}
	edit(&p)
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("writing what was purged: %w", err)
	}
	return hub.While(atomicfile.WritePath(filepath.Join(s.dir, purgedFile), data, atomicfile.Options{Mode: 0o600}),
		"writing what was purged")
}

// Tombs are all that were buried.
func (s *Store) Tombs(context.Context) ([]hub.Tomb, error) {
	p, err := s.readPurged()
	return p.Tombs, err
}

// Bury adds tombs.
func (s *Store) Bury(ctx context.Context, tombs []hub.Tomb) error {
	return s.editPurged(ctx, func(p *purged) {
		of := func(t hub.Tomb) [2]string { return [2]string{string(t.Kind), t.Value} }
		known := lists.SetOf(p.Tombs, of)
		p.Tombs = append(p.Tombs, lists.Where(tombs, func(t hub.Tomb) bool { return !known[of(t)] })...)
	})
}

// indexDir is the folder of an index by its number.
func (s *Store) indexDir(number int) string {
	if number == 0 {
		return filepath.Join(s.dir, "index")
	}
	return filepath.Join(s.dir, fmt.Sprintf("index-%d", number))
}

// Cleanse makes the index anew from the mirrors, of what the repositories hold now: a text that was purged is in
// the old one, which is removed. Searches go on in the old one meanwhile.
func (s *Store) Cleanse(ctx context.Context, read hub.Read) error {
	release, err := s.turn(ctx, "cleanse")
	if err != nil {
		return err
	}
	defer release()
	p, err := s.readPurged()
	if err != nil {
		return err
	}
	repos, err := s.Load()
	if err != nil {
		return err
	}
	next := p.Index + 1
	if err := os.RemoveAll(s.indexDir(next)); err != nil {
		return fmt.Errorf("making the index anew: %w", err)
	}
	fresh := &Store{dir: s.dir, index: index.Open(index.Options{Dir: s.indexDir(next)}), now: s.now}
	for _, r := range repos {
		if err := fresh.learnAgain(ctx, r, read); err != nil {
			return errors.Join(err, fresh.index.Close())
		}
	}
	if err := fresh.index.Close(); err != nil {
		return fmt.Errorf("making the index anew: %w", err)
	}
	if err := s.editPurged(ctx, func(p *purged) { p.Index = next }); err != nil {
		return err
	}
	return s.reopen()
}

// learnAgain takes all that a repository holds into the index.
func (s *Store) learnAgain(ctx context.Context, r *hub.Repo, read hub.Read) error {
	var blobs []string
	for _, f := range r.Files {
		if f.ID != "" {
			blobs = append(blobs, f.Blob)
		}
	}
	if len(blobs) == 0 {
		return nil
	}
	texts := map[string][]byte{}
	err := read(ctx, r.URL, blobs, func(blob string, data []byte) error {
		texts[blob] = data
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading %s again: %w", r.Name, err)
	}
	return s.Learn(ctx, r, texts)
}

// reopen opens the index that the file of what was purged names, and removes all others.
func (s *Store) reopen() error {
	p, err := s.readPurged()
	if err != nil {
		return err
	}
	s.opening.RLock()
	same := s.index != nil && s.number == p.Index
	s.opening.RUnlock()
	if same {
		return nil
	}
	s.learning.Lock()
	defer s.learning.Unlock()
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.index != nil && s.number == p.Index {
		return nil
	}
	if s.index != nil {
		_ = s.index.Close() // what it learned since is learned again
	}
	s.index, s.number = index.Open(index.Options{Dir: s.indexDir(p.Index), Watch: true}), p.Index
	s.views.Clear()
	others, _ := filepath.Glob(filepath.Join(s.dir, "index*"))
	for _, other := range others {
		if other != s.indexDir(p.Index) && isIndex(filepath.Base(other)) {
			_ = os.RemoveAll(other) // in use by another process: whoever opens the store next removes it
		}
	}
	return nil
}

// isIndex reports whether a name is that of the folder of an index.
func isIndex(name string) bool {
	rest := strings.TrimPrefix(name, "index")
	return rest == "" || strings.HasPrefix(rest, "-")
}

// Remains say where a purged text may be that is not reached from here.
func (s *Store) Remains() []string {
	return []string{"backups and snapshots of the disk with the folder of the hub have what it had then"}
}
