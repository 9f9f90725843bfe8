package journal

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// notesFile is the file of the cache that holds the notes of one state of the journal.
const notesFile = "notes.md"

// Notes are the notes of all sessions of this clone that nobody has decided about, those of the
// session that ended last first, each once. Reading all session records takes long, so the cache
// keeps the notes of the last state that they were read from.
func (j *Journal) Notes(ctx context.Context) ([]*memory.Memory, error) {
	snap, err := j.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	state := string(snap.Commit())
	file := filepath.Join(j.repo.CacheDir(), notesFile)
	if data, err := os.ReadFile(file); err == nil && snap.Spooled() == 0 {
		if kept, err := session.Parse(data); err == nil && kept.ID == state {
			return kept.Notes, nil
		}
	}
	records, err := j.ownSessions(ctx)
	if err != nil {
		return nil, err
	}
	all := &session.Session{ID: state}
	for _, s := range records {
		for _, m := range s.OpenNotes() {
			all.AddNote(m)
		}
	}
	if snap.Spooled() == 0 {
		_ = atomicfile.WritePath(file, session.Format(all), atomicfile.Options{NoSync: true}) // or it is read again
	}
	return all.Notes, nil
}

// NotedTraps are the recipes among the notes of other sessions than one. What cannot be read has none.
func (j *Journal) NotedTraps(ctx context.Context, other string) []*memory.Memory {
	notes, _ := j.Notes(ctx)
	own := recipe.SessionMark(other)
	return lists.Where(notes, func(m *memory.Memory) bool { return recipe.Is(m) && !slices.Contains(m.Seen, own) })
}

// Note is the note with an id, or the beginning of one, whatever was decided about it but
// that it became a memory. It returns several where several fit.
func (j *Journal) Note(ctx context.Context, prefix string) ([]*memory.Memory, error) {
	records, err := j.ownSessions(ctx)
	hasPrefix := func(m *memory.Memory) bool { return strings.HasPrefix(string(m.ID), prefix) }
	return session.NotesIn(records, hasPrefix), err
}

// ownSessions are the records of sessions but those that came from a remote: nobody here
// stands behind what they note.
func (j *Journal) ownSessions(ctx context.Context) ([]*session.Session, error) {
	marks := j.Marks(ctx)
	records, err := j.Sessions(ctx, MaxSessions)
	return lists.Without(records, func(s *session.Session) bool { return marks.Record(s.Path()) }), err
}

// OwnRecords are the blobs of the records of sessions of this clone, those of the newest month
// first, at most so many of them.
func (j *Journal) OwnRecords(ctx context.Context, limit int) ([]string, error) {
	entries, err := j.recordEntries(ctx)
	if err != nil {
		return nil, err
	}
	marks := j.Marks(ctx)
	var out []string
	for _, e := range slices.Backward(entries) { // their paths begin with the month
		if len(out) < limit && !marks.Record(e.Path) {
			out = append(out, string(e.Blob))
		}
	}
	return out, nil
}

// NotesOf are the notes that nobody has decided about by the blobs of their records, without
// some. What cannot be read has none.
func (j *Journal) NotesOf(ctx context.Context, blobs []string, without []memory.ID) map[string][]*memory.Memory {
	out := map[string][]*memory.Memory{}
	left := func(m *memory.Memory) bool { return slices.Contains(without, m.ID) }
	entries, err := j.recordEntries(ctx)
	if err != nil {
		return out
	}
	unknown := func(e gitops.Entry) bool { return !slices.Contains(blobs, string(e.Blob)) }
	j.read(ctx, lists.Without(entries, unknown), func(e gitops.Entry, data []byte) error {
		if s, err := session.Parse(data); err == nil {
			out[string(e.Blob)] = lists.Without(s.OpenNotes(), left)
		}
		return nil
	})
	return out
}

// read reads files of the journal, as far as they can be read.
func (j *Journal) read(ctx context.Context, entries []gitops.Entry, each func(gitops.Entry, []byte) error) {
	if snap, err := j.Snapshot(ctx); err == nil {
		_ = snap.Read(ctx, entries, each)
	}
}

// recordEntries are the entries of all session records.
func (j *Journal) recordEntries(ctx context.Context) ([]gitops.Entry, error) {
	snap, err := j.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := snap.List(ctx, "sessions")
	if err != nil {
		return nil, fmt.Errorf("listing session records: %w", err)
	}
	return entries, nil
}

// DecideNote adds to a change what was decided about a note, and returns the path of the
// record of its session, "" where there is none: then nobody has to know.
func DecideNote(ctx context.Context, snap *gitops.Snapshot, c *gitops.Change, note *memory.Memory, is string) (string,
	error,
) {
	records, err := RecordPaths(ctx, snap)
	if err != nil {
		return "", err
	}
	at, known := records[RecordName(note)]
	if !known {
		return "", nil
	}
	data, _, err := snap.File(ctx, at)
	if err != nil {
		return "", err
	}
	s, err := session.Parse(data)
	if err != nil {
		return "", nil //nolint:nilerr // the next capture writes it anew
	}
	s.Decide(session.Verdict{ID: note.ID, Is: is, Note: string(note.ID)})
	c.Put[at] = session.Format(s)
	return at, nil
}

// RecordName is the file name of the record of the session that a memory comes from.
func RecordName(m *memory.Memory) string {
	return path.Base((&session.Session{Agent: m.Source.Agent, ID: m.Source.Session}).Path())
}

// RecordPaths are the paths of session records by their names.
func RecordPaths(ctx context.Context, snap *gitops.Snapshot) (map[string]string, error) {
	entries, err := snap.List(ctx, "sessions")
	if err != nil {
		return nil, fmt.Errorf("listing session records: %w", err)
	}
	out := make(map[string]string, len(entries))
	for _, e := range entries {
		out[path.Base(e.Path)] = e.Path
	}
	return out, nil
}
