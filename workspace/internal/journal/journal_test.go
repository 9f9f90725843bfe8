package journal_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/policy"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// record is the record of a session that ended on a day of November.
func record(id string, day int, notes ...*memory.Memory) *session.Session {
	end := time.Date(2026, 11, day, 10, 0, 0, 0, time.UTC)
	s := &session.Session{Agent: "claude-code", ID: id, Start: end.Add(-time.Hour), End: end, Turns: 1}
	for _, m := range notes {
		m.Source.Agent, m.Source.Session = s.Agent, s.ID
		s.AddNote(m)
	}
	return s
}

func note(title string) *memory.Memory {
	return memory.New(memory.Gotcha, title, "", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
}

func files(records ...*session.Session) map[string][]byte {
	put := map[string][]byte{}
	for _, s := range records {
		put[s.Path()] = session.Format(s)
	}
	return put
}

func titles(notes []*memory.Memory) []string {
	var out []string
	for _, m := range notes {
		out = append(out, m.Title)
	}
	return out
}

// TestSessions: records are read with the one that ended last first, and counted; what is no
// record is passed over.
func TestSessions(t *testing.T) {
	w := workspacetest.New(t)
	put := files(record("early", 3), record("late", 7), record("between", 5))
	put["sessions/2026-11/broken.md"] = []byte("---\nnothing")
	workspacetest.Change(t, w, put)
	latest := func(want ...string) {
		t.Helper()
		var ids []string
		for _, s := range w.Journal.SessionsAtHand(t.Context(), 2) {
			ids = append(ids, s.ID)
		}
		if diff := cmp.Diff(want, ids); diff != "" {
			t.Error(diff)
		}
	}
	latest("late", "between")
	later := record("early", 9)
	later.Start = record("early", 3).Start
	workspacetest.Change(t, w, files(later))
	latest("early", "late") // though heads of records are kept
	workspacetest.Change(t, w, nil, later.Path())
	latest("late", "between")
	workspacetest.Change(t, w, files(record("early", 3)))
	if n := w.Journal.CountSessions(t.Context()); n != 4 {
		t.Errorf("%d records", n)
	}
}

// TestNotes: notes of this clone's own sessions are there until somebody decides about them,
// whether they come from the cache or not.
func TestNotes(t *testing.T) {
	w := workspacetest.New(t)
	pier, tide := note("The pier closes at noon"), note("Tides are read from the old table")
	gulls := note("Gulls take bread")
	put := files(record("one", 3, pier), record("two", 7, tide), record("theirs", 9, gulls))
	put[journal.MarkOf(record("theirs", 9).Path(), "")] = nil
	workspacetest.Change(t, w, put)
	for _, from := range []string{"the records", "the cache"} {
		notes, err := w.Journal.Notes(t.Context())
		if diff := cmp.Diff([]string{tide.Title, pier.Title}, titles(notes)); err != nil || diff != "" {
			t.Errorf("from %s: %v %s", from, err, diff)
		}
	}
	found, err := w.Journal.Note(t.Context(), string(pier.ID[:6]))
	if err != nil || len(found) != 1 || found[0].ID != pier.ID {
		t.Errorf("%v %v", found, err)
	}
	decide(t, w.Journal, tide, session.Dropped)
	if notes, err := w.Journal.Notes(t.Context()); err != nil || len(notes) != 1 {
		t.Errorf("after a decision: %v %v", titles(notes), err)
	}
	decide(t, w.Journal, note("Of no session"), session.Dropped)
}

// decide writes what was decided about a note.
func decide(t *testing.T, j *journal.Journal, m *memory.Memory, is string) {
	t.Helper()
	err := j.Update(t.Context(), func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{Message: "test", When: workspacetest.Clock(), Put: map[string][]byte{}}
		_, err := journal.DecideNote(t.Context(), snap, &c, m, session.Verdict{ID: m.ID, Is: is})
		return c, err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMarks: a mark of this clone says what came from a remote, and is exchanged with nobody.
func TestMarks(t *testing.T) {
	w := workspacetest.New(t)
	m := workspacetest.Sure(memory.Decision, "Count boats at dawn")
	path := gitops.PendingPrefix("main") + "/" + m.Path()
	mark := journal.MarkOf(path, m.ID)
	workspacetest.Change(t, w, map[string][]byte{path: memory.Format(m), mark: nil})
	marks := w.Journal.Marks(t.Context())
	if !marks.Memory(m.ID) || marks.Memory("k7q2m9xw4d3h8t5v") || marks.Unreadable() != nil {
		t.Errorf("%v", marks)
	}
	if !journal.OwnMark(mark) || journal.OwnMark(path) {
		t.Errorf("%s and %s", mark, path)
	}
	if got := journal.MarkOf("config.yaml", m.ID); got != "" {
		t.Errorf("a mark of another file: %s", got)
	}
}

// TestNewerFormat: nothing is written to a journal of a newer version, and reading says why.
func TestNewerFormat(t *testing.T) {
	w := workspacetest.New(t)
	if err := w.Journal.Writable(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Journal.SetPolicy(&policy.NewerError{What: "config.yaml", Format: policy.Version + 1})
	var newer *policy.NewerError
	if err := w.Journal.Writable(t.Context()); !errors.As(err, &newer) {
		t.Errorf("writable: %v", err)
	}
	err := w.Journal.Update(t.Context(), func(*gitops.Snapshot) (gitops.Change, error) {
		t.Error("a change was made")
		return gitops.Change{}, nil
	})
	if !errors.As(err, &newer) {
		t.Errorf("updated: %v", err)
	}
}

// TestUses: counters of several clones are added up, those of this clone too.
func TestUses(t *testing.T) {
	w := workspacetest.New(t)
	const id, other = memory.ID("0123456789abcdef"), memory.ID("zzzzzzzzzzzzzzzz")
	for clone, counts := range map[string]map[memory.ID]int{"aaaa": {id: 2}, "bbbb": {id: 1, other: 4}} {
		err := w.Journal.Update(t.Context(), func(snap *gitops.Snapshot) (gitops.Change, error) {
			c := gitops.Change{Message: "test", When: workspacetest.Clock(), Put: map[string][]byte{}}
			return c, journal.PutRecalls(t.Context(), snap, &c, clone, counts, workspacetest.Clock())
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	snap, err := w.Journal.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	uses := journal.Uses(t.Context(), snap)
	if uses[id].Recalls != 3 || uses[other].Recalls != 4 {
		t.Errorf("%v", uses)
	}
}

// TestSecrets: the user's own patterns are taken out of whatever is written.
func TestSecrets(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Git(t, w, "config", "cortex.secret", "berth-[0-9]+")
	opened := workspacetest.Open(t, w.Repo.Root)
	if got := opened.Secrets.Branch(t.Context(), "fix/berth-17"); got != "fix/[redacted: custom]" {
		t.Errorf("%s", got)
	}
	m := note("The crane stands at berth-9")
	if found := opened.Secrets.Of(t.Context(), m); len(found) != 1 {
		t.Errorf("%v", found)
	}
	for pii, want := range map[string]bool{"redact": true, "keep": false} {
		_, found := opened.Secrets.Kept(t.Context(), pii).Redact("write to ada.lovelace@harbour-works.com")
		if got := len(found) > 0; got != want {
			t.Errorf("%s: %v", pii, found)
		}
	}
}

// TestSkipped: what could not be read is counted by agent and said in a sentence.
func TestSkipped(t *testing.T) {
	w := workspacetest.New(t)
	s := record("one", 3)
	s.Cursor.Lines, s.Skipped = 90, session.Skipped{Broken: 3, TooLong: 1, Unknown: map[string]int{"frob": 4}}
	workspacetest.Change(t, w, files(s, record("sound", 4)))
	skipped := w.Journal.Skipped(t.Context())
	if len(skipped) != 1 || skipped[0].Sessions != 1 || !skipped[0].Serious() {
		t.Fatalf("%+v", skipped)
	}
	want := "claude-code wrote 4 records of a type that cortex does not know: frob 4, and 3 lines that are not JSON, " +
		"and 1 line longer than 64 MB"
	if diff := cmp.Diff(want, skipped[0].String()); diff != "" {
		t.Error(diff)
	}
}

// TestTrailers: what is not known is no trailer.
func TestTrailers(t *testing.T) {
	want := []gitops.Trailer{{Key: "Cortex-Session", Value: "s"}, {Key: "Cortex-Head", Value: "h"}}
	if diff := cmp.Diff(want, journal.Trailers("s", "", "h")); diff != "" {
		t.Error(diff)
	}
}
