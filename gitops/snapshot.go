package gitops

import "context"

// Snapshot is one state of the journal, with what waits in the spool laid over
// it. It is for one goroutine, and must be closed.
type Snapshot struct {
	// Commit is the journal's commit; "" when nothing was ever captured.
	Commit ObjectID
	// Healed is one line for the user when the tip was unreadable and an older
	// state is shown: transcripts should be read again. "" otherwise.
	Healed string
	// Spooled is the number of changes that wait in the spool.
	Spooled int
	// Skipped are paths that cortex would not have written: not a regular file,
	// outside the grammar, or too large. They are kept, and never shown.
	Skipped []string
}

// Snapshot reads the newest state. An absent ref is an empty snapshot; an
// unreadable one falls back to the newest readable entry of its log and says
// so in Healed. The ref itself is healed by the next Update.
func (j *Journal) Snapshot(ctx context.Context) (*Snapshot, error) { panic("TODO") }

// List is the files below prefix (a whole path component, such as
// "pending/main"; "" for all), sorted by path.
func (s *Snapshot) List(ctx context.Context, prefix string) ([]Entry, error) { panic("TODO") }

// Folders is the names of the folders directly below prefix, sorted.
func (s *Snapshot) Folders(ctx context.Context, prefix string) ([]string, error) { panic("TODO") }

// Read hands the content of each entry to yield, in order. A file that is
// unreadable or too large has nil data. yield may keep the slice.
func (s *Snapshot) Read(ctx context.Context, entries []Entry, yield func(Entry, []byte) error) error {
	panic("TODO")
}

// File reads one file; ok is false when there is none.
func (s *Snapshot) File(ctx context.Context, path string) (data []byte, ok bool, err error) {
	panic("TODO")
}

// Close ends the snapshot's git process, if it needed one.
func (s *Snapshot) Close() error { panic("TODO") }
