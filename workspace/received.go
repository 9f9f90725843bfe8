package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/hearsay"
	"github.com/git-cortex/cortex/workspace/internal/places"
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
	return strings.HasPrefix(p, ReceivedFolder) || strings.HasPrefix(p, AcceptedFolder)
}

// Marks are the marks of this clone: ids of pending memories that came from a
// remote, and names of session records. Earlier versions wrote short ids.
type Marks map[string]bool

// everything stands among marks that could not be read: whatever is pending may have come
// from a remote then, and is treated so.
const everything = "*"

// Entry reports whether an entry is pending and came from a remote.
func (m Marks) Entry(e *Entry) bool {
	return strings.HasPrefix(e.Path, "pending/") && m.Memory(e.Memory.ID)
}

// Memory reports whether a memory that is pending came from a remote.
func (m Marks) Memory(id memory.ID) bool {
	return m[string(id)] || m[id.Short()] || m[everything]
}

// Record reports whether the session record at a path of the journal came from a
// remote.
func (m Marks) Record(p string) bool {
	return m[strings.TrimSuffix(path.Base(p), ".md")] || m[everything]
}

// Received returns the marks of this clone. Where they cannot be read, everything that is
// pending counts as marked.
func (w *Workspace) Received(ctx context.Context) Marks { return w.journal.marks(ctx) }

// Unreadable returns an error where the marks could not be read. What writes has to look.
func (m Marks) Unreadable() error {
	if m[everything] {
		return errors.New("reading what came from remotes: the journal cannot be read")
	}
	return nil
}

func (j *journal) marks(ctx context.Context) Marks {
	snap, err := j.snapshot(ctx)
	if err != nil {
		return Marks{everything: true}
	}
	return marksIn(ctx, snap)
}

func marksIn(ctx context.Context, snap *gitops.Snapshot) Marks {
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

// ErrReceived is a pending memory that came from a remote, and an agent that asks to
// accept it.
var ErrReceived = errors.New("it came from another clone: only a person can accept that")

// ErrUnsaid is a pending memory that nobody here is known to have said, and an agent that
// asks to accept it.
var ErrUnsaid = errors.New("only a person can accept that")

// ForPerson is an error if an agent started this process and only a person may accept
// the memory, because it came from a remote, or nobody here is known to have said it.
func (w *Workspace) ForPerson(ctx context.Context, e *Entry) error {
	return forPerson(w.env.Agent, w.Received(ctx), e)
}

func forPerson(agent string, marks Marks, e *Entry) error {
	if agent == "" {
		return nil
	}
	if why := hearsay.Waits(e.Memory); why != "" && e.Stage == index.Pending {
		return fmt.Errorf("%s: %s: %w", e.Memory.ID.Short(), why, ErrUnsaid)
	}
	if !marks.Entry(e) {
		return nil
	}
	return fmt.Errorf("%s: %w", e.Memory.ID.Short(), ErrReceived)
}

// ownEntries leaves out what came from a remote and has not landed.
func ownEntries(marks Marks, entries []Entry) []Entry {
	return slices.DeleteFunc(entries, func(e Entry) bool { return marks.Entry(&e) })
}
