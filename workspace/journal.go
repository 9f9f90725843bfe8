package workspace

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// journal reads and writes the journal for a workspace. It keeps the latest snapshot,
// and refuses to write where the format is a newer one. It is for any number of
// goroutines.
type journal struct {
	repo    *gitops.Repo
	notices *notices
	healed  func(context.Context, string) // told what was healed, in a line

	spooled atomic.Bool // a change was kept in the spool

	mu     sync.Mutex
	snap   *gitops.Snapshot // nil before the first reading and after a write
	policy error            // why nothing is written here, by config.yaml; nil where that is of this version
	newer  error            // the same by the journal, as it was read last
}

func (j *journal) setPolicy(newer *NewerError) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.policy = nil; newer != nil {
		j.policy = newer
	}
}

// snapshot is the newest state. One that was read before is used again while
// neither this process nor another has written to the journal since.
func (j *journal) snapshot(ctx context.Context) (*gitops.Snapshot, error) {
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
	if healed := snap.Healed(); healed != "" {
		j.notices.add("%s", healed)
		snap = j.repo.Journal().Mended(ctx, snap, newer == nil && j.policy == nil, j.healed)
	}
	if ctx.Err() != nil { // which says nothing of the journal
		return nil, errors.Join(fmt.Errorf("reading the journal: %w", ctx.Err()), snap.Close())
	}
	if newer != nil && j.newer == nil && j.policy == nil {
		j.notices.add("%v", newer)
	}
	j.snap, j.newer = snap, newer
	return snap, nil
}

// drop gives up the snapshot. Whoever reads from it still can. mu is held.
func (j *journal) drop() {
	if j.snap != nil {
		_ = j.snap.Close() // it has nothing to write
		j.snap = nil
	}
}

func (j *journal) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.drop()
}

// update commits the change that build makes of the newest state. Build may be
// called several times.
func (j *journal) update(ctx context.Context, build func(*gitops.Snapshot) (gitops.Change, error)) error {
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
		j.notices.add("%s", line)
	}
	j.healed(ctx, out.Healed)
	return nil
}

// guarded is build, refused where something is of a newer version.
func (j *journal) guarded(ctx context.Context, build func(*gitops.Snapshot) (gitops.Change, error)) func(*gitops.Snapshot) (gitops.Change, error) {
	return func(s *gitops.Snapshot) (gitops.Change, error) {
		err := j.refusal()
		if err == nil {
			err = CheckFormat(ctx, s)
		}
		if err != nil {
			return gitops.Change{}, err
		}
		return build(s)
	}
}

// refusal is a *[NewerError] where config.yaml or the journal, as it was read
// last, is of a newer version; nil otherwise.
func (j *journal) refusal() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.policy != nil {
		return j.policy
	}
	return j.newer
}

// writable is refusal of the journal as it is now. One that cannot be read is no
// reason not to write.
func (j *journal) writable(ctx context.Context) error {
	if _, err := j.snapshot(ctx); err != nil && ctx.Err() != nil {
		return err
	}
	return j.refusal()
}

// Journal returns the journal as it is now: the snapshot that the last call
// returned while nobody has written to the journal since, else a new one. It
// belongs to the workspace, so do not close it. It goes on showing one state,
// so whoever needs one state for several steps keeps what it got.
func (w *Workspace) Journal(ctx context.Context) (*gitops.Snapshot, error) {
	return w.journal.snapshot(ctx)
}

// Update commits the change that build makes of the newest state to the journal,
// and adds what a person should know of that to the notices. Build may be called
// several times. The next [Workspace.Journal] sees the new state.
func (w *Workspace) Update(ctx context.Context, build func(*gitops.Snapshot) (gitops.Change, error)) error {
	return w.journal.update(ctx, build)
}

// Spooled reports whether something that was to be written to the journal since the
// workspace was opened waits in the spool.
func Spooled(w *Workspace) bool { return w.journal.spooled.Load() }

// Writable returns a *[NewerError] where config.yaml or the journal is of a newer
// version, so that nothing may be written, and nil otherwise. It reads the
// journal for that; one that cannot be read is no reason not to write.
func (w *Workspace) Writable(ctx context.Context) error { return w.journal.writable(ctx) }

// Trailers returns the trailers of a journal commit that is about a session and
// a branch; empty arguments are left out.
func (w *Workspace) Trailers(session, branch string) []gitops.Trailer {
	return trailers(session, branch, w.Repo.Head)
}

func trailers(session, branch, head string) []gitops.Trailer {
	var out []gitops.Trailer
	for _, t := range []gitops.Trailer{
		{Key: "Cortex-Session", Value: session}, {Key: "Cortex-Branch", Value: branch}, {Key: "Cortex-Head", Value: head},
	} {
		if t.Value != "" {
			out = append(out, t)
		}
	}
	return out
}

// DismissedPath returns the path in the journal of the copy that is kept of a
// memory that was refused or forgotten.
func DismissedPath(id memory.ID) string { return "dismissed/" + string(id) }
