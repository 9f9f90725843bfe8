package gitops

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// Snapshot is one state of the journal, with what waits in the spool laid over
// it. It is for one goroutine, and must be closed.
type Snapshot struct {
	// Commit is the journal's commit; "" when nothing was ever captured.
	Commit ObjectID
	// Healed is one line for the user when the tip was unreadable and an older
	// state is shown: transcripts should be read again. "" otherwise.
	Healed string
	// Spooled is the number of changes that wait in the spool.
	Spooled int
	// Skipped are paths, met by List, that cortex would not have written: not a
	// regular file or outside the grammar. They are kept, and never shown.
	Skipped []string

	journal   *Journal
	store     *store
	tip       tip        // what the ref says
	lost      []ObjectID // states of the log that were tried in healing, and are unreadable
	depth     int        // how many states before each were tried with it
	base      ObjectID   // the tree of Commit
	root      ObjectID   // the tree with the spool laid over it
	when      time.Time
	fixed     bool     // one state, which is not the journal's newest: it cannot heal
	spoolSize int64    // bytes of the spool that are laid over
	chain     ObjectID // the last commit that drained the spool, staged; else Commit
}

// Snapshot reads the newest state. An absent ref is an empty snapshot; an
// unreadable one falls back to the newest readable entry of its log and says
// so in Healed. The ref itself is healed by the next Update.
func (j *Journal) Snapshot(ctx context.Context) (*Snapshot, error) {
	s := j.blank()
	if err := s.load(ctx); err != nil {
		s.Close()
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	return s, nil
}

func (j *Journal) blank() *Snapshot {
	return &Snapshot{journal: j, store: newStore(j.objects)}
}

func (s *Snapshot) load(ctx context.Context) error {
	t, err := s.journal.ref.tip(ctx, s.store)
	if err != nil {
		return err
	}
	s.tip = t
	switch {
	case t.broken:
		err = s.heal(ctx)
	case t.id != "":
		if err = s.adopt(ctx, t.id); errors.Is(err, errDamaged) {
			err = s.heal(ctx)
		}
	}
	if err == nil {
		err = s.overlay(ctx)
	}
	return s.reheal(ctx, err)
}

// adopt makes the commit id the state that is shown.
func (s *Snapshot) adopt(ctx context.Context, id ObjectID) error {
	c, err := s.store.commit(ctx, id)
	if err != nil {
		return err
	}
	if _, err := s.store.tree(ctx, c.tree); err != nil {
		return err
	}
	s.Commit, s.base, s.root, s.when = id, c.tree, c.tree, c.when
	return nil
}

// heal goes back to the newest readable state.
func (s *Snapshot) heal(ctx context.Context) error {
	changes, _, err := s.journal.spool.read()
	if err != nil {
		return err
	}
	disk := newStore(s.journal.objects) // without what is only staged
	defer disk.close()
	id, c, lost, err := disk.newestReadable(ctx, s.journal.ref.states(ctx), len(changes))
	if err != nil {
		return err
	}
	s.lost, s.depth = lost, len(changes)
	if !s.tip.broken && !slices.Contains(lost, s.tip.id) {
		// The log does not know this state either: an entry that leads from it
		// to the next would be the first to name it.
		s.tip = tip{broken: true, raw: string(s.tip.id)}
	}
	bad := string(s.tip.id)
	if s.tip.broken {
		bad = fmt.Sprintf("%q", s.tip.raw)
	}
	s.Commit, s.base, s.root, s.when = id, c.tree, c.tree, c.when
	s.Healed = fmt.Sprintf("the journal's newest state (%s) was unreadable: went back to %s", bad, id)
	return nil
}

// reheal recovers from damage that was met below the tip's root, once.
func (s *Snapshot) reheal(ctx context.Context, err error) error {
	if err == nil || !errors.Is(err, errDamaged) || s.Healed != "" || s.fixed {
		return err
	}
	if herr := s.heal(ctx); herr != nil {
		return herr
	}
	return s.overlay(ctx)
}

// overlay lays what waits in the spool over the state, as staged trees and
// commits: Update writes them out, and reading sees them already.
func (s *Snapshot) overlay(ctx context.Context) error {
	changes, size, err := s.journal.spool.read()
	if err != nil {
		return err
	}
	s.spoolSize, s.Spooled, s.chain, s.root = size, len(changes), s.Commit, s.base
	if len(changes) == 0 {
		return nil
	}
	// Usually the spool is a second copy that a gc made necessary.
	all := fold(changes)
	root, err := s.store.stageChange(ctx, s.root, all)
	if err != nil || root == s.root {
		return err
	}
	for _, c := range changes {
		if _, err := s.stageCommit(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// fold makes one change of several: the last word on a path counts.
func fold(changes []Change) Change {
	all := Change{Put: make(map[string][]byte)}
	removed := make(map[string]bool)
	for _, c := range changes {
		for _, path := range c.Remove {
			delete(all.Put, path)
			removed[path] = true
		}
		for path, data := range c.Put {
			all.Put[path] = data
			delete(removed, path)
		}
	}
	all.Remove = slices.Sorted(maps.Keys(removed))
	return all
}

// stageCommit stages c on top of root and chain, and moves both. It reports
// whether c changed anything.
func (s *Snapshot) stageCommit(ctx context.Context, c Change) (bool, error) {
	root, err := s.store.stageChange(ctx, s.root, c)
	if err != nil || root == s.root && c.Merge == "" {
		return false, err
	}
	empty := s.store.objects.id("tree", nil)
	if s.root == "" && root == empty && c.Merge == "" {
		return false, nil
	}
	if c.When.After(s.when) {
		s.when = c.When
	}
	if s.when.Unix() < 0 { // git has no time before 1970
		s.when = time.Unix(0, 0)
	}
	s.root = root
	s.chain = s.store.stage("commit", formatCommit(commit{
		tree: root, parent: s.chain, merged: c.Merge, when: s.when, ident: s.journal.ident, message: c.text(),
	}))
	return true, nil
}

// List is the files below prefix (whole path components, such as
// "pending/main"; "" for all), sorted by path.
func (s *Snapshot) List(ctx context.Context, prefix string) ([]Entry, error) {
	entries, err := s.list(ctx, prefix)
	if err != nil {
		if err = s.reheal(ctx, err); err == nil {
			entries, err = s.list(ctx, prefix)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("listing the journal: %w", err)
	}
	return entries, nil
}

func (s *Snapshot) list(ctx context.Context, prefix string) ([]Entry, error) {
	s.Skipped = nil
	prefix = strings.Trim(prefix, "/")
	e, err := s.find(ctx, prefix)
	if err != nil || e.name == "" {
		return nil, err
	}
	if !e.isDir() {
		if e.isFile() && validPath(prefix) {
			return []Entry{{prefix, e.id}}, nil
		}
		return nil, nil
	}
	if prefix != "" {
		prefix += "/"
	}
	var entries []Entry
	s.store.visits = maxVisits
	err = s.store.walk(ctx, e.id, prefix, func(path string, e treeEntry) error {
		if e.isFile() && validPath(path) {
			entries = append(entries, Entry{path, e.id})
		} else {
			s.Skipped = append(s.Skipped, path)
		}
		return nil
	})
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, err
}

// find is the tree entry at path; the root is called "/", and what is not
// there has no name.
func (s *Snapshot) find(ctx context.Context, path string) (treeEntry, error) {
	at := treeEntry{filemode.Dir, "/", s.root}
	if path == "" {
		return at, nil
	}
	for part := range strings.SplitSeq(path, "/") {
		if !at.isDir() {
			return treeEntry{}, nil
		}
		entries, err := s.store.tree(ctx, at.id)
		if err != nil {
			return at, err
		}
		i := slices.IndexFunc(entries, func(e treeEntry) bool { return e.name == part })
		if i < 0 {
			return treeEntry{}, nil
		}
		at = entries[i]
	}
	return at, nil
}

// Folders is the names of the folders directly below prefix, sorted.
func (s *Snapshot) Folders(ctx context.Context, prefix string) ([]string, error) {
	names, err := s.folders(ctx, strings.Trim(prefix, "/"))
	if err != nil {
		if err = s.reheal(ctx, err); err == nil {
			names, err = s.folders(ctx, strings.Trim(prefix, "/"))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("listing the journal: %w", err)
	}
	return names, nil
}

func (s *Snapshot) folders(ctx context.Context, prefix string) ([]string, error) {
	e, err := s.find(ctx, prefix)
	if err != nil || !e.isDir() {
		return nil, err
	}
	entries, err := s.store.tree(ctx, e.id)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.isDir() && validComponent(e.name) {
			names = append(names, e.name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Read hands the content of each entry to yield, in order. A file that is
// unreadable or larger than [MaxFile] has nil data ([Journal.Repair] goes back
// to before the damage). yield may keep the slice.
func (s *Snapshot) Read(ctx context.Context, entries []Entry, yield func(Entry, []byte) error) error {
	ids := make([]ObjectID, len(entries))
	for i, e := range entries {
		ids[i] = e.Blob
	}
	return s.store.readBlobs(ctx, ids, MaxFile, func(i int, data []byte) error {
		return yield(entries[i], data)
	})
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
	s.store.close()
	return nil
}
