package agents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/notices"
)

// Bounds of folding: how long a memory waits before it folds, on how many days the
// journal must have grown since, how often a clone looks for such, and how many one run
// folds.
const (
	foldAfter  = 30 * 24 * time.Hour
	foldDays   = 7
	foldEvery  = 24 * time.Hour
	foldAtOnce = 500
)

// foldMark is the file whose time says when this clone last looked.
const foldMark = "noted"

// folding says which pending memories become notes of their sessions, where a search still
// finds them, and cortex restore makes memories of them again. What a person edited or
// pinned stays, and what has no record.
type folding struct {
	which  string                                 // the memories in words, for the message of the commit
	since  time.Time                              // since when nobody looked at them or recalled them
	waited func(gitops.Entry) bool                // reports whether the file of one waited long enough
	idle   func(*memory.Memory) bool              // reports whether nobody needs one
	stays  func(*session.Session, memory.ID) bool // reports whether the record of its session decides that one stays
}

// foldOld folds pending memories that nobody looked at, recalled, edited or curated for
// thirty days, and returns how many. What was folded once and is pending again was
// restored by a person, and stays.
//
// How long a memory waits is told by the journal's own history and not by its
// date, which is that of the words it was read from. A clock that is years fast for
// an hour makes everything old, so the journal must have grown on a few days since.
func foldOld(ctx context.Context, w *workspace.Workspace) (int, error) {
	cutoff := w.Now().Add(-foldAfter)
	then, err := w.Repo.History().Before(ctx, gitops.JournalRef, cutoff)
	if err != nil || then == "" {
		return 0, err
	}
	if days, err := daysSince(ctx, w, then); err != nil || days < foldDays {
		return 0, err
	}
	old, err := w.Repo.Tree(ctx, string(then), "pending")
	if err != nil || len(old) == 0 {
		return 0, err
	}
	waited := lists.Set(old)
	return folding{
		which: "that nobody looked at", since: cutoff,
		waited: func(e gitops.Entry) bool { return waited[e] },
		idle:   func(*memory.Memory) bool { return true },
		stays:  (*session.Session).HasFolded,
	}.commit(ctx, w)
}

// daysSince is the number of days on which the journal has grown since a commit of
// it, as far as its last thousand commits say.
func daysSince(ctx context.Context, w *workspace.Workspace, then gitops.ObjectID) (int, error) {
	commits, err := w.Repo.History().Log(ctx, string(then)+".."+gitops.JournalRef, nil, 1000)
	days := lists.SetOf(commits, func(c gitops.Commit) string { return c.Time.Format(time.DateOnly) })
	return len(days), err
}

// foldGuesses folds what capture guessed and would keep as a note today (see
// [capture.IsNote]): versions before this one kept it as a memory. It returns how many were
// folded. What another session said again stays, and what a reader or a person has decided
// about.
func foldGuesses(ctx context.Context, w *workspace.Workspace) (int, error) {
	return folding{
		which: "that nobody stands behind", since: w.Now(),
		waited: func(gitops.Entry) bool { return true },
		idle:   func(m *memory.Memory) bool { return capture.IsNote(m) && !reliedOn(m) },
		stays:  (*session.Session).DecidedOn,
	}.commit(ctx, w)
}

// errNothingOld ends a commit of the journal that would fold nothing.
var errNothingOld = errors.New("nothing is old enough")

// commit folds in one commit of the journal, and returns how many memories it folds. Where
// it folds none, nothing is committed.
func (f folding) commit(ctx context.Context, w *workspace.Workspace) (int, error) {
	n := 0
	err := w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{When: w.Now(), Trailers: w.Trailers("", ""), Put: map[string][]byte{}}
		if err := f.into(ctx, snap, &c); err != nil {
			return c, err
		}
		n = len(c.Remove)
		if n == 0 {
			return c, errNothingOld
		}
		c.Message = "fold: " + notices.Memories(n) + " " + f.which
		return c, nil
	})
	if errors.Is(err, errNothingOld) {
		return 0, nil
	}
	return n, err
}

// into adds to a change what folds.
func (f folding) into(ctx context.Context, snap *gitops.Snapshot, c *gitops.Change) error {
	used, err := usedSince(ctx, snap, f.since)
	if err != nil {
		return err
	}
	entries, err := snap.List(ctx, "pending")
	if err != nil {
		return fmt.Errorf("listing what is pending: %w", err)
	}
	entries = lists.Without(entries, func(e gitops.Entry) bool { return !f.waited(e) })
	found, err := memoriesAt(ctx, snap, entries, func(m *memory.Memory) bool {
		return isCaptured(m) && !used[m.ID] && f.idle(m)
	})
	if err != nil || len(found) == 0 {
		return err
	}
	records, err := journal.RecordPaths(ctx, snap)
	if err != nil {
		return err
	}
	open := openRecords{snap: snap, parsed: map[string]*session.Session{}}
	for _, old := range found[:min(len(found), foldAtOnce)] {
		record := records[journal.RecordName(old.m)]
		s, err := open.at(ctx, record)
		if err != nil {
			return err
		}
		if s == nil || f.stays(s, old.m.ID) {
			continue
		}
		s.Decide(session.Verdict{ID: old.m.ID, Is: session.Folded})
		s.AddNote(old.m)
		c.Remove = append(c.Remove, old.path)
		c.Put[record] = session.Format(s)
	}
	return nil
}

// isCaptured reports whether a memory came from a session and no person edited or pinned it.
func isCaptured(m *memory.Memory) bool {
	return m.Source.Session != "" && m.Updated.IsZero() && !m.Pinned
}

// openRecords reads the records of sessions that memories fold into, each once.
type openRecords struct {
	snap   *gitops.Snapshot
	parsed map[string]*session.Session // by path; nil for one that cannot be parsed
}

// at is the record at a path; nil for the path "", and for one that cannot be parsed.
func (r *openRecords) at(ctx context.Context, path string) (*session.Session, error) {
	if s, known := r.parsed[path]; known || path == "" {
		return s, nil
	}
	data, _, err := r.snap.File(ctx, path)
	if err != nil {
		return nil, err
	}
	s, err := session.Parse(data)
	if err != nil {
		s = nil
	}
	r.parsed[path] = s
	return s, nil
}

// usedSince are the memories that some clone recalled, or somebody looked at in a
// review, since a time.
func usedSince(ctx context.Context, snap *gitops.Snapshot, cutoff time.Time) (map[memory.ID]bool, error) {
	out := map[memory.ID]bool{}
	entries, err := snap.List(ctx, "access")
	if err == nil {
		err = snap.Read(ctx, entries, func(_ gitops.Entry, data []byte) error {
			for id, u := range journal.ParseAccess(data) {
				out[id] = out[id] || u.Last.After(cutoff)
			}
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("reading which memories were used: %w", err)
	}
	return out, nil
}

// foldedIn are the findings of a session that were folded into its record.
func foldedIn(ctx context.Context, snap *gitops.Snapshot, path string) (map[memory.ID]bool, error) {
	out := map[memory.ID]bool{}
	data, _, err := fileAt(ctx, snap, path) // nil is no record
	if err != nil {
		return out, err
	}
	if s, err := session.Parse(data); err == nil {
		for _, v := range s.Decided {
			out[v.ID] = v.Is == session.Folded
		}
	}
	return out, nil
}

// foldDaily runs [foldGuesses] and [foldOld] once a day in a clone. Its errors are for the
// log.
func (x *capturer) foldDaily(ctx context.Context) {
	mark := filepath.Join(x.w.Repo.CommonDir, "cortex", foldMark)
	if !foldDue(mark, x.w.Now()) || atomicfile.WritePath(mark, nil, atomicfile.Options{}) != nil {
		return
	}
	for _, fold := range []func(context.Context, *workspace.Workspace) (int, error){foldGuesses, foldOld} {
		n, err := fold(ctx, x.w)
		if err != nil {
			x.w.Notice("folding what nobody used: %v", err)
		}
		if n > 0 {
			x.w.Diary.Note(ctx, "made notes of %s; cortex restore ID makes a memory of one again", notices.Memories(n))
		}
	}
}

// foldDue reports whether a day has gone by since the file that says when this clone last
// looked was written, by a clock that may be wrong either way. It does not know where the
// file cannot be read.
func foldDue(mark string, now time.Time) bool {
	info, err := os.Stat(mark)
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	return now.Sub(info.ModTime()).Abs() >= foldEvery
}
