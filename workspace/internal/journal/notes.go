package journal

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// notesFile is the file of the cache that holds the notes of one state of the journal.
const notesFile = "notes.md"

// noted are the notes of a session that nobody has decided about.
type noted struct {
	id    string
	end   time.Time
	notes []*memory.Memory
}

// Notes are the notes of all sessions of this clone that nobody has decided about, those of the
// session that ended last first, each once. Reading all session records takes long, so the cache
// keeps the notes of the last state that a process first read them from, and a process those of
// each record.
func (j *Journal) Notes(ctx context.Context) ([]*memory.Memory, error) {
	snap, err := j.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	state := string(snap.Commit())
	file := filepath.Join(j.repo.CacheDir(), notesFile)
	if kept := keptNotes(file); kept.ID == state && snap.Spooled() == 0 {
		return kept.Notes, nil
	}
	records, first, err := j.noted(ctx)
	if err != nil {
		return nil, err
	}
	all := &session.Session{ID: state}
	for _, m := range slices.Concat(lists.Map(records, func(s *noted) []*memory.Memory { return s.notes })...) {
		all.AddNote(m)
	}
	if first && snap.Spooled() == 0 {
		_ = atomicfile.WritePath(file, session.Format(all), atomicfile.Options{NoSync: true}) // or it is read again
	}
	return all.Notes, nil
}

// keptNotes are the notes in a file, and of which state of the journal; those of no state where
// it cannot be read.
func keptNotes(file string) *session.Session {
	data, _ := os.ReadFile(file)
	kept, err := session.Parse(data)
	if err != nil {
		return &session.Session{}
	}
	return kept
}

// noted are the notes of the records of this clone's sessions, that of the one that ended last
// first, and whether this process reads them for the first time.
func (j *Journal) noted(ctx context.Context) (list []*noted, first bool, err error) {
	entries, err := j.ownEntries(ctx)
	if err != nil {
		return nil, false, err
	}
	known, _ := j.notes.Load().(map[string]*noted)
	now, _, err := byBlob(ctx, j, entries, known, notedIn)
	if err != nil {
		return nil, false, err
	}
	j.notes.Store(now)
	list = lists.Map(entries, func(e gitops.Entry) *noted { return now[string(e.Blob)] })
	lists.Sort(list, func(a, b *noted) int { return cmp.Or(b.end.Compare(a.end), strings.Compare(a.id, b.id)) })
	return list, known == nil, nil
}

// notedIn are the notes of a session record; none of what is no record.
func notedIn(data []byte) *noted {
	s, err := session.Parse(data)
	if err != nil {
		return &noted{}
	}
	return &noted{s.ID, s.End, s.OpenNotes()}
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
	entries, err := j.ownEntries(ctx)
	slices.Reverse(entries) // their paths begin with the month
	entries = entries[:min(limit, len(entries))]
	return lists.Map(entries, func(e gitops.Entry) string { return string(e.Blob) }), err
}

// NotesOf are the notes that nobody has decided about by the blobs of their records, without
// some. What cannot be read has none.
func (j *Journal) NotesOf(ctx context.Context, blobs []string, without []memory.ID) map[string][]*memory.Memory {
	out := map[string][]*memory.Memory{}
	left := func(m *memory.Memory) bool { return slices.Contains(without, m.ID) }
	entries, _ := j.List(ctx, "sessions")
	wanted := lists.Where(entries, func(e gitops.Entry) bool { return slices.Contains(blobs, string(e.Blob)) })
	found, _, _ := byBlob(ctx, j, wanted, nil, notedIn)
	for blob, of := range found {
		out[blob] = lists.Without(of.notes, left)
	}
	return out
}

// Read reads files of the journal.
func (j *Journal) Read(ctx context.Context, entries []gitops.Entry, each func(gitops.Entry, []byte) error) error {
	snap, err := j.Snapshot(ctx)
	if err != nil {
		return err
	}
	return snap.Read(ctx, entries, each)
}

// List returns the files below a folder of the journal, such as "sessions".
func (j *Journal) List(ctx context.Context, folder string) ([]gitops.Entry, error) {
	snap, err := j.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := snap.List(ctx, folder)
	if err != nil {
		return nil, fmt.Errorf("listing %s of the journal: %w", folder, err)
	}
	return entries, nil
}

// ownEntries are those of this clone's sessions, without those that came from a remote.
func (j *Journal) ownEntries(ctx context.Context) ([]gitops.Entry, error) {
	entries, err := j.List(ctx, "sessions")
	marks := j.Marks(ctx)
	return lists.Without(entries, func(e gitops.Entry) bool { return marks.Record(e.Path) }), err
}

// DecideNote adds to a change what was decided about a note, and the note where its session lacks it. It returns the
// path of the record of the session, "" where there is none: then nobody has to know.
func DecideNote(ctx context.Context, snap *gitops.Snapshot, c *gitops.Change, note *memory.Memory,
	is session.Verdict,
) (string, error) {
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
	s.AddNote(note)
	s.Decide(is)
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
