package gitops

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/locks"
)

// MaxFile is the size up to which a journal file is written and read, in bytes.
const MaxFile = 4 << 20

// Journal is the history of what was captured and has not landed, one for all
// branches and worktrees of a repository.
//
// It is safe for concurrent use, also by several processes.
type Journal struct {
	git      *gitcmd.Runner
	objects  *objects
	ref      journalRef
	spool    spool
	safe     safe
	index    *StagingArea // cleared, at each update, of what a killed landing left
	cacheDir string       // where the lock is
	lockWait time.Duration
	ident    string
}

// Journal returns the repository's journal. It costs nothing.
func (r *Repo) Journal() *Journal {
	cache := r.CacheDir()
	return &Journal{
		git: r.git, objects: r.objects, index: r.StagingArea(), cacheDir: cache, lockWait: r.lockWait, ident: r.ident,
		ref: journalRef{
			git: r.git, commonDir: r.CommonDir, cacheDir: cache, ident: r.ident,
			format: r.objects.format,
		},
		spool: spool{filepath.Join(cache, "spool")}, safe: safe{filepath.Join(cache, safeName)},
	}
}

// Change is one commit to the journal.
type Change struct {
	Message  string            // the first line, and a body if any
	Trailers []Trailer         // Cortex-Session, Cortex-Branch, Cortex-Head
	When     time.Time         // never earlier than the parent is written; zero is the parent's time
	Put      map[string][]byte // path to content
	Remove   []string          // paths; absent ones are fine

	// Take is path to a blob that the repository has already, and Merge the
	// state from elsewhere that the change brings together with ours: the
	// commit's second parent. A change with a Merge is never spooled.
	Take  map[string]ObjectID
	Merge ObjectID
}

// Trailer is one "Key: value" line at the end of a commit message.
type Trailer struct{ Key, Value string }

// Outcome says what an update did. All fields zero: there was nothing to do.
type Outcome struct {
	Commit  ObjectID // the new tip; "" when nothing was committed
	Spooled bool     // kept in the spool, because the ref could not be written
	Reason  error    // why the ref could not be written; nil when it was
	Drained int      // changes that were taken out of the spool
	Healed  string   // one line when the journal's tip was unreadable; "" otherwise
}

// Lines returns the notices of an update for a person, one line each.
func (o Outcome) Lines() (lines []string) {
	if o.Spooled && errors.Is(o.Reason, ErrUnreadable) {
		lines = append(lines, fmt.Sprintf(
			"the journal cannot be read now (%v); kept in the spool, until it can be: see cortex doctor", o.Reason))
	} else if o.Spooled {
		lines = append(lines, fmt.Sprintf(
			"the journal could not be written (%v); kept in the spool, the next run takes it in", o.Reason))
	}
	if o.Healed != "" {
		lines = append(lines, o.Healed)
	}
	return lines
}

// Update commits what build returns for the newest snapshot. An empty change
// commits nothing, and a change that equals what is there neither. build may be
// called again when another writer was faster, so it must only read.
//
// reuse is a snapshot the caller has already read from, or nil: when it is
// still the newest, its process and its trees are used again. It is not closed.
//
// What Update acknowledged without an error is on disk: on the ref, or in the
// spool (Outcome.Spooled), from where the next Update takes it.
func (j *Journal) Update(ctx context.Context, reuse *Snapshot,
	build func(*Snapshot) (Change, error),
) (Outcome, error) {
	unlock, err := j.lock(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return Outcome{}, fmt.Errorf("locking the journal: %w", ctx.Err())
		}
		return j.spoolOnly(ctx, build, fmt.Errorf("locking the journal: %w", err))
	}
	defer unlock()
	u := update{journal: j, reuse: reuse, build: build}
	defer u.close()
	return u.run(ctx)
}

// Repair reads everything that the tip reaches and, when something is
// unreadable, takes the journal back to its newest readable state. It takes in
// what waits in the spool. An error is a journal that could not be written.
func (j *Journal) Repair(ctx context.Context) (Outcome, error) {
	out, err := j.Update(ctx, nil, func(s *Snapshot) (Change, error) {
		r, done := s.use()
		defer done()
		if r.commit == "" || r.healed != "" {
			return Change{}, nil
		}
		_, err := r.store.verify(ctx, r.commit)
		return Change{}, err
	})
	if err == nil && out.Reason != nil {
		err = out.Reason
	}
	return out, err
}

// Mended writes to disk what reading has healed in s, tells of it, and returns what is
// there then: until it is on disk, a gc could take it. Where it cannot be written now, s
// is returned, and the next update does it; so it is where nothing may be written.
func (j *Journal) Mended(ctx context.Context, s *Snapshot, may bool, tell func(context.Context, string)) *Snapshot {
	if !may {
		return s
	}
	out, err := j.Repair(ctx)
	if err != nil || out.Healed == "" {
		return s
	}
	tell(ctx, out.Healed)
	again, err := j.Snapshot(ctx)
	if err != nil {
		return s
	}
	_ = s.Close() // it has nothing to write
	return again
}

// lock takes the journal's lock, at most for the repository's LockWait.
func (j *Journal) lock(ctx context.Context) (unlock func(), err error) {
	return locks.File(ctx, filepath.Join(j.cacheDir, "lock"), j.lockWait)
}

// spoolOnly keeps a change when the ref cannot be written. It is built on what
// can be read; that may be nothing.
func (j *Journal) spoolOnly(ctx context.Context, build func(*Snapshot) (Change, error),
	cause error,
) (Outcome, error) {
	s, err := j.Snapshot(ctx)
	if err != nil {
		s = &Snapshot{reading: j.blank()}
	}
	defer s.Close()
	change, err := build(s)
	if err != nil {
		return Outcome{}, err
	}
	return j.keep(ctx, change, cause)
}

func (j *Journal) keep(ctx context.Context, change Change, cause error) (Outcome, error) {
	if change.Merge != "" {
		return Outcome{}, cause
	}
	if change.empty() {
		return Outcome{Reason: cause}, nil
	}
	if err := change.check(); err != nil {
		return Outcome{}, err
	}
	if err := j.spool.append(ctx, change); err != nil {
		return Outcome{}, fmt.Errorf("%w; %w", cause, err)
	}
	return Outcome{Spooled: true, Reason: cause}, nil
}

// canWait reports whether the change goes into the spool: a merge that is lost is made
// again.
func (c Change) canWait() bool { return !c.empty() && c.Merge == "" }

func (c Change) empty() bool {
	return len(c.Put)+len(c.Remove)+len(c.Take) == 0 && c.Merge == ""
}

// check refuses what could never be committed, so that it cannot block the spool.
func (c Change) check() error {
	const doing = "writing the journal"
	paths := slices.AppendSeq(slices.Collect(maps.Keys(c.Put)), maps.Keys(c.Take))
	if i := slices.IndexFunc(paths, func(path string) bool { return !validPath(path) }); i >= 0 {
		return fmt.Errorf("%s: %q is not a journal path", doing, paths[i])
	}
	for path, data := range c.Put {
		if len(data) > MaxFile {
			return fmt.Errorf("%s: %s is larger than %d bytes", doing, path, MaxFile)
		}
	}
	for path, id := range c.Take {
		if !isHexID(string(id)) {
			return fmt.Errorf("%s: %s: %q is not an object id", doing, path, id)
		}
	}
	return nil
}

// text is the commit message: message, blank line, trailers. Values cannot
// break out of their line.
func (c Change) text() string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(strings.ReplaceAll(c.Message, "\x00", "")))
	b.WriteByte('\n')
	for i, t := range c.Trailers {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t.Key + ": " + strings.Join(strings.Fields(strings.ReplaceAll(t.Value, "\x00", "")), " ") + "\n")
	}
	return b.String()
}

// EverHeld returns the contents of all pending files that a state of the journal has had.
func (j *Journal) EverHeld(ctx context.Context) map[ObjectID]bool {
	out, err := j.git.Run(ctx, gitcmd.Command{Args: []string{
		"-c", "log.showSignature=false", "log", "-m", "--raw", "--no-abbrev", "--no-renames", "--format=",
		JournalRef, "--", "pending",
	}})
	held := map[ObjectID]bool{}
	for line := range strings.Lines(string(out)) { // :MODE MODE OLD NEW LETTER
		if f := strings.Fields(line); err == nil && len(f) > 4 {
			held[ObjectID(f[2])], held[ObjectID(f[3])] = true, true
		}
	}
	return held
}
