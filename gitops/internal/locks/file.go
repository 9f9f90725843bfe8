package locks

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"

	"github.com/gofrs/flock"
)

// ErrBusy is a lock that was not free for as long as the caller would wait.
var ErrBusy = errors.New("another cortex has held it")

// A busy lock is tried again after lockPoll, then after ever longer pauses up
// to lockPollMost: a hundred processes that wait must leave the processor to
// the one that they wait for.
const (
	lockPoll     = 2 * time.Millisecond
	lockPollMost = 20 * time.Millisecond
)

// File takes the lock of a file, which it makes, at most for wait (0 is as
// long as ctx lasts): [ErrBusy], or the error of ctx. Each call opens the
// file anew, so the lock holds among the goroutines of a process too. The file
// is never removed: somebody could be waiting on it.
func File(ctx context.Context, path string, wait time.Duration) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	limited := ctx
	if wait > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, wait)
		defer cancel()
	}
	l := flock.New(path)
	for step := lockPoll; ; step = min(step*3/2, lockPollMost) {
		if ok, err := l.TryLock(); err != nil {
			return nil, err
		} else if ok {
			return func() { l.Unlock() }, nil
		}
		Pause(limited, step/2+rand.N(step)) // not all at once
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if limited.Err() != nil {
			return nil, fmt.Errorf("%w for %s", ErrBusy, wait)
		}
	}
}

// Busy reports whether somebody has held the lock of a file all the time for
// patience. A file that is not there is not made, and nobody holds it.
func Busy(ctx context.Context, path string, patience time.Duration) bool {
	if !gitcmd.Exists(path) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	l := flock.New(path)
	defer l.Close()
	ok, err := l.TryRLockContext(ctx, lockPoll)
	return !ok && (err == nil || errors.Is(err, context.DeadlineExceeded))
}

// Remove takes the file of a lock away if nobody holds it now. Who waits for it all the same
// goes on alone, so this is for the end of everything that takes it.
func Remove(path string) error {
	l := flock.New(path)
	defer l.Close()
	if ok, err := l.TryLock(); err != nil || !ok {
		return err
	}
	return errors.Join(l.Unlock(), os.Remove(path))
}

// Pause waits, at most until ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	limited, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-limited.Done()
}
