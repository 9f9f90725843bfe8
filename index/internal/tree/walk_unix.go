//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tree

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index/internal/readfile"
	"github.com/git-cortex/cortex/index/internal/work"
	"github.com/git-cortex/cortex/internal/stamp"
	"golang.org/x/sys/unix"
)

// read lists one folder and stats what it holds relative to the open folder,
// which is cheaper than by full paths. The list of names is that of the last
// scan if the folder did not change: files edited in place do not change it.
func (w *walker) read(f *Folder) {
	name := filepath.Join(w.cache.root, filepath.FromSlash(f.Path))
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		f.trouble(f.Path, err)
		return
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		f.trouble(f.Path, err)
		return
	}
	f.Stamp = stamp.OfStat(&st)
	old := w.cache.folder(f.Path)
	if f.reusable(old, w.cache.stamp) {
		f.folders = old.folders
		w.again(f, fd, old)
		return
	}
	names, err := listNames(name)
	if err != nil {
		f.trouble(f.Path, err)
	}
	for _, name := range names {
		if err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			f.trouble(path.Join(f.Path, name), err)
			continue
		}
		w.noteShared(&st)
		f.take(name, readfile.ModeOf(uint32(st.Mode)), stamp.OfStat(&st))
	}
	f.inherit(w.old(f.Path), w.cache.stamp)
}

func listNames(dir string) ([]string, error) {
	file, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	names, err := file.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// again stats the files of old.
func (w *walker) again(f *Folder, fd int, old *cachedFolder) {
	const part = 512
	changes := make([][]change, (old.count+part-1)/part)
	work.Share(len(changes), func(next func() (int, bool)) {
		for i, ok := next(); ok; i, ok = next() {
			first := old.first + i*part
			changes[i] = w.restat(fd, first, min(part, old.first+old.count-first))
		}
	})
	f.reuse(w.cache, old, slices.Concat(changes...))
}

// restat compares n files, from the first on, with the folder fd.
func (w *walker) restat(fd, first, n int) (changed []change) {
	var st unix.Stat_t
	for i := first; i < first+n; i++ {
		was, name := w.cache.row(i).stamp(), w.cache.path(i)
		if w.isPassed(was) {
			continue
		}
		ch := change{at: i}
		if ch.err = statName(fd, name[strings.LastIndexByte(name, '/')+1:], &st); ch.err == nil {
			w.noteShared(&st)
		}
		ch.now = stamp.OfStat(&st)
		ch.gone = ch.err != nil || readfile.ModeOf(uint32(st.Mode)) != 0
		if ch.gone || w.isChanged(was, ch.now) {
			changed = append(changed, ch)
		}
	}
	return changed
}

// isPassed reports whether a file need not be looked at again.
func (w *walker) isPassed(was stamp.Stamp) bool { return w.foldersOnly && !was.Racy(w.cache.stamp) }

// isChanged reports whether a file is not as it was, or may not be.
func (w *walker) isChanged(was, now stamp.Stamp) bool {
	return now != was || now.Racy(w.cache.stamp)
}

// noteShared notes a file that can be written by another name. Folders have several.
func (w *walker) noteShared(st *unix.Stat_t) {
	if st.Nlink > 1 && readfile.ModeOf(uint32(st.Mode)).IsRegular() {
		w.shared.Store(true)
	}
}
