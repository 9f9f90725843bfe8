package gitops

import (
	"os"
	"path/filepath"
	"time"
)

// staleAge is how old a lock on the ref must be before it can be a leftover.
// git holds one for milliseconds.
const staleAge = 10 * time.Second

// removeStaleLock removes a lock that a killed git left on a ref below
// refs/cortex, and reports whether it did. The caller holds the journal's
// lock, so no cortex is at work on the ref; a lock that any process has open,
// or that is young by the file system's own clock, is left alone.
func (r journalRef) removeStaleLock(path string) bool {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil || filepath.Base(path) != "journal.lock" {
		return false
	}
	own, err := filepath.EvalSymlinks(filepath.Dir(r.file()))
	if err != nil || dir != own {
		return false
	}
	before, err := os.Lstat(path)
	if err != nil || !before.Mode().IsRegular() {
		return false
	}
	now, ok := fileClock(r.cacheDir)
	// A lock from the future is as old: the clock was set back since.
	if !ok || now.Sub(before.ModTime()).Abs() < staleAge || heldOpen(before) {
		return false
	}
	after, err := os.Lstat(path)
	return err == nil && os.SameFile(before, after) && os.Remove(path) == nil
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
