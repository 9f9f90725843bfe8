package gitops

import (
	"context"
	"time"
)

// JournalRef is where the journal lives: never a branch.
const JournalRef = "refs/cortex/journal"

// MaxFile is the size up to which a journal file is written and read, in bytes.
const MaxFile = 4 << 20

// Journal is the history of what was captured and has not landed, one for all
// branches and worktrees of a repository.
type Journal struct{ repo *Repo }

// Journal returns the repository's journal. It costs nothing.
func (r *Repo) Journal() *Journal { return &Journal{repo: r} }

// Change is one commit to the journal.
type Change struct {
	Message  string            // the first line, and a body if any
	Trailers []Trailer         // Cortex-Session, Cortex-Branch, Cortex-Head
	When     time.Time         // never earlier than the parent is written; zero is the parent's time
	Put      map[string][]byte // path to content
	Remove   []string          // paths; absent ones are fine
}

// Trailer is one "Key: value" line at the end of a commit message.
type Trailer struct{ Key, Value string }

// Outcome says what an update did. All fields zero: there was nothing to do.
type Outcome struct {
	Commit  ObjectID // the new tip; "" when nothing was committed
	Spooled bool     // kept in the spool, because the ref could not be written
	Reason  string   // why it was spooled
	Drained int      // spooled changes that went in first
	Healed  string   // one line when the journal's tip was unreadable; "" otherwise
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
func (j *Journal) Update(ctx context.Context, reuse *Snapshot, build func(*Snapshot) (Change, error)) (Outcome, error) {
	panic("TODO")
}

// Repair reads everything that the tip reaches and, when something is
// unreadable, takes the journal back to its newest readable state.
func (j *Journal) Repair(ctx context.Context) (Outcome, error) { panic("TODO") }
