package gitops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/gitops/internal/locks"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// update is one call of [Journal.Update], under the journal's lock.
type update struct {
	journal *Journal
	reuse   *Snapshot // the caller's; it keeps showing what it shows
	own     *reading
	build   func(*Snapshot) (Change, error)
	last    Change // what build returned last
	built   bool
	whole   bool // the spool may be drained, as far as a gc before this attempt goes
}

// errMoved is a compare-and-swap that another writer won.
var errMoved = errors.New("the journal moved on")

// maxTries bounds how often a change is rebuilt. Under the lock only writers
// that do not know it, such as a sync of an older version, can be faster.
const maxTries = 10

func (u *update) close() {
	if u.own != nil {
		u.own.store.close()
	}
}

func (u *update) run(ctx context.Context) (Outcome, error) {
	patience, cancel := context.WithTimeout(ctx, u.journal.lockWait)
	defer cancel()
	u.journal.index.Clear(patience)
	var err error
	for try := range maxTries {
		var out Outcome
		out, err = u.attempt(ctx)
		if err == nil {
			return out, nil
		}
		var held *heldError
		var spooled *spooledError
		switch {
		case errors.As(err, &spooled):
			return Outcome{Spooled: true, Reason: err}, nil
		case ctx.Err() != nil:
			return Outcome{}, fmt.Errorf("writing the journal: %w", ctx.Err())
		case errors.Is(err, errMoved):
			u.reuse = nil
		case errors.As(err, &held):
			if u.journal.ref.locks(held.path) && locks.At(held.path, u.journal.cacheDir).RemoveStale() {
				continue
			}
			if patience.Err() != nil {
				return u.spool(ctx, err)
			}
		default:
			return u.spool(ctx, err)
		}
		locks.Pause(patience, time.Duration(1+try*try)*5*time.Millisecond)
	}
	return u.spool(ctx, err)
}

func (u *update) spool(ctx context.Context, cause error) (Outcome, error) {
	var refused *buildError
	if errors.As(cause, &refused) {
		return Outcome{}, refused.err
	}
	if !u.built {
		return u.journal.spoolOnly(ctx, u.build, cause)
	}
	return u.journal.keep(ctx, u.last, cause)
}

// buildError is an error of the caller's build or of the change it returned.
type buildError struct{ err error }

func (e *buildError) Error() string { return e.err.Error() }
func (e *buildError) Unwrap() error { return e.err }

// spooledError is a ref that did not move, for a change that is in the spool already.
type spooledError struct{ err error }

func (e *spooledError) Error() string { return e.err.Error() }

// attempt builds the change on the newest state and points the ref at it.
func (u *update) attempt(ctx context.Context) (Outcome, error) {
	on, err := u.newest(ctx)
	if err == nil {
		err = u.afterGC(ctx, on)
	}
	var out Outcome
	for err == nil {
		out, err = u.commit(ctx, on)
		if err == nil || on.healed != "" || !errors.Is(err, errDamaged) {
			return out, err
		}
		err = on.reheal(ctx, err)
	}
	return Outcome{}, err
}

// afterGC looks at what a gc left of the changes that are in the spool as well:
// it may have taken any of their objects, and left those that came after. No
// more commits were made while it was at work than there are changes. A gc that
// is still at work may take more: the spool then stays.
func (u *update) afterGC(ctx context.Context, on *reading) error {
	u.whole = false
	if on.spoolSize == 0 || u.journal.gcRunning() {
		return nil
	}
	if on.commit != "" && on.healed == "" { // else it was verified, and is partly to be written yet
		disk := newStore(u.journal.objects) // without what is only staged
		defer disk.close()
		_, err := disk.verifyChain(ctx, on.commit, on.spooled, make(map[ObjectID]gitobject.Commit))
		if err = on.reheal(ctx, err); errors.Is(err, errDamaged) {
			return errMoved // healed while that gc was at work: from the start
		} else if err != nil {
			return err
		}
	}
	u.whole = true
	return nil
}

// newest returns the reading of the caller's snapshot if the ref has not moved since,
// and otherwise a new one.
func (u *update) newest(ctx context.Context) (*reading, error) {
	u.close()
	u.own = nil
	if u.reuse != nil && u.reuse.Healed() == "" {
		r, done := u.reuse.use()
		own := *r
		own.store = r.store.fork()
		done()
		u.own = &own
		t, err := u.journal.ref.tip(ctx, u.own.store)
		if err != nil {
			return nil, err
		}
		if t == u.own.tip && !t.broken {
			return u.own, u.own.overlay(ctx)
		}
		u.close()
	}
	var err error
	u.own, err = u.journal.read(ctx)
	return u.own, err
}

func (u *update) commit(ctx context.Context, on *reading) (Outcome, error) {
	change, err := u.build(&Snapshot{reading: on})
	if err != nil {
		return Outcome{}, &buildError{err}
	}
	if err := change.check(); err != nil {
		return Outcome{}, &buildError{err}
	}
	u.last, u.built = change, true
	work := *on // what is built on stays as it is
	if _, err := work.stageCommit(ctx, change); err != nil {
		return Outcome{}, err
	}
	out := Outcome{Healed: on.healed}
	gc := false
	// After healing the rebuilt commit may have the very id of the lost tip.
	if work.chain != "" && (work.chain != on.tip.id || on.healed != "") {
		if gc, err = u.publish(ctx, &work, change); err != nil {
			return Outcome{}, err
		}
		out.Commit = work.chain
	} else if on.spoolSize > 0 {
		gc = u.journal.gcRunning()
	}
	if u.whole && !gc {
		if err := u.journal.spool.drain(ctx, on.spoolSize); err != nil {
			return Outcome{}, fmt.Errorf("draining the spool: %w", err)
		}
		out.Drained = on.spooled
	}
	return out, nil
}

// publish writes the staged objects and moves the ref to the end of the chain.
//
// A gc that looked for reachable objects before the ref moved may delete the
// new ones after: at once, which confirm sees, or later, with --prune=now. So
// while one is at work the change goes into the spool as well. Laid over a
// whole journal it changes nothing; laid over a healed one it restores it.
// The spool then holds the newest changes of the journal in their order, and
// is drained by the first update that sees no gc.
func (u *update) publish(ctx context.Context, work *reading, change Change) (gc bool, err error) {
	j := u.journal
	defer func() { work.store.objects.release(work.store.written) }()
	if err := work.store.flush(ctx); err != nil {
		return false, err
	}
	settled := work.spoolSize == 0 || u.whole // or the spool must hold every change that is newer
	second := &secondCopy{journal: j, change: change, needless: settled}
	if err := second.keep(ctx); err != nil {
		return second.made, err
	}
	anchor := j.secure(work, change.Merge != "", settled && !second.made)
	err = j.ref.point(ctx, work.tip, work.chain, work.logMessage(change))
	if err != nil && second.made {
		return true, &spooledError{err} // a second try would build on the spooled first
	}
	if err == nil {
		err = second.keep(ctx)
	}
	if err == nil {
		err = work.store.confirm(ctx)
	}
	if err != nil {
		return second.made, err
	}
	if anchor != "" && !second.made {
		j.ref.anchor(ctx, anchor)
	}
	j.forgetLost(ctx, work.lost, work.depth)
	work.store.staged = make(map[ObjectID]object)
	return second.made, nil
}

// secondCopy is a change that goes into the spool as well while a gc is at work.
type secondCopy struct {
	journal  *Journal
	change   Change
	needless bool // but for a gc
	made     bool // a gc was seen, or the copy is needed in any case
}

func (c *secondCopy) keep(ctx context.Context) error {
	if c.made {
		return nil
	}
	c.made = !c.needless || c.journal.gcRunning()
	if c.made && c.change.canWait() {
		return c.journal.spool.append(ctx, c.change)
	}
	return nil
}

// logMessage returns the words about a change for the log of the ref.
func (r *reading) logMessage(c Change) string {
	message, _, _ := strings.Cut(c.Message, "\n")
	if r.healed != "" {
		message = r.healing + " " + message
	}
	return cmp.Or(strings.TrimSpace(message), "cortex")
}

// point moves the ref by git's compare-and-swap, with a log entry, and
// makes the move durable.
func (r journalRef) point(ctx context.Context, from tip, to ObjectID, message string) error {
	args := []string{
		"-c", "core.fsync=all", "-c", "core.hooksPath=" + os.DevNull,
		"update-ref", "--create-reflog", "-m", message, JournalRef, string(to),
	}
	switch {
	case from.broken:
		// git refuses to touch a ref it cannot resolve: it is put aside first.
		aside := filepath.Join(r.cacheDir, "damaged-ref")
		if err := atomicfile.Rename(r.file(), aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("putting the damaged %s aside: %w", JournalRef, err)
		}
	case from.id == "":
		args = append(args, strings.Repeat("0", len(to)))
	default:
		args = append(args, string(from.id))
	}
	if _, err := r.git.Run(ctx, gitcmd.Inside(r.commonDir, r.ident, args)); err != nil {
		return updateRefError(err)
	}
	return r.sync(from.id == "")
}

// heldError is a lock file that git found on the ref.
type heldError struct {
	path string
	err  error
}

func (e *heldError) Error() string { return "the journal's ref is locked by " + e.path }
func (e *heldError) Unwrap() error { return e.err }

func updateRefError(err error) error {
	var ge *gitcmd.Error
	if !errors.As(err, &ge) {
		return err
	}
	switch {
	case strings.Contains(ge.Stderr, "but expected"), strings.Contains(ge.Stderr, "reference already exists"),
		strings.Contains(ge.Stderr, "nonexistent object"): // a gc pruned the commit under our hands
		return fmt.Errorf("%w: %w", errMoved, err)
	case strings.Contains(ge.Stderr, "File exists"):
		if _, rest, ok := strings.Cut(ge.Stderr, "Unable to create '"); ok {
			if path, _, ok := strings.Cut(rest, "': File exists"); ok {
				return &heldError{filepath.FromSlash(path), err}
			}
		}
	}
	return err
}

// sync makes the names of ref and log durable; git syncs only the contents
// of the ref. The folders above can be new with the first ref only. With
// reftable there are no such files, and git syncs its tables.
func (r journalRef) sync(first bool) error {
	ref, log := r.file(), r.log()
	paths := []string{filepath.Dir(ref), log}
	if first {
		paths = append(paths, filepath.Dir(filepath.Dir(ref)), filepath.Dir(log), filepath.Dir(filepath.Dir(log)))
	}
	synced := writers()
	for _, path := range paths {
		synced.Go(func() error { return syncName(path) })
	}
	if err := synced.Wait(); err != nil {
		return fmt.Errorf("syncing %s: %w", JournalRef, err)
	}
	return nil
}
