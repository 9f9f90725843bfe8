package workspace

import (
	"context"
	"path"
	"slices"
	"strings"
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
func (w *Workspace) Received(ctx context.Context) Marks { return w.journal.marks(ctx) }

func (j *journal) marks(ctx context.Context) Marks {
	snap, err := j.snapshot(ctx)
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
