package gitops

import (
	"bytes"
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

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/gitops/internal/locks"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/stamp"
)

// ErrUnreadable is a journal that exists, of which no readable state was found, and of
// which one may be found yet. It is never written over; captures go to the spool.
var ErrUnreadable = errors.New("no state of the journal can be read")

// tip is the commit that the journal's ref names, as far as it can be read.
type tip struct {
	id     ObjectID // "" when absent or broken
	broken bool     // there is a ref, or there was one, and git cannot resolve it
	raw    string   // the loose file of a broken ref, for the record
}

// journalRef is the ref of the journal and its log. Every change is made by git,
// and most take the journal's lock. It is safe for concurrent use.
type journalRef struct {
	git       *gitcmd.Runner
	commonDir string
	cacheDir  string
	ident     string // of the writer
	format    gitobject.Format
}

func (r journalRef) file() string {
	return filepath.Join(r.commonDir, filepath.FromSlash(JournalRef))
}

func (r journalRef) log() string {
	return filepath.Join(r.commonDir, "logs", filepath.FromSlash(JournalRef))
}

// tip reads the ref. The loose file, when it holds an id, is the value by git's
// own rules, and costs no process; everything else is asked of git, and every
// update is checked by git's compare-and-swap. Absent is only what has neither
// a file nor a log.
func (r journalRef) tip(ctx context.Context, s *store) (tip, error) {
	t, found, err := r.look(ctx, s)
	if err == nil && !found { // a pack-refs between its two looks may have hidden the ref
		t, _, err = r.look(ctx, s)
	}
	return t, err
}

// look reads the ref once: what its file says, else what git says. Where neither says anything,
// found is false, and the tip is broken: a log without entries was expired, so the journal was there.
func (r journalRef) look(ctx context.Context, s *store) (t tip, found bool, err error) {
	raw, missing, err := r.loose()
	if err != nil {
		return tip{}, false, err
	}
	if id := strings.TrimSuffix(string(raw), "\n"); isHexID(id) {
		return tip{id: ObjectID(id)}, true, nil
	}
	if missing && r.neverCaptured() {
		return tip{}, true, nil
	}
	return r.askTip(ctx, s, raw, missing)
}

// loose reads the file of the ref.
func (r journalRef) loose() (raw []byte, missing bool, err error) {
	raw, err = os.ReadFile(r.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading %s: %w", JournalRef, err)
	}
	return raw, false, nil
}

// askTip asks git for the ref, of whose file raw was read, or which has none.
func (r journalRef) askTip(ctx context.Context, s *store, raw []byte, missing bool) (t tip, found bool, err error) {
	a, err := s.ask(ctx, JournalRef, 0)
	if err != nil && !errors.Is(err, errDamaged) {
		return tip{}, false, err
	}
	if a.ID == "" {
		head := raw[:min(len(raw), 200)]
		return tip{broken: true, raw: string(head)}, false, nil
	}
	t = tip{id: a.ID}
	if missing && r.passed(a.ID) {
		t = tip{broken: true, raw: string(a.ID)}
	}
	return t, true, nil
}

// passed reports whether the journal was at a later state than id, which packed-refs
// names: then the file of the ref is lost, and with it the newest states. The log says
// so; where it was expired, the safe does.
func (r journalRef) passed(id ObjectID) bool {
	data, err := os.ReadFile(r.log())
	if err != nil {
		return false // a reftable, or a ref that was made by hand
	}
	if states := logStates(string(data)); len(states) > 0 {
		at := slices.Index(states, id)
		return at >= 0 && states[len(states)-1] != id
	}
	_, kept := safe{filepath.Join(r.cacheDir, safeName)}.read(r.format)
	return slices.Index(kept, id) > 0
}

// locks reports whether the lock file at path is the one of the journal's ref.
func (r journalRef) locks(path string) bool {
	return sameFile(path, locks.OfRef(r.commonDir, r.cacheDir, JournalRef).Path)
}

// journalMark changes with everything that is written to the journal.
type journalMark struct {
	ref    string      // the loose file, which most often holds the id
	packed stamp.Stamp // where the id is when there is no such file
	tables stamp.Stamp // the same, of a repository that keeps refs in tables
	spool  stamp.Stamp
}

// mark is the mark of the journal as it is now. It costs a file to read and one
// to look at, or three to look at where the ref has no file of its own.
func (j *Journal) mark() (m journalMark) {
	m.spool, _ = stamp.Lstat(j.spool.path)
	raw, _ := os.ReadFile(j.ref.file())
	if m.ref = string(raw); m.ref == "" {
		m.packed, _ = stamp.Lstat(filepath.Join(j.ref.commonDir, "packed-refs"))
		m.tables, _ = stamp.Lstat(filepath.Join(j.ref.commonDir, "reftable", "tables.list"))
	}
	return m
}

// maxPackedRefs bounds the file of packed refs that is read here, in bytes.
const maxPackedRefs = 1 << 20

// neverCaptured reports whether the files of refs alone say that there is no
// journal and never was: no log, and a readable packed-refs without it. It is
// called after the loose file was found missing; git packs a ref before it
// removes that file, so a ref that was just packed is seen.
func (r journalRef) neverCaptured() bool {
	for _, name := range []string{r.log(), filepath.Join(r.commonDir, "reftable")} {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	packed := filepath.Join(r.commonDir, "packed-refs")
	info, err := os.Stat(packed)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	if info.Size() > maxPackedRefs {
		return false
	}
	data, err := os.ReadFile(packed)
	return err == nil && !bytes.Contains(data, []byte(JournalRef+"\n"))
}

// states is the states the journal has had, newest first, each once.
func (r journalRef) states(ctx context.Context) []ObjectID {
	data, err := os.ReadFile(r.log())
	if err != nil { // reftable keeps logs elsewhere
		out, _ := r.git.Run(ctx, gitcmd.Command{Args: []string{"reflog", "show", "--format=%H", JournalRef, "--"}})
		data = out
	}
	var ids []ObjectID
	for line := range strings.Lines(string(data)) { // "<old> <new> …"; a torn one is passed over
		fields := strings.Fields(line)
		for _, field := range fields[:min(2, len(fields))] {
			if isHexID(field) && !isNone(field) {
				ids = append(ids, ObjectID(field))
			}
		}
	}
	if err == nil {
		slices.Reverse(ids)
	}
	return once(ids)
}

// isNone reports whether an id is that of no object, with which git begins a log.
func isNone(id string) bool { return strings.Trim(id, "0") == "" }

// once is ids without repetitions.
func once(ids []ObjectID) []ObjectID {
	seen := make(map[ObjectID]bool)
	return lists.Without(ids, func(id ObjectID) bool {
		dup := seen[id]
		seen[id] = true
		return dup
	})
}

// Bounds of healing.
const (
	maxHealing = 200 // states that are tried
	maxLooks   = 3   // how often
)

// newestReadable is [store.newestReadable], asked again before a state is given up:
// under a repack or on a disk that fails for a moment, an object that cannot be read
// now is read a moment later. What git has lost of the state is read from the safe;
// back are those objects.
func (j *Journal) newestReadable(ctx context.Context, states []ObjectID, depth int) (
	id ObjectID, c gitobject.Commit, back map[ObjectID]object, lost []ObjectID, err error,
) {
	spare, _ := j.safe.read(j.objects.format)
	for look := 1; ; look++ {
		disk := newStore(j.objects) // without what is only staged
		disk.spare, disk.sound = spare, make(map[ObjectID]bool)
		id, c, lost, err = disk.newestReadable(ctx, states, depth)
		back = disk.staged
		disk.close()
		if len(lost)+len(back) == 0 || look == maxLooks || ctx.Err() != nil {
			return id, c, back, lost, err
		}
		locks.Pause(ctx, time.Duration(look)*50*time.Millisecond)
	}
}

// newestReadable finds the newest of states that can be read whole, with
// the states before it as far as depth says, and names those that cannot.
func (s *store) newestReadable(ctx context.Context, states []ObjectID, depth int) (id ObjectID, c gitobject.Commit,
	lost []ObjectID, err error,
) {
	known := make(map[ObjectID]gitobject.Commit)
	for i, id := range states {
		if i == maxHealing {
			break
		}
		c, err := s.verifyChain(ctx, id, depth, known)
		if err == nil {
			return id, c, lost, nil
		}
		switch {
		case errors.Is(err, errDamaged):
			lost = append(lost, id)
		case !errors.Is(err, gitcmd.ErrPartial):
			return "", gitobject.Commit{}, nil, err // which says nothing about this state
		}
	}
	return "", gitobject.Commit{}, lost, ErrUnreadable
}

// verifyChain verifies id and depth commits before it, and as many more as the safe has:
// of those that were made beside a gc, any may be lost. known are commits that
// were verified already.
func (s *store) verifyChain(ctx context.Context, id ObjectID, depth int,
	known map[ObjectID]gitobject.Commit,
) (newest gitobject.Commit, err error) {
	for at, n := id, 0; at != ""; n++ {
		if _, held := s.spare[at]; n > depth && !held {
			break
		}
		c, ok := known[at]
		if !ok {
			if c, err = s.verify(ctx, at); err != nil {
				return gitobject.Commit{}, err
			}
			known[at] = c
		}
		if n == 0 {
			newest = c
		}
		at = c.Parent
	}
	return newest, nil
}

// verify reads everything that a journal commit reaches, its history apart.
func (s *store) verify(ctx context.Context, id ObjectID) (gitobject.Commit, error) {
	c, err := s.commit(ctx, id)
	if err != nil {
		return c, err
	}
	var blobs []ObjectID
	err = s.walk(ctx, c.Tree, "", func(_ string, e gitobject.Entry) error {
		if e.IsFile() && !s.sound[e.ID] {
			blobs = append(blobs, e.ID)
		}
		return nil
	})
	if err != nil {
		return c, err
	}
	return c, s.readBlobs(ctx, blobs, maxObject, func(i int, data []byte) error {
		if data == nil {
			return fmt.Errorf("reading object %s: %w", blobs[i], errDamaged)
		}
		if s.sound != nil {
			s.sound[blobs[i]] = true
		}
		return nil
	})
}

// maxVisits bounds the entries of one walk: a few trees that name each other's
// parts many times can stand for millions.
const maxVisits = 1 << 20

// walk visits every entry below the tree that is not a folder. Folders whose
// name or depth cortex would not have written are visited as entries.
func (s *store) walk(ctx context.Context, id ObjectID, prefix string,
	visit func(path string, e gitobject.Entry) error,
) error {
	if prefix == "" {
		s.visits = maxVisits
	}
	entries, err := s.tree(ctx, id)
	if err != nil {
		return err
	}
	if s.visits -= len(entries); s.visits <= 0 {
		s.visits = 0
		return fmt.Errorf("reading tree %s: more than %d entries", id, maxVisits)
	}
	for _, e := range entries {
		path := prefix + e.Name
		if e.IsDir() && gitobject.PlainName(e.Name) && strings.Count(path, "/") < maxDepth {
			err = s.walk(ctx, e.ID, path+"/", visit)
		} else {
			err = visit(path, e)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// forgetLost takes states that healing has found unreadable out of the log of
// the journal's ref: git fsck complains of each, for as long as the log names
// it, and there is nothing behind them. The caller holds the journal's lock,
// and the ref points at a sound state again. An entry that can be read now,
// with the depth states before it that git fsck reads too, stays, for the disk
// may have failed for a moment only; and so does everything when git cannot do
// it: then the journal is as sound as before.
func (j *Journal) forgetLost(ctx context.Context, lost []ObjectID, depth int) {
	if len(lost) == 0 {
		return
	}
	again := newStore(j.objects)
	defer again.close()
	known := make(map[ObjectID]gitobject.Commit)
	lost = lists.Without(lost, func(id ObjectID) bool {
		_, err := again.verifyChain(ctx, id, depth, known)
		return !errors.Is(err, errDamaged)
	})
	data, err := os.ReadFile(j.ref.log())
	if err != nil {
		return // no log, or a reftable
	}
	states := logStates(string(data))
	args := []string{"-c", "core.fsync=all", "reflog", "delete", "--rewrite"}
	n := len(args)
	// Oldest first: git deletes one after another, and counts from the newest.
	for i, id := range states {
		if back := len(states) - 1 - i; back > 0 && slices.Contains(lost, id) {
			args = append(args, fmt.Sprintf("%s@{%d}", JournalRef, back))
		}
	}
	if len(args) == n {
		return
	}
	if _, err := j.git.Run(ctx, gitcmd.Inside(j.ref.commonDir, j.ref.ident, args)); err == nil {
		_ = j.ref.sync(false)
	}
}

// logsNoMore reports whether the log of the ref reaches back to the first state, and
// names no more states than there are changes. A reftable does not tell.
func (r journalRef) logsNoMore(states, changes int) bool {
	data, err := os.ReadFile(r.log())
	first, _, _ := strings.Cut(string(data), " ")
	whole := err == nil && isHexID(first) && isNone(first)
	return whole && states > 0 && states <= changes
}

// logEntry matches an entry of a log as git parses it:
// <old> SP <new> SP <name> <mail> SP <seconds> SP <zone> [TAB <message>] LF.
var logEntry = lazy.Value(func() *regexp.Regexp {
	const id = `(?:[0-9a-f]{40}|[0-9a-f]{64})`
	return regexp.MustCompile(`(?m)^` + id + ` (` + id + `) [^>\n]*> *0*[1-9][0-9]* [+-][0-9]{4}[^\n]*\n`)
})

// logStates is the new state of each entry of a log, oldest first, as git
// counts them: what it cannot parse is no entry.
func logStates(log string) []ObjectID {
	return lists.Map(logEntry().FindAllStringSubmatch(log, -1), func(entry []string) ObjectID {
		return ObjectID(entry[1])
	})
}
