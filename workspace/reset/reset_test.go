package reset

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// put writes files to the journal.
func put(t *testing.T, w *workspace.Workspace, files map[string][]byte) {
	t.Helper()
	err := w.Journal.Update(t.Context(), func(*gitops.Snapshot) (gitops.Change, error) {
		return gitops.Change{Message: "put", Put: files, When: w.Now()}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// journalOf returns the files of the journal.
func journalOf(t *testing.T, w *workspace.Workspace) map[string]string {
	t.Helper()
	snap, err := w.Journal.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all, err := snap.List(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	err = snap.Read(t.Context(), all, func(e gitops.Entry, data []byte) error {
		out[e.Path] = string(data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestProject: a record of a session keeps how far it was read and nothing it said, and
// undoing brings every byte back.
func TestProject(t *testing.T) {
	w := workspacetest.New(t)
	s := &session.Session{
		Agent: "claude-code", ID: "s1", Branch: "main", Start: w.Now(), End: w.Now(), Title: "Mend the pump", Turns: 3,
		Cursor:   session.Cursor{Offset: 4711, Hash: "0f", Lines: 12, Context: 4000, ContextLines: 11, Stable: 11},
		Commands: []string{"go test ./pump"},
	}
	put(t, w, map[string][]byte{
		s.Path():                      session.Format(s),
		"access/0123456789abcdef.tsv": []byte("k7q2m9xw4d3h8t5v\t3\t1\n"),
		"dismissed/k7q2m9xw4d3h8t5v":  []byte("refused"),
	})
	before := journalOf(t, w)
	out, err := Reset(t.Context(), w, Options{Project: true, DryRun: true})
	if err != nil || out.Sessions != 1 || out.Other != 2 || out.Snapshot != "" {
		t.Fatalf("%+v %v", out, err)
	}
	if diff := cmp.Diff(before, journalOf(t, w)); diff != "" {
		t.Fatal("a dry run changed the journal", diff)
	}
	out, err = Reset(t.Context(), w, Options{Project: true})
	if err != nil || out.Sessions != 1 || out.Other != 2 {
		t.Fatalf("%+v %v", out, err)
	}
	left := journalOf(t, w)
	now, err := session.Parse([]byte(left[s.Path()]))
	if err != nil || len(left) != 1 {
		t.Fatal(left, err)
	}
	if diff := cmp.Diff(s.Cursor, now.Cursor); diff != "" || now.Title != "" || now.Turns != 0 ||
		len(now.Commands) != 0 {
		t.Errorf("%+v %s", now, diff)
	}
	if again, err := Reset(t.Context(), w, Options{Project: true}); err != nil || !again.Empty() {
		t.Errorf("a second reset found %+v %v", again, err)
	}
	if _, err := Undo(t.Context(), w, "", false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, journalOf(t, w)); diff != "" {
		t.Error(diff)
	}
}

// TestMeanwhile: what another writer put after the snapshot was taken stays.
func TestMeanwhile(t *testing.T) {
	w := workspacetest.New(t)
	put(t, w, map[string][]byte{
		"dismissed/k7q2m9xw4d3h8t5v": []byte("refused"),
		"dismissed/3mfw0c1rk7q2m9xw": []byte("old"),
	})
	was, err := w.Journal.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	put(t, w, map[string][]byte{"dismissed/3mfw0c1rk7q2m9xw": []byte("new")})
	err = w.Journal.Update(t.Context(), func(now *gitops.Snapshot) (gitops.Change, error) {
		return stillThere(t.Context(), was, now,
			gitops.Change{
				Message: "reset",
				Remove:  []string{"dismissed/k7q2m9xw4d3h8t5v", "dismissed/3mfw0c1rk7q2m9xw"},
			})
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"dismissed/3mfw0c1rk7q2m9xw": "new"}, journalOf(t, w)); diff != "" {
		t.Error(diff)
	}
}

// TestRecalls: what was recalled and is not counted yet is cleared, and comes back.
func TestRecalls(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Git(t, w, "config", "cortex.clone", "0123456789abcdef")
	w = workspacetest.Open(t, w.Repo.Root)
	put(t, w, map[string][]byte{"dismissed/3mfw0c1rk7q2m9xw": []byte("refused")}) // makes the folder of the diary
	w.Diary.NoteRecalls([]memory.ID{"k7q2m9xw4d3h8t5v"})
	if out, err := Reset(t.Context(), w, Options{DryRun: true}); err != nil || out.Other != 1 {
		t.Errorf("a dry run counts %+v %v", out, err)
	}
	if left := journalOf(t, w); len(left) != 1 {
		t.Errorf("a dry run wrote %v", left)
	}
	if out, err := Reset(t.Context(), w, Options{}); err != nil || out.Other != 1 {
		t.Errorf("%+v %v", out, err)
	}
	if counts, done := w.Diary.TakeRecalls(); len(counts) != 0 {
		done(false)
		t.Errorf("these will be counted again: %v", counts)
	}
	if out, err := Undo(t.Context(), w, "", false); err != nil || out.Other != 1 {
		t.Errorf("%+v %v", out, err)
	}
}

func TestNothing(t *testing.T) {
	w := workspacetest.New(t)
	out, err := Reset(context.Background(), w, Options{Project: true})
	if err != nil || !out.Empty() || out.Snapshot != "" {
		t.Errorf("%+v %v", out, err)
	}
	if _, err := Undo(t.Context(), w, "", false); !errors.Is(err, ErrNoSnapshot) {
		t.Error(err)
	}
}

// TestFilesOfOthers: undoing a reset that took no files brings none, wherever the working
// tree is by then.
func TestFilesOfOthers(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Put(t, w, workspacetest.Sure(memory.Decision, "Segment files hold the readings"))
	workspacetest.Commit(t, w, "one")
	put(t, w, map[string][]byte{"access/0123456789abcdef.tsv": []byte("k7q2m9xw4d3h8t5v\t3\t1\n")})
	if out, err := Reset(t.Context(), w, Options{}); err != nil || out.Other != 1 {
		t.Fatalf("%+v %v", out, err)
	}
	workspacetest.Git(t, w, "switch", "-q", "-c", "other", "HEAD~1")
	out, err := Undo(t.Context(), w, "", false)
	if err != nil || out.Other != 1 || len(out.Files) != 0 {
		t.Errorf("%+v %v", out, err)
	}
	if status := workspacetest.Git(t, w, "status", "--porcelain", "--", ".cortex/memories"); status != "" {
		t.Error(status)
	}
}

// TestLostObject: a file whose content git has lost is an error, not an empty file.
func TestLostObject(t *testing.T) {
	w := workspacetest.New(t)
	m := workspacetest.Sure(memory.Decision, "Segment files hold the readings")
	workspacetest.Put(t, w, m)
	done, err := Reset(t.Context(), w, Options{Project: true})
	if err != nil || len(done.Files) != 1 {
		t.Fatalf("%+v %v", done, err)
	}
	blob := strings.TrimSpace(workspacetest.Git(t, w, "rev-parse", done.Snapshot+":"+done.Files[0]))
	if err := os.Remove(filepath.Join(w.Repo.Root, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	if _, err := Undo(t.Context(), w, "", false); err == nil || !strings.Contains(err.Error(), done.Files[0]) {
		t.Errorf("undone: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(w.Repo.Root, filepath.FromSlash(done.Files[0]))); !errors.Is(err,
		os.ErrNotExist) {
		t.Error(err)
	}
}

// TestBytes: whatever git is set to do with files that are added, undoing brings back the
// bytes that were there.
func TestBytes(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Git(t, w, "config", "core.autocrlf", "true")
	workspacetest.Git(t, w, "config", "filter.up.clean", "tr a-z A-Z")
	workspacetest.Write(t, w, ".gitattributes", "*.md filter=up\n")
	workspacetest.Write(t, w, ".gitignore", "*ignored*\n")
	want := map[string]string{}
	if runtime.GOOS != "windows" {
		odd := workspace.MemoriesDir + "/decision/2026-11/\"odd\\ \n\".md"
		want[odd] = strings.ReplaceAll(string(memory.Format(workspacetest.Sure(memory.Decision,
			"Pumps stall below 2 degrees"))), "\n", "\r\n")
		workspacetest.Write(t, w, odd, want[odd])
	}
	for title, line := range map[string]string{
		"Segments hold the readings":    "\r\n",
		"Alerts use the smoothed level": "\n", "This one is ignored": "\n",
	} {
		m := workspacetest.Sure(memory.Decision, title)
		path := view.MemoryPath(m.Path())
		want[path] = strings.ReplaceAll(string(memory.Format(m)), "\n", line)
		workspacetest.Write(t, w, path, want[path])
	}
	done, err := Reset(t.Context(), w, Options{Project: true})
	if err != nil || len(done.Files) != len(want) {
		t.Fatalf("%+v %v", done, err)
	}
	workspacetest.Git(t, w, "gc", "-q", "--prune=now")
	if out, err := Undo(t.Context(), w, "", false); err != nil || out.Landed != len(want) {
		t.Fatalf("%+v %v", out, err)
	}
	for path, text := range want {
		if diff := cmp.Diff(text, workspacetest.Read(t, w, path)); diff != "" {
			t.Error(path, diff)
		}
	}
}
