package gitops

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

// staleAge is how old a lock on a ref must be before it can be a leftover. git
// holds one for milliseconds.
const staleAge = 10 * time.Second

// refLock is the lock file of git for a ref below refs/cortex or
// refs/cortex-remotes. Whoever calls its methods holds the lock of cortex that
// guards the ref.
type refLock struct {
	path     string
	cacheDir string
}

func lockOf(commonDir, cacheDir, ref string) refLock {
	return refLock{filepath.Join(commonDir, filepath.FromSlash(ref)+".lock"), cacheDir}
}

// removeStale removes the lock if a killed git left it, and reports whether it
// did. No cortex is at work on the ref; a lock that any process has open, or
// that is young by the file system's own clock, is left alone, and so is one of
// which the system does not tell who has it open.
func (l refLock) removeStale() bool {
	before, err := os.Lstat(l.path)
	if err != nil || !before.Mode().IsRegular() {
		return false
	}
	now, ok := fileClock(l.cacheDir)
	// A lock from the future is as old: the clock was set back since.
	if !ok || now.Sub(before.ModTime()).Abs() < staleAge || heldOpen(l.path, before) {
		return false
	}
	after, err := os.Lstat(l.path)
	return err == nil && os.SameFile(before, after) && os.Remove(l.path) == nil
}

// wait waits until the lock is gone, or is stale and removed, and reports whether
// it is.
func (l refLock) wait(ctx context.Context, patience time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for exists(l.path) && !l.removeStale() {
		if ctx.Err() != nil {
			return false
		}
		pause(ctx, lockPollMost)
	}
	return true
}

// fileClock asks the file system for the time: the lock's age must not depend
// on this machine's clock agreeing with a file server's.
func fileClock(cacheDir string) (time.Time, bool) {
	f, err := os.CreateTemp(cacheDir, "clock-*")
	if err != nil {
		return time.Time{}, false
	}
	defer os.Remove(f.Name())
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return time.Time{}, false
	}
	return info.ModTime(), true
}
