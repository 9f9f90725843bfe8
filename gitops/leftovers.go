package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/locks"
	"github.com/git-cortex/cortex/gitops/internal/remotes"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
)

// Leftover is a file that a process left behind when it was killed.
type Leftover struct {
	Path string // absolute
	Lock bool   // a lock of git, which stops others; else a temporary file of ours
	Age  time.Duration
	Ours bool // nobody but cortex makes such a file
}

// leftoverAge is how old a file must be to count as left behind.
const leftoverAge = 10 * time.Minute

// Leftovers lists locks of git and temporary files of cortex that no process has had
// open for ten minutes, by the file system's own clock.
func (r *Repo) Leftovers(ctx context.Context) ([]Leftover, error) {
	now, ok := locks.Clock(r.CacheDir())
	if !ok {
		return nil, ctx.Err() // a folder that cannot be written: nothing is to be mended
	}
	l := leftovers{now: now}
	for _, dir := range slices.Compact([]string{r.GitDir, r.CommonDir}) {
		for _, name := range []string{"index.lock", "HEAD.lock", "config.lock", "packed-refs.lock"} {
			l.add(filepath.Join(dir, name), Leftover{Lock: true})
		}
	}
	journal := locks.OfRef(r.CommonDir, r.CacheDir(), JournalRef).Path
	tracking := filepath.Join(r.CommonDir, filepath.FromSlash(remotes.TrackingPrefix))
	for _, path := range append(filesBelow(filepath.Dir(journal)), filesBelow(tracking)...) {
		if strings.HasSuffix(path, ".lock") {
			l.add(path, Leftover{Lock: true, Ours: path == journal || strings.HasPrefix(path, tracking)})
		}
	}
	for _, path := range slices.Concat(r.cacheTemps(), r.worktreeTemps(), r.besides(), r.keptPacks(),
		scratchFolders(r.CacheDir())) {
		l.add(path, Leftover{Ours: true})
	}
	return l.all, ctx.Err()
}

// leftovers gathers files that are old enough and that no process has open.
type leftovers struct {
	now time.Time // by the file system's own clock
	all []Leftover
}

func (ls *leftovers) add(path string, l Leftover) {
	info, err := os.Lstat(path)
	if err != nil {
		return
	}
	l.Path, l.Age = path, ls.now.Sub(info.ModTime()).Abs()
	if l.Age >= leftoverAge && !locks.InUse(path, info) {
		ls.all = append(ls.all, l)
	}
}

// scratchFolders are those of the cache folder in which a snapshot was written or a merge made.
func scratchFolders(cache string) []string {
	scratch := regexp.MustCompile(`^(snapshot-\d+\.tmp|merge-\d+)$`)
	return entriesIn(cache, func(e fs.DirEntry) bool { return e.IsDir() && scratch.MatchString(e.Name()) })
}

// keptPacks are the files by which a killed writer of the journal keeps a pack.
func (r *Repo) keptPacks() []string {
	names := filesIn(filepath.Join(r.objects.dir, "pack"),
		func(name string) bool { return strings.HasSuffix(name, ".keep") })
	return lists.Without(names, func(name string) bool {
		data, _ := atomicfile.Read(name, int64(len(keepNote)))
		return string(data) != keepNote
	})
}

// filesIn are the regular files of a folder whose names are wanted.
func filesIn(dir string, want func(name string) bool) []string {
	return entriesIn(dir, func(e fs.DirEntry) bool { return e.Type().IsRegular() && want(e.Name()) })
}

// entriesIn are the paths of what is wanted of a folder.
func entriesIn(dir string, want func(fs.DirEntry) bool) []string {
	entries, _ := os.ReadDir(dir)
	return lists.Map(lists.Where(entries, want), func(e fs.DirEntry) string { return filepath.Join(dir, e.Name()) })
}

// besides are temporary files beside those that cortex replaces outside of its
// own folders: the configuration, info/exclude and info/attributes, hooks,
// .gitattributes, and what a merge driver merges.
func (r *Repo) besides() []string {
	dirs := []string{r.GitDir, r.CommonDir, filepath.Join(r.CommonDir, "info"), r.HooksDir, r.Root}
	var names []string
	for _, dir := range slices.Compact(slices.Sorted(slices.Values(dirs))) {
		if dir != "" {
			names = append(names, filesIn(dir, atomicfile.IsTemp)...)
		}
	}
	return names
}

// cacheTemps are temporary files of the cache folder.
func (r *Repo) cacheTemps() []string {
	return lists.Without(filesBelow(r.CacheDir()),
		func(path string) bool { return !cacheTemp().MatchString(filepath.Base(path)) })
}

// cacheTemp matches the names under which files of the cache folder are made,
// by this version and those before it.
var cacheTemp = lazy.Pattern(`^\.tmp-|^clock-|^\.?cortex-.*\.tmp$|\.\d+\.tmp$`)

// worktreeTemps are files beside those that cortex writes into a working tree:
// memories and pages, agents' files, and what a merge driver merges.
func (r *Repo) worktreeTemps() []string {
	if r.Root == "" {
		return nil
	}
	names := filesIn(r.Root, func(name string) bool {
		return strings.HasPrefix(name, ".merge_file_") && strings.HasSuffix(name, ".cortex-tmp")
	})
	temp := regexp.MustCompile(`\.cortex-tmp$|^\.cortex-.*\.tmp$`)
	for _, top := range []string{".cortex", ".claude"} {
		names = append(names, lists.Where(filesBelow(filepath.Join(r.Root, top)), func(path string) bool {
			return temp.MatchString(filepath.Base(path))
		})...)
	}
	return names
}

// filesBelow are the regular files below a folder, as far as they can be seen.
func filesBelow(top string) []string {
	var paths []string
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return nil //nolint:nilerr // what cannot be seen is passed over
	})
	return paths
}

// RemoveLeftovers removes those that are cortex's own, and locks on refs only
// under the lock of cortex that guards the ref. It returns what stays.
func (r *Repo) RemoveLeftovers(ctx context.Context, all []Leftover) ([]Leftover, error) {
	r.StagingArea().Clear(ctx)
	journal := r.Journal()
	var stay []Leftover
	var errs []error
	for _, l := range all {
		switch {
		case !l.Ours:
			stay = append(stay, l)
		case l.Lock:
			lock := journal.lock
			if !journal.ref.locks(l.Path) {
				lock = r.Remotes().Lock
			}
			unlock, err := lock(ctx)
			if err != nil {
				return all, err
			}
			if !locks.At(l.Path, r.CacheDir()).RemoveStale() {
				stay = append(stay, l)
			}
			unlock()
		default:
			if err := os.RemoveAll(l.Path); err != nil {
				errs = append(errs, err)
				stay = append(stay, l)
			}
		}
	}
	return stay, errors.Join(errs...)
}

// Busy reports whether the journal's lock has been held all the time for
// patience, and by which other process where the system tells. Captures go to the
// spool meanwhile.
func (j *Journal) Busy(ctx context.Context, patience time.Duration) (busy bool, pid int) {
	path := filepath.Join(j.cacheDir, "lock")
	if !locks.Busy(ctx, path, patience) {
		return false, 0
	}
	return true, locks.Holder(path)
}

// Verify reads everything that the newest state reaches, without changing
// anything, and that the journal keeps the log it would heal from.
func (j *Journal) Verify(ctx context.Context) error {
	s := newStore(j.objects)
	defer s.close()
	t, err := j.ref.tip(ctx, s)
	if err != nil || t.id == "" {
		return err // Snapshot says what there is to say
	}
	if _, err := s.verify(ctx, t.id); err != nil {
		return fmt.Errorf("reading the journal: %w", err)
	}
	if len(j.ref.states(ctx)) == 0 {
		if _, kept := j.safe.read(j.objects.format); len(kept) == 0 {
			return ErrNoLog
		}
	}
	return nil
}

// ErrNoLog is a journal that works and has no log of its states: it could not
// heal after a power cut. The next capture begins one.
var ErrNoLog = errors.New("the journal has no log of its states, from which it would heal after a power cut")
