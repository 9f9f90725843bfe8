package workspace

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
)

// What came from a remote is marked in our own journal, in the commit that
// brought it: received/<short id> or received/<record>. Such memories are
// listed and found, but they are not handed to an agent unasked and do not
// land by themselves before somebody here has looked at them. Marks stay in
// the clone: they are not pushed, and those of others are not taken.

// ReceivedFolder is the folder of the journal that holds the marks.
const ReceivedFolder = "received/"

// Marks are the marks of this clone: short ids of pending memories that came
// from a remote, and names of session records.
type Marks map[string]bool

// Entry reports whether an entry is pending and came from a remote.
func (m Marks) Entry(e *Entry) bool {
	return strings.HasPrefix(e.Path, "pending/") && m[e.Memory.ID.Short()]
}

// Record reports whether the session record at a path of the journal came from a
// remote.
func (m Marks) Record(p string) bool { return m[strings.TrimSuffix(path.Base(p), ".md")] }

// Received returns the marks of this clone.
func (w *Workspace) Received(ctx context.Context) Marks {
	snap, err := w.Journal(ctx)
	if err != nil {
		return nil
	}
	entries, err := snap.List(ctx, strings.TrimSuffix(ReceivedFolder, "/"))
	if err != nil || len(entries) == 0 {
		return nil
	}
	marks := make(Marks, len(entries))
	for _, e := range entries {
		marks[strings.TrimPrefix(e.Path, ReceivedFolder)] = true
	}
	return marks
}

// MarkOf returns the path of the mark for a pending memory or a session record,
// given its path in the journal, and "" for other paths.
func MarkOf(p string) string {
	if short, ok := PendingShort(p); ok {
		return ReceivedFolder + short
	}
	if name, ok := strings.CutSuffix(p, ".md"); ok && strings.HasPrefix(p, "sessions/") {
		return ReceivedFolder + path.Base(name)
	}
	return ""
}

// ownEntries leaves out what came from a remote and has not landed.
func ownEntries(marks Marks, entries []Entry) []Entry {
	return slices.DeleteFunc(entries, func(e Entry) bool { return marks.Entry(&e) })
}

// syncStatus counts what came from remotes and waits, and what they lack, as
// far as the last exchange told. It does not use the network.
func (w *Workspace) syncStatus(ctx context.Context, s *Status) error {
	seen, err := w.Repo.Remotes().Tracked(ctx)
	if err != nil || len(seen) == 0 {
		return err
	}
	snap, err := w.Journal(ctx)
	if err != nil {
		return err
	}
	have, err := snap.List(ctx, "")
	if err != nil {
		return fmt.Errorf("reading the journal: %w", err)
	}
	marks := w.Received(ctx)
	for _, e := range have {
		if short, ok := PendingShort(e.Path); ok && marks[short] {
			s.Received++
		}
	}
	for remote, commit := range seen {
		n, err := w.unsent(ctx, have, commit)
		if err != nil {
			return err
		}
		if n > 0 {
			s.Unsent[remote] = n
		}
	}
	return nil
}

// unsent counts the files of the journal that differ from those of an earlier
// state of it.
func (w *Workspace) unsent(ctx context.Context, have []gitops.Entry, commit gitops.ObjectID) (n int, err error) {
	snap, err := w.Repo.Journal().At(ctx, commit)
	if err != nil {
		return 0, fmt.Errorf("reading the journal of a remote: %w", err)
	}
	defer snap.Close()
	theirs, err := snap.List(ctx, "")
	if err != nil {
		return 0, fmt.Errorf("reading the journal of a remote: %w", err)
	}
	differ := make(map[string]gitops.ObjectID, len(have))
	for _, e := range have {
		differ[e.Path] = e.Blob
	}
	for _, e := range theirs {
		if differ[e.Path] == e.Blob {
			delete(differ, e.Path)
		} else {
			differ[e.Path] = e.Blob
		}
	}
	for p := range differ {
		if !strings.HasPrefix(p, ReceivedFolder) {
			n++
		}
	}
	return n, nil
}
