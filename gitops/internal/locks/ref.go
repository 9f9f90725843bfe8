package locks

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// staleAge is how old a lock on a ref must be before it can be a leftover. git
// holds one for milliseconds.
const staleAge = 10 * time.Second

// Ref is the lock file of git for a ref below refs/cortex or
// refs/cortex-remotes. Whoever calls its methods holds the lock of cortex that
// guards the ref.
type Ref struct {
	Path string

	cacheDir string
}

// OfRef is the lock of a ref. cacheDir is a folder on the same file system, which
// is asked for the time there.
func OfRef(commonDir, cacheDir, ref string) Ref {
	return Ref{filepath.Join(commonDir, filepath.FromSlash(ref)+".lock"), cacheDir}
}

// At is the lock with this name, see [OfRef].
func At(path, cacheDir string) Ref { return Ref{path, cacheDir} }

// RemoveStale removes the lock if a killed git left it, and reports whether it
// did. No cortex is at work on the ref; a lock that any process has open, or
// that is young by the file system's own clock, is left alone, and so is one of
// which the system does not tell who has it open.
func (l Ref) RemoveStale() bool {
	before, err := os.Lstat(l.Path)
	if err != nil || !before.Mode().IsRegular() || !l.isStale(before) {
		return false
	}
	after, _ := os.Lstat(l.Path)
	return os.SameFile(before, after) && os.Remove(l.Path) == nil
}

// isStale reports whether a lock is old, and nobody has it open. A lock from the future
// is as old: the clock was set back since.
func (l Ref) isStale(lock fs.FileInfo) bool {
	now, ok := Clock(l.cacheDir)
	old := now.Sub(lock.ModTime()).Abs() >= staleAge
	return ok && old && !InUse(l.Path, lock)
}

// Wait waits until the lock is gone, or is stale and removed, and reports whether
// it is.
func (l Ref) Wait(ctx context.Context, patience time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for gitcmd.Exists(l.Path) && !l.RemoveStale() {
		if ctx.Err() != nil {
			return false
		}
		Pause(ctx, lockPollMost)
	}
	return true
}

// Clock asks the file system for the time: the lock's age must not depend
// on this machine's clock agreeing with a file server's.
func Clock(cacheDir string) (time.Time, bool) {
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
