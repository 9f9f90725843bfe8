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
	"github.com/git-cortex/cortex/internal/atomicfile"
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
	var out []Leftover
	add := func(path string, l Leftover) {
		info, err := os.Lstat(path)
		if err != nil {
			return
		}
		if l.Age = now.Sub(info.ModTime()).Abs(); l.Age >= leftoverAge && !locks.InUse(path, info) {
			l.Path = path
			out = append(out, l)
		}
	}
	for _, dir := range slices.Compact([]string{r.GitDir, r.CommonDir}) {
		for _, name := range []string{"index.lock", "HEAD.lock", "config.lock", "packed-refs.lock"} {
			add(filepath.Join(dir, name), Leftover{Lock: true})
		}
	}
	journal := locks.OfRef(r.CommonDir, r.CacheDir(), JournalRef).Path
	remotes := filepath.Join(r.CommonDir, filepath.FromSlash(trackingPrefix))
	for _, top := range []string{filepath.Dir(journal), remotes, r.CacheDir()} {
		walkFiles(top, func(path string) {
			switch name := filepath.Base(path); {
			case top != r.CacheDir() && strings.HasSuffix(name, ".lock"):
				add(path, Leftover{Lock: true, Ours: path == journal || top == remotes})
			case top == r.CacheDir() && isCacheTemp(name):
				add(path, Leftover{Ours: true})
			}
		})
	}
	for _, name := range slices.Concat(r.worktreeTemps(), r.besides(), r.keptPacks(), scratchFolders(r.CacheDir())) {
		add(name, Leftover{Ours: true})
	}
	return out, ctx.Err()
}

// scratchFolders are those of the cache folder in which a snapshot was written or a merge made.
func scratchFolders(cache string) []string {
	var names []string
	entries, _ := os.ReadDir(cache)
	for _, e := range entries {
		if e.IsDir() && regexp.MustCompile(`^(snapshot-\d+\.tmp|merge-\d+)$`).MatchString(e.Name()) {
			names = append(names, filepath.Join(cache, e.Name()))
		}
	}
	return names
}

// keptPacks are the files by which a killed writer of the journal keeps a pack.
func (r *Repo) keptPacks() []string {
	all, _ := filepath.Glob(filepath.Join(globEscape(r.objects.dir), "pack", "pack-*.keep"))
	return slices.DeleteFunc(all, func(name string) bool {
		info, err := os.Lstat(name)
		if err != nil || info.Size() != int64(len(keepNote)) || !info.Mode().IsRegular() {
			return true
		}
		data, err := os.ReadFile(name)
		return err != nil || string(data) != keepNote
	})
}

// besides are temporary files beside those that cortex replaces outside of its
// own folders: the configuration, info/exclude and info/attributes, hooks,
// .gitattributes, and what a merge driver merges.
func (r *Repo) besides() []string {
	dirs := []string{r.GitDir, r.CommonDir, filepath.Join(r.CommonDir, "info"), r.HooksDir, r.Root}
	var names []string
	for _, dir := range slices.Compact(slices.Sorted(slices.Values(dirs))) {
		if dir == "" {
			continue
		}
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if e.Type().IsRegular() && atomicfile.IsTemp(e.Name()) {
				names = append(names, filepath.Join(dir, e.Name()))
			}
		}
	}
	return names
}

// isCacheTemp knows the names under which files of the cache folder are made,
// by this version and those before it.
func isCacheTemp(name string) bool {
	return strings.HasPrefix(name, ".tmp-") || strings.HasPrefix(name, "clock-") ||
		(strings.HasPrefix(name, "cortex-") || strings.HasPrefix(name, ".cortex-")) && strings.HasSuffix(name, ".tmp") ||
		strings.HasSuffix(name, ".tmp") && regexp.MustCompile(`\.\d+\.tmp$`).MatchString(name)
}

// worktreeTemps are files beside those that cortex writes into a working tree:
// memories and pages, agents' files, and what a merge driver merges.
func (r *Repo) worktreeTemps() []string {
	if r.Root == "" {
		return nil
	}
	names, _ := filepath.Glob(filepath.Join(globEscape(r.Root), ".merge_file_*.cortex-tmp"))
	for _, top := range []string{".cortex", ".claude"} {
		walkFiles(filepath.Join(r.Root, top), func(path string) {
			name := filepath.Base(path)
			if strings.HasPrefix(name, ".cortex-") && strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".cortex-tmp") {
				names = append(names, path)
			}
		})
	}
	return names
}

// globEscape makes a path stand for itself in a pattern.
func globEscape(path string) string {
	if os.PathSeparator == '\\' {
		return path // there is no way to, and names are mostly harmless
	}
	return regexp.MustCompile(`[\\*?\[]`).ReplaceAllString(path, `\$0`)
}

// walkFiles visits the regular files below top, as far as they can be seen.
func walkFiles(top string, visit func(path string)) {
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil && d != nil && d.IsDir() {
			return fs.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			visit(path)
		}
		return nil
	})
}

// RemoveLeftovers removes those that are cortex's own, and locks on refs only
// under the lock of cortex that guards the ref. It returns what stays.
func (r *Repo) RemoveLeftovers(ctx context.Context, all []Leftover) ([]Leftover, error) {
	r.StagingArea().clear(ctx)
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
	if err != nil || t.id == "" || t.broken {
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
