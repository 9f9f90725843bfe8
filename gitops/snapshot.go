package gitops

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Snapshot is one state of the journal, with what waits in the spool laid over
// it. It is safe for concurrent use. Whoever made it closes it; reading
// from a closed one still works, at the price of a git process each time one is
// needed, so that nobody has to know who reads last.
type Snapshot struct {
	mu      sync.Mutex
	reading *reading // guarded by mu
	closed  bool
}

// Snapshot reads the newest state. An absent ref is an empty snapshot; an
// unreadable one falls back to the newest readable entry of its log and says
// so in Healed. The ref itself is healed by the next Update.
func (j *Journal) Snapshot(ctx context.Context) (*Snapshot, error) {
	r, err := j.read(ctx)
	if err != nil {
		return nil, err
	}
	return &Snapshot{reading: r}, nil
}

// use gives the caller the reading for itself until done is called.
func (s *Snapshot) use() (r *reading, done func()) {
	s.mu.Lock()
	return s.reading, func() {
		if s.closed {
			s.reading.store.close()
		}
		s.mu.Unlock()
	}
}

// shown is the reading as it is now, for what needs no store.
func (s *Snapshot) shown() reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.reading
}

// Commit is the journal's commit; "" when nothing was ever captured.
func (s *Snapshot) Commit() ObjectID { return s.shown().commit }

// Healed is one line for the user when the tip was unreadable and an older
// state is shown: transcripts should be read again. "" otherwise.
func (s *Snapshot) Healed() string { return s.shown().healed }

// Spooled is the number of changes that wait in the spool.
func (s *Snapshot) Spooled() int { return s.shown().spooled }

// Current reports whether a new snapshot would show the same: neither the ref
// nor the spool was written since. It reads a file or two and starts no process.
func (s *Snapshot) Current() bool {
	r := s.shown()
	return r.fixed || r.mark == r.journal.mark()
}

// List is the files below prefix (whole path components, such as
// "pending/main"; "" for all), sorted by path.
func (s *Snapshot) List(ctx context.Context, prefix string) ([]Entry, error) {
	entries, _, err := s.list(ctx, prefix)
	return entries, err
}

// Skipped are the paths of the state that cortex would not have written: not a
// regular file or outside the grammar. They are kept, and never shown.
func (s *Snapshot) Skipped(ctx context.Context) ([]string, error) {
	_, skipped, err := s.list(ctx, "")
	return skipped, err
}

func (s *Snapshot) list(ctx context.Context, prefix string) (entries []Entry, skipped []string, err error) {
	r, done := s.use()
	defer done()
	err = r.twice(ctx, func() error {
		entries, skipped, err = r.list(ctx, prefix)
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("listing the journal: %w", err)
	}
	return entries, skipped, nil
}

// Folders is the names of the folders directly below prefix, sorted.
func (s *Snapshot) Folders(ctx context.Context, prefix string) (names []string, err error) {
	r, done := s.use()
	defer done()
	err = r.twice(ctx, func() error {
		names, err = r.folders(ctx, strings.Trim(prefix, "/"))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the journal: %w", err)
	}
	return names, nil
}

// FolderID is the id of a folder in a commit of the project, or in the state if commit is "". It is
// "" where there is no such folder.
func (s *Snapshot) FolderID(ctx context.Context, commit ObjectID, path string) (ObjectID, error) {
	r, done := s.use()
	defer done()
	root := r.root
	if commit != "" {
		c, err := r.store.commit(ctx, commit)
		if err != nil {
			return "", err
		}
		root = c.Tree
	}
	e, err := gitobject.Trees(r.store.tree).Find(ctx, root, path)
	return e.Folder(), err
}

// Shared returns the paths at which two folders both have a file, whatever is in it.
func (s *Snapshot) Shared(ctx context.Context, a, b ObjectID) ([]string, error) {
	r, done := s.use()
	defer done()
	return gitobject.Trees(r.store.tree).Shared(ctx, a, b)
}

// readPart is how many files [Snapshot.Read] reads before it hands them over.
const readPart = 256

// Read hands the content of each entry to yield, in order. A file that is
// unreadable or larger than [MaxFile] has nil data ([Journal.Repair] goes back
// to before the damage). yield may keep the slice, and may use the snapshot.
func (s *Snapshot) Read(ctx context.Context, entries []Entry, yield func(Entry, []byte) error) error {
	for part := range slices.Chunk(entries, readPart) {
		found, err := s.readPart(ctx, part)
		if err != nil {
			return err
		}
		for _, e := range part {
			if err := yield(e, found[e.Blob]); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

func (s *Snapshot) readPart(ctx context.Context, entries []Entry) (map[ObjectID][]byte, error) {
	r, done := s.use()
	defer done()
	ids := make([]ObjectID, len(entries))
	for i, e := range entries {
		ids[i] = e.Blob
	}
	found, err := r.store.readChunk(ctx, ids, MaxFile)
	if err != nil || len(found) == len(ids) {
		return found, err
	}
	return found, r.fromSafe(ctx, ids, found)
}

// fromSafe reads those of ids that were not found from the safe, once, and writes them
// back: an object is the same whoever writes it.
func (r *reading) fromSafe(ctx context.Context, ids []ObjectID, found map[ObjectID][]byte) error {
	if r.fixed || r.store.spare != nil {
		return nil
	}
	r.store.spare, _ = r.journal.safe.read(r.store.objects.format)
	back := r.store.readSpare(ids, MaxFile, found)
	_ = r.store.objects.writeLoose(ctx, back) // else the next reader tries it
	return ctx.Err()
}

// File reads one file; ok is false when there is none.
func (s *Snapshot) File(ctx context.Context, path string) (data []byte, ok bool, err error) {
	entries, err := s.List(ctx, path)
	if err != nil || len(entries) != 1 || entries[0].Path != path {
		return nil, false, err
	}
	err = s.Read(ctx, entries, func(_ Entry, content []byte) error {
		data = content
		if data == nil {
			return fmt.Errorf("reading %s from the journal: %w", path, errDamaged)
		}
		return nil
	})
	return data, err == nil, err
}

// Close ends the snapshot's git process, if it needed one.
func (s *Snapshot) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.reading.store.close()
	return nil
}

// formatFile is where a journal names the version of FORMAT.md that it is of.
const formatFile = "format"

// Format is the version of FORMAT.md that the state names; 1 when it names none.
func (s *Snapshot) Format(ctx context.Context) (int, error) {
	r, done := s.use()
	e, err := r.find(ctx, formatFile)
	done()
	if err != nil || !e.IsFile() {
		return 1, err
	}
	n := 0
	err = s.Read(ctx, []Entry{{Path: formatFile, Blob: e.ID}}, func(_ Entry, data []byte) error {
		var err error
		if n, err = strconv.Atoi(strings.TrimSpace(string(data))); err != nil || n < 1 {
			return fmt.Errorf("%q is not a version", data[:min(len(data), 40)])
		}
		return nil
	})
	if err != nil {
		return 1, fmt.Errorf("reading the format of the journal: %w", err)
	}
	return n, nil
}
