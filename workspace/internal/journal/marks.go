package journal

import (
	"context"
	"errors"
	"path"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/places"
	"github.com/git-cortex/cortex/workspace/internal/trust"
)

// What came from a remote is marked in our own journal, in the commit that
// brought it: received/<id> or received/<record>. Such memories are
// listed and found, but they are not handed to an agent unasked and do not
// land by themselves before somebody here has looked at them, and until then their
// links say nothing about other memories. Marks stay in
// the clone: they are not pushed, and those of others are not taken.

// ReceivedFolder is the folder of the journal that holds the marks.
const ReceivedFolder = "received/"

// OwnMark reports whether a path of the journal is a mark of this clone, which is never
// exchanged.
func OwnMark(p string) bool {
	return strings.HasPrefix(p, ReceivedFolder) || strings.HasPrefix(p, trust.AcceptedFolder)
}

// Marks are the marks of this clone: ids of pending memories that came from a
// remote, and names of session records.
type Marks map[string]bool

// everything stands among marks that could not be read: whatever is pending may have come
// from a remote then, and is treated so.
const everything = "*"

// Item reports whether an item that holds the memory of an id is pending and came from a
// remote.
func (m Marks) Item(it *index.Item, id memory.ID) bool {
	return strings.HasPrefix(it.Path, "pending/") && m.Memory(id)
}

// Memory reports whether a memory that is pending came from a remote.
func (m Marks) Memory(id memory.ID) bool {
	return m[string(id)] || m[everything]
}

// Record reports whether the session record at a path of the journal came from a
// remote.
func (m Marks) Record(p string) bool {
	return m[strings.TrimSuffix(path.Base(p), ".md")] || m[everything]
}

// Unreadable returns an error where the marks could not be read. What writes has to look.
func (m Marks) Unreadable() error {
	if m[everything] {
		return errors.New("reading what came from remotes: the journal cannot be read")
	}
	return nil
}

// Marks returns the marks of this clone. Where they cannot be read, everything that is
// pending counts as marked.
func (j *Journal) Marks(ctx context.Context) Marks {
	snap, err := j.Snapshot(ctx)
	if err != nil {
		return Marks{everything: true}
	}
	return MarksIn(ctx, snap)
}

// MarksIn is [Journal.Marks] of one state.
func MarksIn(ctx context.Context, snap *gitops.Snapshot) Marks {
	entries, err := snap.List(ctx, strings.TrimSuffix(ReceivedFolder, "/"))
	if err != nil {
		return Marks{everything: true}
	}
	if len(entries) == 0 {
		return nil
	}
	marks := make(Marks, len(entries))
	for _, e := range entries {
		marks[strings.TrimPrefix(e.Path, ReceivedFolder)] = true
	}
	return marks
}

// MarkOf returns the path of the mark for what is at a path of the journal: for a
// pending memory, which has this id, or for a session record. It is "" for other
// paths.
func MarkOf(p string, id memory.ID) string {
	if _, ok := places.Short(p); ok {
		return ReceivedFolder + string(id)
	}
	if name, ok := strings.CutSuffix(p, ".md"); ok && strings.HasPrefix(p, "sessions/") {
		return ReceivedFolder + path.Base(name)
	}
	return ""
}
