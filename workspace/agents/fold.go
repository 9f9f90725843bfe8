package agents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Bounds of folding: how long a memory waits before it folds, on how many days the
// journal must have grown since, how often a clone looks for such, how many one run
// folds, and how much of a text is kept.
const (
	foldAfter  = 30 * 24 * time.Hour
	foldDays   = 7
	foldEvery  = 24 * time.Hour
	foldAtOnce = 500
	foldedSize = 600 // bytes
)

// foldMark is the file whose time says when this clone last looked.
const foldMark = "folded"

// FoldOld folds pending memories that nobody looked at, recalled, edited or
// curated for thirty days into the records of their sessions, where a search of
// sessions still finds their words. What a person wrote or pinned stays, and what
// has no record. cortex restore brings a folded one back. It returns how many
// were folded.
//
// How long a memory waits is told by the journal's own history and not by its
// date, which is that of the words it was read from. A clock that is years fast for
// an hour makes everything old, so the journal must have grown on a few days since.
func FoldOld(ctx context.Context, w *workspace.Workspace) (int, error) {
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
	waited := make(map[gitops.Entry]bool, len(old))
	for _, e := range old {
		waited[e] = true
	}
	return foldWith(ctx, w, "that nobody looked at", func(snap *gitops.Snapshot, c *gitops.Change) (int, error) {
		used, err := usedSince(ctx, snap, cutoff)
		if err != nil {
			return 0, err
		}
		return foldInto(ctx, snap, c, func(e gitops.Entry) bool { return waited[e] }, func(m *memory.Memory) bool { return !used[m.ID] }, (*session.Session).HasFolded)
	})
}

// foldWith commits to the journal what fold puts into a change, and returns how many
// memories that folds. The message of the commit says which they are. Where it folds none,
// nothing is committed.
func foldWith(ctx context.Context, w *workspace.Workspace, which string, fold func(*gitops.Snapshot, *gitops.Change) (int, error)) (int, error) {
	n := 0
	err := w.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{When: w.Now(), Trailers: w.Trailers("", ""), Put: map[string][]byte{}}
		var err error
		n, err = fold(snap, &c)
		c.Message = "fold: " + workspace.CountMemories(n) + " " + which
		if err == nil && n == 0 {
			err = errNothingOld
		}
		return c, err
	})
	if errors.Is(err, errNothingOld) {
		return 0, nil
	}
	return n, err
}

// daysSince is the number of days on which the journal has grown since a commit of
// it, as far as its last thousand commits say.
func daysSince(ctx context.Context, w *workspace.Workspace, then gitops.ObjectID) (int, error) {
	commits, err := w.Repo.History().Log(ctx, string(then)+".."+gitops.JournalRef, nil, 1000)
	days := map[string]bool{}
	for _, c := range commits {
		days[c.Time.Format(time.DateOnly)] = true
	}
	return len(days), err
}

var errNothingOld = errors.New("nothing is old enough")

// usedSince are the memories that some clone recalled, or somebody looked at in a
// review, since a time.
func usedSince(ctx context.Context, snap *gitops.Snapshot, cutoff time.Time) (map[memory.ID]bool, error) {
	out := map[memory.ID]bool{}
	entries, err := snap.List(ctx, "access")
	if err == nil {
		err = snap.Read(ctx, entries, func(_ gitops.Entry, data []byte) error {
			for id, u := range workspace.ParseAccess(data) {
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

// foldInto adds to a change what moves from pending into session records: of the files
// that waited long enough, the memories that idle says nobody needs, but for those that
// the record of their session has settled: what was folded once and is pending again was
// restored by a person, and stays.
func foldInto(ctx context.Context, snap *gitops.Snapshot, c *gitops.Change, waited func(gitops.Entry) bool, idle func(*memory.Memory) bool, settled func(*session.Session, memory.ID) bool) (int, error) {
	entries, err := snap.List(ctx, "pending")
	if err != nil {
		return 0, fmt.Errorf("listing what is pending: %w", err)
	}
	entries = slices.DeleteFunc(entries, func(e gitops.Entry) bool { return !waited(e) })
	records, err := recordPaths(ctx, snap)
	if err != nil || len(entries) == 0 {
		return 0, err
	}
	sessions := map[string]*session.Session{}
	n := 0
	err = snap.Read(ctx, entries[:min(len(entries), foldAtOnce)], func(e gitops.Entry, data []byte) error {
		m, err := memory.Parse(e.Path, data)
		if err != nil || m.Pinned || !m.Updated.IsZero() || m.Source.Session == "" || !idle(m) {
			return nil
		}
		path := records[recordName(m)]
		if path == "" {
			return nil
		}
		s := sessions[path]
		if s == nil {
			record, _, err := snap.File(ctx, path)
			if err != nil {
				return err
			}
			if s, err = session.Parse(record); err != nil {
				return nil
			}
			sessions[path] = s
		}
		if settled(s, m.ID) {
			return nil
		}
		s.Decide(session.Verdict{ID: m.ID, Is: session.Folded, Note: foldedNote(m)})
		c.Remove = append(c.Remove, e.Path)
		n++
		return nil
	})
	for path, s := range sessions {
		c.Put[path] = session.Format(s)
	}
	return n, err
}

// foldedNote returns the note that replaces a memory in the record of its session:
// type, title and text on one line, cut after foldedSize bytes.
func foldedNote(m *memory.Memory) string {
	note := string(m.Type) + ": " + memory.OneLine(memory.Clean(m.Title+". "+m.Text))
	if len(note) <= foldedSize {
		return note
	}
	return strings.ToValidUTF8(note[:foldedSize], "") + "…"
}

func recordName(m *memory.Memory) string {
	p := (&session.Session{Agent: m.Source.Agent, ID: m.Source.Session}).Path()
	return p[strings.LastIndexByte(p, '/')+1:]
}

// recordPaths are the paths of session records by their names.
func recordPaths(ctx context.Context, snap *gitops.Snapshot) (map[string]string, error) {
	entries, err := snap.List(ctx, "sessions")
	if err != nil {
		return nil, fmt.Errorf("listing session records: %w", err)
	}
	out := make(map[string]string, len(entries))
	for _, e := range entries {
		out[e.Path[strings.LastIndexByte(e.Path, '/')+1:]] = e.Path
	}
	return out, nil
}

// foldDaily runs [FoldOld] once a day in a clone. Its errors are for the log.
func (x *capturer) foldDaily(ctx context.Context) {
	mark := filepath.Join(x.w.Repo.CommonDir, "cortex", foldMark)
	info, err := os.Stat(mark)
	if err == nil && x.w.Now().Sub(info.ModTime()).Abs() < foldEvery || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err := atomicfile.WritePath(mark, nil, atomicfile.Options{}); err != nil {
		return
	}
	if n, err := FoldOld(ctx, x.w); err != nil {
		x.w.Notice("folding what nobody looked at: %v", err)
	} else if n > 0 {
		x.w.Diary.Note(ctx, "folded %s into session records", workspace.CountMemories(n))
	}
}

// foldedIn are the findings of a session that were folded into its record.
func foldedIn(ctx context.Context, snap *gitops.Snapshot, path string) (map[memory.ID]bool, error) {
	out := map[memory.ID]bool{}
	data, there, err := fileAt(ctx, snap, path)
	if err != nil || !there {
		return out, err
	}
	if s, err := session.Parse(data); err == nil {
		for _, v := range s.Decided {
			out[v.ID] = v.Is == session.Folded
		}
	}
	return out, nil
}
