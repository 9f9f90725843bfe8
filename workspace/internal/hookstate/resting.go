package hookstate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// The files by which git's hooks know that cortex has nothing to do. The lines of the hooks read
// and write them too: see package clone of gitops, and docs/behaviour.md, "Git rules".
const (
	restingFile = "resting"       // what must be as it was, two lines each, and the line "end"
	turnFile    = "turn"          // the commit that this holds at, or the git that is making the next one
	untilFile   = "resting-until" // its time is when that ends
)

// settledTurn is in the turn until the hook has put in its place which git called it.
const settledTurn = "settled\n"

// racy is how old a file must be for its time to tell whether it is changed once more.
const racy = 2 * time.Second

// Resting holds the files by which git's hooks tell that they have nothing to do, as they were before
// cortex found that out. A nil one keeps nothing. It is for one goroutine.
type Resting struct {
	place Place
	lines []string // two for each file: its path, and what it says or how it stands
	dated []string // files of which only the time is compared
}

// Rest forgets that git's hooks have nothing to do, and reads what that depends on if it is so at
// a commit of a branch: the journal, HEAD, and the settings. It is nil where the hooks cannot tell: in a
// linked working tree, and where refs are not in files.
func (p Place) Rest(branch, commit string) *Resting {
	r := &Resting{place: p}
	for _, name := range []string{turnFile, restingFile} {
		_ = os.Remove(r.file(name)) // it need not be there
	}
	head := "refs/heads/" + branch
	if !p.mayRest() || !p.isAt(head, commit) {
		return nil
	}
	r.add(p.inGit(head), "is HEAD") // the first: post-commit reads it
	r.Watch("HEAD", gitops.JournalRef)
	r.dated = []string{
		p.inGit("packed-refs"), p.inGit("config"), filepath.Join(p.Cache(), "spool"),
		filepath.Join(p.Root, filepath.FromSlash(ConfigPath)),
		filepath.Join(p.Root, filepath.Dir(filepath.FromSlash(ConfigPath))),
	}
	return r
}

// isAt reports whether HEAD is at a commit of a branch, and files say so.
func (p Place) isAt(ref, commit string) bool {
	return commit != "" && p.line("HEAD") == "ref: "+ref && p.line(ref) == commit
}

// Watch reads refs on which it depends too, but for the branch itself.
func (r *Resting) Watch(refs ...string) {
	if r == nil {
		return
	}
	slices.Sort(refs)
	for _, ref := range slices.Compact(refs) {
		if file := r.place.inGit(ref); file != r.lines[0] {
			r.add(file, r.place.line(ref))
		}
	}
}

func (p Place) inGit(name string) string { return filepath.Join(p.Common, filepath.FromSlash(name)) }

func (p Place) line(name string) string { return gitops.FirstLine(p.inGit(name)) }

// mayRest reports whether the lines of a hook can tell what changes here. In a shell of Windows they
// do not know which git called them.
func (p Place) mayRest() bool {
	if p.Git != p.Common || p.Root == "" {
		return false
	}
	if runtime.GOOS == "windows" || p.joining() {
		return false
	}
	_, err := os.Stat(p.inGit("reftable"))
	return errors.Is(err, fs.ErrNotExist)
}

// add adds what a file says, or how it must stand.
func (r *Resting) add(file, want string) { r.lines = append(r.lines, file, want) }

// Keep notes that post-commit has nothing to do after this commit, and that both hooks have nothing to do
// while all is as it was read, until a time, which may be zero. A note that cannot be written is none.
func (r *Resting) Keep(until time.Time) {
	if r == nil {
		return
	}
	if !until.IsZero() {
		r.add(r.file(untilFile), "is in the future")
	}

	for _, file := range r.dated {
		r.add(file, "is not newer")
	}
	if r.write(until) != nil {
		_ = os.Remove(r.file(restingFile))
	}
}

func (r *Resting) file(name string) string { return filepath.Join(r.place.Cache(), name) }

// put writes a file. If it gets a time, that is its time then.
func (r *Resting) put(name, text string, at time.Time) error {
	if err := atomicfile.WritePath(r.file(name), []byte(text), atomicfile.Options{NoSync: true}); err != nil {
		return err
	}
	if at.IsZero() {
		return nil
	}
	return os.Chtimes(r.file(name), at, at)
}

// write writes the files, the turn last.
func (r *Resting) write(until time.Time) error {
	text := strings.Join(append(r.lines, "end"), "\n") + "\n"
	for _, step := range []func() error{
		func() error { return r.put(untilFile, "", until) },
		func() error { return r.put(restingFile, text, time.Time{}) },
		r.age,
		func() error { return r.put(turnFile, settledTurn, time.Time{}) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// age makes the note a little older than it is, so that a change of a file that is compared by its time
// makes that one newer. It is an error where one may have been changed since it was read.
func (r *Resting) age() error {
	info, err := os.Lstat(r.file(restingFile))
	if err != nil {
		return err
	}
	for _, file := range r.dated {
		if isNewer(file, info.ModTime().Add(-racy)) {
			return fmt.Errorf("%s was changed just now", file)
		}
	}

	earlier := info.ModTime().Add(-racy / 2)
	return os.Chtimes(r.file(restingFile), earlier, earlier)
}

func isNewer(file string, than time.Time) bool {
	info, err := os.Stat(file)
	return err == nil && info.ModTime().After(than)
}
