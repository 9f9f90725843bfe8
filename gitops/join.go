package gitops

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/lists"
)

// maxVetted bounds the entries of a state that came from elsewhere.
const maxVetted = 1 << 18

// At reads one state of a journal, ours or another's, by its commit. It never
// falls back to an older one.
func (j *Journal) At(ctx context.Context, id ObjectID) (*Snapshot, error) {
	r, err := j.at(ctx, id)
	if err != nil {
		return nil, err
	}
	return &Snapshot{reading: r}, nil
}

func (j *Journal) at(ctx context.Context, id ObjectID) (*reading, error) {
	r := j.blank()
	r.fixed, r.tip = true, tip{id: id}
	if err := r.adopt(ctx, id); err != nil {
		r.store.close()
		return nil, fmt.Errorf("reading the journal's state %s: %w", id, err)
	}
	r.chain = id
	return r, nil
}

// Vet lists a state that came from elsewhere: the regular files at journal
// paths, sorted, and why each of the others is passed over. Trees that cannot
// be read, or have more entries than any journal, are an error.
func (s *Snapshot) Vet(ctx context.Context) ([]Entry, []Refusal, error) {
	r, done := s.use()
	defer done()
	var entries []Entry
	var refused []Refusal
	seen := make(map[string]bool)
	left := maxVetted
	err := r.store.walk(ctx, r.root, "", func(path string, e gitobject.Entry) error {
		if left--; left < 0 {
			return fmt.Errorf("more than %d entries", maxVetted)
		}
		reason := ""
		switch {
		case e.Mode == gitobject.Symlink:
			reason = "a symbolic link"
		case e.Mode == gitobject.Submodule:
			reason = "a submodule"
		case e.IsDir():
			reason = "not a folder of the journal"
		case e.Mode != gitobject.Regular:
			reason = "its mode is " + strconv.FormatUint(uint64(e.Mode), 8) + ", not 100644"
		case !validPath(path):
			reason = "not a path of the journal"
		case seen[path]:
			reason = "it is there twice"
		}
		if reason != "" {
			refused = append(refused, Refusal{Path: path, Reason: reason})
			return nil
		}
		seen[path] = true
		entries = append(entries, Entry{Path: path, Blob: e.ID})
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("checking the journal's state %s: %w", r.commit, err)
	}
	lists.Sort(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, refused, nil
}

// Met is the newest state of another journal that ours has taken in: theirs
// itself, or one that theirs descends from; "" when they never met. It goes
// back along our own line only, so damage in older history does not matter;
// where it meets any, it fails.
func (j *Journal) Met(ctx context.Context, ours, theirs ObjectID) (ObjectID, error) {
	if ours == "" || theirs == "" {
		return "", nil
	}
	out, err := j.git.Run(ctx, gitcmd.Command{Args: []string{"rev-list", string(theirs), "--"}})
	if err != nil {
		return "", fmt.Errorf("reading the history of the remote's journal: %w", err)
	}
	line := lists.Set(gitobject.IDs(out))
	s := newStore(j.objects)
	defer s.close()
	for id := ours; id != ""; {
		if line[id] {
			return id, nil
		}
		c, err := s.commit(ctx, id)
		if err != nil {
			return "", fmt.Errorf("reading the history of the journal: %w", err)
		}
		if line[c.Merged] {
			return c.Merged, nil
		}
		id = c.Parent
		clear(s.known)
		clear(s.trees)
	}
	return "", ctx.Err()
}

// Composed is a commit that no ref names yet.
type Composed struct {
	Commit ObjectID
	store  *store
}

// Confirm writes again what a gc took of the commit since it was written. A repack
// takes nothing of it before [Composed.Close].
func (c *Composed) Confirm(ctx context.Context) error {
	if err := c.store.confirm(ctx); err != nil {
		return fmt.Errorf("writing a journal commit: %w", err)
	}
	return nil
}

// Close is called once a ref names the commit, or nobody wants it.
func (c *Composed) Close() { c.store.objects.release(c.store.written) }

// Compose writes the commit that c makes of the state on ("" for nothing), and
// points no ref at it. What c takes must be in the repository.
func (j *Journal) Compose(ctx context.Context, on ObjectID, c Change) (*Composed, error) {
	r := j.blank()
	if on != "" {
		var err error
		if r, err = j.at(ctx, on); err != nil {
			return nil, err
		}
	}
	defer r.store.close()
	if err := c.check(); err != nil {
		return nil, err
	}
	r.when = c.When // whatever time the parent claims
	made, err := r.stageCommit(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("writing a journal commit: %w", err)
	}
	if !made {
		return nil, errors.New("writing a journal commit: it would change nothing")
	}
	out := &Composed{r.chain, r.store}
	if err := r.store.flush(ctx); err != nil {
		out.Close()
		return nil, fmt.Errorf("writing a journal commit: %w", err)
	}
	return out, nil
}
