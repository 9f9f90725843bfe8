package staging

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/locks"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// IndexLockedError is an index that another git is writing, or that a killed
// one left locked.
type IndexLockedError struct{ Path string }

func (e *IndexLockedError) Error() string {
	return "git's index is being written by another process (" + e.Path + " is there)"
}

// errIndexMoved is an index that changed while ours was made from it.
var errIndexMoved = errors.New("the index changed meanwhile")

// Indexes that wait in the cache folder to become the user's: one that git is
// still making, one that is complete and is about to replace the index, and one
// for the lock that `git commit -a` uses as its index.
const (
	unstagedPrefix = "unstaged-"
	stagedIndex    = "staged-index-"
	stagedLock     = "staged-lock-"
)

// stage runs `git update-index --index-info` with lines on the index of this
// repository or of the commit being made.
//
// A git that is killed while it writes an index leaves its lock, and the user
// has to remove it. So git writes a second index in the cache folder, and that
// file then takes the lock under its own name, by a link, and is renamed to be
// the index: complete at any moment. A kill between those two calls leaves a
// lock that is the same file as one in the cache folder, by which
// [Area.Clear] knows it.
func (x *Area) stage(ctx context.Context, lines string) error {
	index := x.path()
	unlock, err := x.lock(ctx)
	if err != nil {
		return x.update(ctx, index, lines) // a file system without locks
	}
	defer unlock()
	x.drop()
	for try := 0; ; try++ {
		err := x.stageBeside(ctx, index, lines)
		var locked *IndexLockedError
		if try == 4 || !errors.As(err, &locked) && !errors.Is(err, errIndexMoved) {
			return err
		}
		locks.Pause(ctx, 20*time.Millisecond)
	}
}

// lock takes the lock under which indexes are made in the cache folder.
func (x *Area) lock(ctx context.Context) (unlock func(), err error) {
	return locks.File(ctx, filepath.Join(x.CacheDir, "stage.lock"), x.LockWait)
}

// stageBeside runs under the lock of lock.
func (x *Area) stageBeside(ctx context.Context, index, lines string) error {
	name := strconv.FormatUint(rand.Uint64(), 36)
	making := filepath.Join(x.CacheDir, unstagedPrefix+name)
	before, err := secondIndex(index, making)
	if err != nil {
		return x.update(ctx, index, lines) // no links, or another file system
	}
	defer os.Remove(making)
	if err := x.update(ctx, making, lines); err != nil {
		return err
	}
	own := filepath.Join(x.CacheDir, stagedIndex+name)
	if filepath.Base(index) == "index.lock" {
		own = filepath.Join(x.CacheDir, stagedLock+name)
	}
	if err := atomicfile.Rename(making, own); err != nil {
		return err
	}
	defer os.Remove(own)
	return replaceIndex(index, own, before)
}

// replaceIndex makes own the index, unless that changed since before was read.
func replaceIndex(index, own string, before fs.FileInfo) error {
	lock := index + ".lock"
	err := os.Link(own, lock)
	if errors.Is(err, fs.ErrExist) {
		return &IndexLockedError{lock}
	}
	if err != nil {
		return err
	}
	if !unchangedIndex(index, before) {
		return errors.Join(errIndexMoved, os.Remove(lock))
	}
	if err := atomicfile.Rename(lock, index); err != nil {
		return errors.Join(err, os.Remove(lock))
	}
	return nil
}

// unchangedIndex reports whether the index is as it was before; nil is none.
func unchangedIndex(index string, before fs.FileInfo) bool {
	now, err := os.Stat(index)
	if before == nil {
		return err != nil
	}
	return err == nil && sameIndex(before, now)
}

// secondIndex makes path a second name of the index: git never writes into an
// index, it puts a new file in its place. before is nil when there is none yet.
func secondIndex(index, path string) (before fs.FileInfo, err error) {
	before, err = os.Stat(index)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // no index yet: git makes one
	}
	if err == nil {
		err = os.Link(index, path)
	}
	return before, err
}

func sameIndex(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

func (x *Area) update(ctx context.Context, index, lines string) error {
	_, err := x.Git.Run(ctx, gitcmd.Command{
		Args:  []string{"update-index", "-z", "--index-info"},
		Env:   []string{"GIT_INDEX_FILE=" + index},
		Stdin: strings.NewReader(lines),
	})
	return err
}

// Clear removes what a killed cortex left on the way to a new index.
// Usually that is one look into the cache folder.
func (x *Area) Clear(ctx context.Context) {
	if len(x.left(unstagedPrefix, stagedIndex, stagedLock)) == 0 {
		return
	}
	if unlock, err := x.lock(ctx); err == nil {
		x.drop()
		unlock()
	}
}

// left are the files of the cache folder whose names begin with one of prefixes.
func (x *Area) left(prefixes ...string) []string {
	entries, _ := os.ReadDir(x.CacheDir)
	var names []string
	for _, e := range entries {
		if slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(e.Name(), prefix) }) {
			names = append(names, filepath.Join(x.CacheDir, e.Name()))
		}
	}
	return names
}

// drop removes what killed processes left. It runs under the lock of lock, so the
// processes that made the files are gone. A lock on an index is removed only if it is
// the very file that such a process was about to put there; others' are other files.
func (x *Area) drop() {
	for prefix, name := range map[string]string{stagedIndex: "index.lock", stagedLock: "index.lock.lock"} {
		for _, own := range x.left(prefix) {
			if info, err := os.Lstat(own); err == nil {
				x.dropLocks(name, info)
				_ = os.Remove(own)
			}
		}
	}
	for _, making := range x.left(unstagedPrefix) {
		_ = os.Remove(making)
	}
}

// dropLocks removes the locks of a name, of all working trees, that are the same file as another.
func (x *Area) dropLocks(name string, same fs.FileInfo) {
	dirs := []string{x.CommonDir}
	trees, _ := os.ReadDir(filepath.Join(x.CommonDir, "worktrees"))
	for _, tree := range trees {
		dirs = append(dirs, filepath.Join(x.CommonDir, "worktrees", tree.Name()))
	}
	for _, dir := range dirs {
		lock := filepath.Join(dir, name)
		if there, err := os.Lstat(lock); err == nil && os.SameFile(there, same) {
			_ = os.Remove(lock)
		}
	}
}
