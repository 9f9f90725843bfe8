package review

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Verb is the kind of a decision, as a word in the past tense.
type Verb string

// The decisions of a review.
const (
	Accepted Verb = "accepted"
	Rejected Verb = "rejected"
	Edited   Verb = "edited"
	Shelved  Verb = "noted"
	Moved    Verb = "moved"
)

// Decision is one thing that a person decided in a review. It is on disk when
// it is returned.
type Decision struct {
	Verb   Verb
	Entry  workspace.Entry // as it was before; of [Moved] empty
	Path   string          // where it is now: the file of an accepted one, the copy of a rejected one
	Pages  []string        // generated pages that were staged with it
	Count  int             // how many were moved
	From   string          // the branch they were moved from
	Branch string          // and to

	undo func(context.Context) error
}

// Undo takes a decision back, if nothing has happened to what it changed since.
func Undo(ctx context.Context, w *workspace.Workspace, d Decision) error {
	if d.undo == nil {
		return errors.New("there is nothing to take back")
	}
	return d.undo(ctx)
}

// Errors that mean that a decision was not made.
var (
	// ErrMovedOn is a memory that is no longer as it was shown.
	ErrMovedOn = errors.New("it changed since it was shown; look at it again")
	// ErrSecret is a memory that holds what looks like a secret.
	ErrSecret = errors.New("it holds what looks like a secret")
	// ErrUntrusted is a memory in quarantine, and an agent that asks to accept it.
	ErrUntrusted = errors.New("it came with a branch that is not trusted here: only a person can accept that")
)

// BlockedError says why nothing can land now.
type BlockedError struct{ Reason string }

func (e *BlockedError) Error() string { return "nothing can land now: " + e.Reason }

// Accept lands a pending memory as `cortex land ID` does: as a file of the
// working tree, staged. One that waits for a branch that is gone becomes pending
// here first. With replace, the memory supersedes what it contradicts. A contested
// memory that has landed is accepted as it is: it is no longer contested. One in
// quarantine stays as it is too: agents of this clone are told of it.
func Accept(ctx context.Context, w *workspace.Workspace, r Item, replace bool) (Decision, error) {
	if r.Untrusted {
		return trust(ctx, w, r)
	}
	if r.Stage == index.Landed {
		return settle(ctx, w, r)
	}
	if err := mayLand(ctx, w); err != nil {
		return Decision{}, err
	}
	if len(w.Secrets.Of(ctx, r.Memory)) > 0 {
		return Decision{}, fmt.Errorf("%s: %w: edit it, or reject it", r.Memory.ID.Short(), ErrSecret)
	}
	if err := forPerson(ctx, w, r); err != nil {
		return Decision{}, err
	}
	before := r
	var undos []func(context.Context) error
	if here := w.Secrets.Branch(ctx, w.Repo.Topic); r.Branch != here && r.Far != view.FarBelongs {
		moved, err := fetchHere(ctx, w, &r, here)
		if err != nil {
			return Decision{}, err
		}
		undos = append(undos, moved.undo)
	}
	if replace && r.Replaceable() {
		edited, err := rewrite(ctx, w, &r, r.superseding())
		if err != nil {
			return Decision{}, err
		}
		undos = append(undos, edited.undo)
	}
	d, err := landOne(ctx, w, r)
	if err != nil {
		return Decision{}, errors.Join(err, undoAll(ctx, undos))
	}
	undos = append(undos, d.undo)
	d.Entry, d.undo = before.Entry, func(ctx context.Context) error { return undoAll(ctx, undos) }
	return d, nil
}

// mayLand returns an error where nothing can be written or land now.
func mayLand(ctx context.Context, w *workspace.Workspace) error {
	if err := w.Journal.Writable(ctx); err != nil {
		return err
	}
	if err := view.MayAccept(ctx, w.Repo); err != nil {
		return err
	}
	blocked, err := w.Repo.LandBlocked(ctx)
	if err == nil && blocked != "" {
		err = &BlockedError{blocked}
	}
	return err
}

// superseding is the memory with links by which it supersedes what it contradicts.
func (r *Item) superseding() *memory.Memory {
	m := *r.Memory
	m.Links = slices.Clone(m.Links)
	for i := range m.Links {
		if m.Links[i].Rel == memory.Contradicts {
			m.Links[i].Rel = memory.Supersedes
		}
	}
	m.Links = append(m.Links, lists.Map(r.opposed, func(id memory.ID) memory.Link {
		return memory.Link{Rel: memory.Supersedes, To: id}
	})...)
	return &m
}

// trust takes a memory out of quarantine.
func trust(ctx context.Context, w *workspace.Workspace, r Item) (Decision, error) {
	if w.ByAgent() {
		return Decision{}, ErrUntrusted
	}
	d := Decision{Verb: Accepted, Entry: r.Entry, Path: r.Path}
	d.undo = func(ctx context.Context) error { return w.Accept(ctx, false, r.Entry) }
	return d, w.Accept(ctx, true, r.Entry)
}

// forPerson is an error where an agent started this process and only a person may
// accept r: it came from a remote, or its word would replace what a person wrote.
func forPerson(ctx context.Context, w *workspace.Workspace, r Item) error {
	if err := w.ForPerson(ctx, &r.Entry); err != nil {
		return err
	}
	if r.Presumes && w.ByAgent() {
		return &workspace.PresumingError{ID: r.Memory.ID}
	}
	return nil
}

// undoAll undoes the newest first and stops at the first that cannot be undone.
func undoAll(ctx context.Context, undos []func(context.Context) error) error {
	for _, undo := range slices.Backward(undos) {
		if err := undo(ctx); err != nil {
			return err
		}
	}
	return nil
}

// fetchHere makes a memory pending here that waits for a branch that is gone.
func fetchHere(ctx context.Context, w *workspace.Workspace, r *Item, here string) (Decision, error) {
	known, err := w.Views.KnownBranches(ctx)
	if err != nil {
		return Decision{}, err
	}
	if known[r.Branch] {
		return Decision{}, &workspace.ElsewhereError{ID: r.Memory.ID, Branch: cmp.Or(r.Branch, workspace.DetachedName)}
	}
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return Decision{}, err
	}
	e, err := pendingIn(ctx, snap, *r)
	if err != nil {
		return Decision{}, err
	}
	d, err := rehome(ctx, w, workspace.GoneBranch{
		Branch:  cmp.Or(r.Branch, workspace.DetachedName),
		Entries: []gitops.Entry{e},
	}, w.Repo.Topic)
	r.Path = gitops.PendingPrefix(here) + strings.TrimPrefix(r.Path, gitops.PendingPrefix(r.Branch))
	r.Branch = here
	return d, err
}

// landOne lands exactly one memory.
func landOne(ctx context.Context, w *workspace.Workspace, r Item) (Decision, error) {
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return Decision{}, err
	}
	if _, err := pendingIn(ctx, snap, r); err != nil {
		return Decision{}, err
	}
	out, err := w.LandEntries(ctx, []workspace.Entry{r.Entry})
	if err != nil {
		return Decision{}, err
	}
	if len(out.Landed) != 1 {
		return Decision{}, fmt.Errorf("%s: %s", out.Refused[0].Path, out.Refused[0].Reason)
	}
	d := Decision{Verb: Accepted, Path: out.Landed[0].Path, Pages: out.Pages}
	file := gitops.Entry{Path: d.Path, Blob: w.Repo.Hash(workspace.LandedForm(r.Memory))}
	d.undo = func(ctx context.Context) error { return w.Unland(ctx, out, file) }
	return d, nil
}

// Reject refuses a pending memory: it is not captured again, and a copy is kept
// from which [Restore] brings it back. A landed one is removed as
// [workspace.Workspace.Forget] does.
func Reject(ctx context.Context, w *workspace.Workspace, r Item) (Decision, error) {
	path := journal.DismissedPath(r.Memory.ID)
	if r.Stage == index.Landed {
		d := Decision{Verb: Rejected, Entry: r.Entry, Path: path}
		return d, rejectLanded(ctx, w, r, &d)
	}
	var kept []byte // an older copy, of an earlier refusal
	return putAside(ctx, w, r, aside{
		verb: Rejected, message: "reject: ",
		into: func(snap *gitops.Snapshot, c *gitops.Change) (string, error) {
			kept, _, _ = snap.File(ctx, path)
			c.Put[path] = memory.Format(r.Memory)
			return path, nil
		},
		back: func(_ *gitops.Snapshot, c *gitops.Change) (string, error) {
			if c.Put[path] = kept; kept == nil {
				delete(c.Put, path)
				c.Remove = []string{path}
			}
			return path, nil
		},
	})
}

// errNoRecord is why a memory cannot become a note.
var errNoRecord = errors.New("it comes from no session that is known here: there is nothing it could be a note of")

// Noteworthy reports whether [Shelve] is offered for a memory.
func (r *Item) Noteworthy() bool { return r.Stage == index.Pending && r.Memory.Source.Session != "" }

// Shelve makes a pending memory a note of its session: it is found by a search, and not asked about or captured again.
func Shelve(ctx context.Context, w *workspace.Workspace, r Item) (Decision, error) {
	decide := func(v session.Verdict) func(*gitops.Snapshot, *gitops.Change) (string, error) {
		return func(snap *gitops.Snapshot, c *gitops.Change) (string, error) {
			path, err := journal.DecideNote(ctx, snap, c, r.Memory, v)
			if path == "" {
				err = cmp.Or(err, errNoRecord)
			}
			return path, err
		}
	}
	return putAside(ctx, w, r, aside{
		verb: Shelved, message: "note: ",
		into: decide(session.Verdict{ID: r.Memory.ID, Is: session.Folded}), back: decide(became(r.Memory.ID)),
	})
}

// aside says how a pending memory is put away and how it comes back: what a change has besides its files.
type aside struct {
	verb       Verb
	message    string
	into, back func(*gitops.Snapshot, *gitops.Change) (path string, err error)
}

// putAside takes a pending memory off every branch.
func putAside(ctx context.Context, w *workspace.Workspace, r Item, a aside) (Decision, error) {
	d := Decision{Verb: a.verb, Entry: r.Entry}
	var removed map[string][]byte // by path, as it was on each branch
	err := w.Journal.Update(ctx, func(snap *gitops.Snapshot) (_ gitops.Change, err error) {
		if _, err := pendingIn(ctx, snap, r); err != nil {
			return gitops.Change{}, err
		}
		if removed, err = pendingFiles(ctx, snap, r.Memory.ID); err != nil {
			return gitops.Change{}, err
		}
		c := gitops.Change{
			Message: a.message + r.Memory.Title, Trailers: w.Trailers("", r.Branch), When: w.Now(),
			Put: map[string][]byte{}, Remove: slices.Sorted(maps.Keys(removed)),
		}
		d.Path, err = a.into(snap, &c)
		return c, err
	})
	d.undo = func(ctx context.Context) error {
		return w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
			c := gitops.Change{
				Message: a.message + "taken back: " + r.Memory.Title, Trailers: w.Trailers("", r.Branch), When: w.Now(),
				Put: maps.Clone(removed),
			}
			_, err := a.back(snap, &c)
			return c, err
		})
	}
	return d, err
}

func rejectLanded(ctx context.Context, w *workspace.Workspace, r Item, d *Decision) error {
	t, err := w.Tree()
	if err != nil {
		return err
	}
	data, err := readShown(w, r.Path, r.Blob)
	if err != nil {
		return err
	}
	if _, err := w.Forget(ctx, string(r.Memory.ID)); err != nil {
		return err
	}
	d.undo = func(ctx context.Context) error {
		if _, there, err := t.Read(r.Path); err != nil || there {
			return errors.Join(err, fmt.Errorf("%s is there again", r.Path))
		}
		if err := undismiss(ctx, w, r.Memory); err != nil {
			return err
		}
		return writeMemory(ctx, w, r.Path, data)
	}
	return nil
}

// undismiss lets a memory be captured again.
func undismiss(ctx context.Context, w *workspace.Workspace, m *memory.Memory) error {
	return w.Journal.Update(ctx, func(*gitops.Snapshot) (gitops.Change, error) {
		return gitops.Change{
			Message: "restore: " + m.Title, Trailers: w.Trailers("", w.Secrets.Branch(ctx, w.Repo.Topic)),
			When:   w.Now(),
			Remove: []string{journal.DismissedPath(m.ID)},
		}, nil
	})
}

// writeMemory writes a file of the working tree, unstaged, and brings the pages
// in step.
func writeMemory(ctx context.Context, w *workspace.Workspace, path string, data []byte) error {
	t, err := w.Tree()
	if err != nil {
		return err
	}
	if _, err := t.Write(path, data); err != nil {
		return err
	}
	return w.RefreshPages(ctx)
}

// settle accepts the text of a landed memory as it is: the memory is no longer
// contested.
func settle(ctx context.Context, w *workspace.Workspace, r Item) (Decision, error) {
	if !r.Memory.Contested {
		return Decision{}, errors.New("it has landed: reject one of the two, or edit them into one")
	}
	m := *r.Memory
	m.Settle()
	d, err := rewrite(ctx, w, &r, &m)
	d.Verb = Accepted
	return d, err
}

// CheckEdited reads what came back from an editor: the same memory, in other
// words, without a secret in it. Blank lines around make no difference.
func CheckEdited(ctx context.Context, w *workspace.Workspace, r Item, data []byte) (*memory.Memory, error) {
	m, err := memory.Parse("the edited memory", data)
	if err != nil {
		return nil, err
	}
	if m.ID != r.Memory.ID {
		return nil, fmt.Errorf("an id never changes: it is %s", r.Memory.ID)
	}
	m.Tidy()
	if r.Memory.Contested && m.Text != r.Memory.Text && !memory.HoldsBoth(m.Text) {
		m.Contested = false // edited into one
	}
	if found := w.Secrets.Of(ctx, m); len(found) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrSecret, kindsOf(found))
	}
	if _, err := memory.Parse("the edited memory", memory.Format(m)); err != nil {
		return nil, err
	}
	return m, nil
}

func kindsOf(found []redact.Secret) string {
	kinds := lists.Unique(lists.Map(found, func(s redact.Secret) string { return s.Kind }))
	return strings.Join(kinds, ", ")
}

// Edit stores the words that a person gave to a memory, where it is: in the
// journal, or in the file of a landed one. r is then what was stored.
func Edit(ctx context.Context, w *workspace.Workspace, r *Item, m *memory.Memory) (Decision, error) {
	m.Updated = r.Memory.Updated
	if bytes.Equal(memory.Format(m), memory.Format(r.Memory)) {
		return Decision{}, errUnchanged
	}
	m.Updated = w.Now().UTC()
	m.Tidy()
	return rewrite(ctx, w, r, m)
}

// errUnchanged is the error of an edit that changed nothing.
var errUnchanged = errors.New("nothing was changed")

// rewrite replaces the content of a memory under review.
func rewrite(ctx context.Context, w *workspace.Workspace, r *Item, m *memory.Memory) (Decision, error) {
	before, d := *r, Decision{Verb: Edited, Entry: r.Entry}
	data := memory.Format(m)
	to := before.Path
	var err error
	if before.Stage != index.Pending {
		var old []byte
		old, err = replaceFile(ctx, w, before.Path, before.Blob, data)
		d.undo = func(ctx context.Context) error {
			_, err := replaceFile(ctx, w, before.Path, string(w.Repo.Hash(data)), old)
			return err
		}
	} else {
		to = gitops.PendingPrefix(before.Branch) + "/" + m.Path()
		err = replacePending(ctx, w, before, to, data, "edit: ")
	}
	if err != nil {
		return Decision{}, err
	}
	r.Memory, r.Path, r.Blob = m, to, string(w.Repo.Hash(data))
	d.Path = to
	if after := *r; before.Stage == index.Pending {
		d.undo = func(ctx context.Context) error {
			return replacePending(ctx, w, after, before.Path, memory.Format(before.Memory), "edit: taken back: ")
		}
	}
	return d, nil
}

// replacePending puts data at path in place of what r is in the journal.
func replacePending(ctx context.Context, w *workspace.Workspace, r Item, path string, data []byte,
	message string,
) error {
	return w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		if _, err := pendingIn(ctx, snap, r); err != nil {
			return gitops.Change{}, err
		}
		return gitops.Change{
			Message: message + r.Memory.Title, Trailers: w.Trailers("", r.Branch), When: w.Now(),
			Put: map[string][]byte{path: data}, Remove: []string{r.Path},
		}, nil
	})
}

// replaceFile writes a file of the working tree that has the content blob, and
// returns what was there.
func replaceFile(ctx context.Context, w *workspace.Workspace, path, blob string, data []byte) ([]byte, error) {
	have, err := readShown(w, path, blob)
	if err != nil {
		return nil, err
	}
	return have, writeMemory(ctx, w, path, data)
}

// readShown reads a file of the working tree that was shown as the content blob, whatever
// its line ends are. One that is another now is [ErrMovedOn].
func readShown(w *workspace.Workspace, path, blob string) ([]byte, error) {
	t, err := w.Tree()
	if err != nil {
		return nil, err
	}
	data, there, err := t.Read(path)
	if err != nil {
		return nil, err
	}
	hashes := []string{string(w.Repo.Hash(data)), string(w.Repo.Hash(workspace.NormalEOL(data)))}
	if !there || !slices.Contains(hashes, blob) {
		return nil, fmt.Errorf("%s: %w", path, ErrMovedOn)
	}
	return data, nil
}
