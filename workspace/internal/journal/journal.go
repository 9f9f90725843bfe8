// Package journal reads and writes the journal of one project for all its commands, and keeps
// what they agree on: which entries came from a remote ([Marks]), how often memories were
// recalled ([Journal.Uses]), which sessions were read ([Journal.Sessions]), and what of a text
// must not be written ([Secrets]).
//
// Call [New], then [Journal.Snapshot] to read one state and [Journal.Update] to write. It
// promises that nothing is written to a journal of a newer format, and that a journal which
// cannot be read stops no command that can do without. The files are those of FORMAT.md,
// "Journal"; gitops keeps them.
package journal

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/policy"
)

// Journal is the journal of a project. It keeps the latest snapshot, and refuses to write where
// the format is a newer one. It is safe for concurrent use.
type Journal struct {
	repo    *gitops.Repo
	notices *notices.List
	healed  func(context.Context, string) // told what was healed, in a line

	spooled atomic.Bool  // a change was kept in the spool
	notes   atomic.Value // see [Journal.noted]: a map[string]*noted by the blobs of records

	mu     sync.Mutex
	snap   *gitops.Snapshot // nil before the first reading and after a write
	policy error            // why nothing is written here, by config.yaml; nil where that is of this version
	newer  error            // the same by the journal, as it was read last
}

// New returns the journal of a repository. What a person should know of it is added to
// notices, and what was healed is told to healed.
func New(repo *gitops.Repo, notices *notices.List, healed func(context.Context, string)) *Journal {
	return &Journal{repo: repo, notices: notices, healed: healed}
}

// SetPolicy says that config.yaml is of a newer version, or with nil that it is not.
func (j *Journal) SetPolicy(newer *policy.NewerError) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.policy = nil
	if newer != nil {
		j.policy = newer
	}
}

// Snapshot returns the journal as it is now: the snapshot that the last call returned while
// nobody has written to the journal since, else a new one. It belongs to the journal, so do
// not close it. It goes on showing one state, so whoever needs one state for several steps
// keeps what it got.
func (j *Journal) Snapshot(ctx context.Context) (*gitops.Snapshot, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.snap != nil && j.snap.Current() {
		return j.snap, nil
	}
	j.drop()
	snap, err := j.repo.Journal().Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	newer := CheckFormat(ctx, snap)
	snap = j.mended(ctx, snap, newer)
	if ctx.Err() != nil { // which says nothing of the journal
		return nil, errors.Join(fmt.Errorf("reading the journal: %w", ctx.Err()), snap.Close())
	}
	if newer != nil && j.refused() == nil {
		j.notices.Add("%v", newer)
	}
	j.snap, j.newer = snap, newer
	return snap, nil
}

// mended is a snapshot after what was healed in it is written, where it may be. mu is held.
func (j *Journal) mended(ctx context.Context, snap *gitops.Snapshot, newer error) *gitops.Snapshot {
	healed := snap.Healed()
	if healed == "" {
		return snap
	}
	j.notices.Add("%s", healed)
	return j.repo.Journal().Mended(ctx, snap, newer == nil && j.policy == nil, j.healed)
}

// drop gives up the snapshot. Whoever reads from it still can. mu is held.
func (j *Journal) drop() {
	if j.snap != nil {
		_ = j.snap.Close() // it has nothing to write
		j.snap = nil
	}
}

// Close gives up what is kept of the journal.
func (j *Journal) Close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.drop()
}

// Update commits the change that build makes of the newest state, and adds what a person
// should know of that to the notices. Build may be called several times. The next
// [Journal.Snapshot] shows the new state.
func (j *Journal) Update(ctx context.Context, build func(*gitops.Snapshot) (gitops.Change, error)) error {
	j.mu.Lock()
	known := j.snap
	j.mu.Unlock()
	out, err := j.repo.Journal().Update(ctx, known, j.guarded(ctx, build))
	j.mu.Lock()
	if j.snap == known {
		j.drop()
	}
	j.mu.Unlock()
	if err != nil {
		return err
	}
	j.spooled.Store(j.spooled.Load() || out.Spooled)
	for _, line := range out.Lines() {
		j.notices.Add("%s", line)
	}
	j.healed(ctx, out.Healed)
	return nil
}

// guarded is build, refused where something is of a newer version.
func (j *Journal) guarded(ctx context.Context,
	build func(*gitops.Snapshot) (gitops.Change, error),
) func(*gitops.Snapshot) (gitops.Change, error) {
	return func(s *gitops.Snapshot) (gitops.Change, error) {
		err := j.Refusal()
		if err == nil {
			err = CheckFormat(ctx, s)
		}
		if err != nil {
			return gitops.Change{}, err
		}
		return build(s)
	}
}

// Refusal returns a *[policy.NewerError] where config.yaml or the journal, as it was read
// last, is of a newer version; nil otherwise.
func (j *Journal) Refusal() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.refused()
}

// refused is Refusal while mu is held.
func (j *Journal) refused() error {
	if j.policy != nil {
		return j.policy
	}
	return j.newer
}

// Writable is [Journal.Refusal] of the journal as it is now. One that cannot be read is no
// reason not to write.
func (j *Journal) Writable(ctx context.Context) error {
	if _, err := j.Snapshot(ctx); err != nil && ctx.Err() != nil {
		return err
	}
	return j.Refusal()
}

// Spooled reports whether something that was to be written waits in the spool.
func (j *Journal) Spooled() bool { return j.spooled.Load() }

// CheckFormat returns a *[policy.NewerError] for a journal of a newer version.
func CheckFormat(ctx context.Context, snap *gitops.Snapshot) error {
	n, err := snap.Format(ctx)
	if err == nil && n > policy.Version {
		err = &policy.NewerError{What: gitops.JournalRef, Format: n}
	}
	return err
}

// Trailers returns the trailers of a journal commit that is about a session and a branch, at
// a commit of the project; empty arguments are left out.
func Trailers(session, branch, head string) []gitops.Trailer {
	all := []gitops.Trailer{
		{Key: "Cortex-Session", Value: session},
		{Key: "Cortex-Branch", Value: branch},
		{Key: "Cortex-Head", Value: head},
	}
	return lists.Where(all, func(t gitops.Trailer) bool { return t.Value != "" })
}

// DismissedPath returns the path in the journal of the copy that is kept of a
// memory that was refused or forgotten.
func DismissedPath(id memory.ID) string { return "dismissed/" + string(id) }
