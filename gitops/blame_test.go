package gitops

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestBlame: lines are blamed through renames, and white space counts as no change.
func TestBlame(t *testing.T) {
	ctx := t.Context()
	dir := initRepo(t)
	r := openRepo(t, dir)
	commit := func(message string, args ...string) ObjectID {
		t.Helper()
		if len(args) > 0 {
			runGit(t, dir, args...)
		}
		runGit(t, dir, "add", ".")
		runGit(t, dir, "commit", "-q", "-m", message)
		return ObjectID(runGit(t, dir, "rev-parse", "HEAD"))
	}
	start := ObjectID(runGit(t, dir, "rev-parse", "HEAD"))
	text := "a\nb\nc\nd\ne\nf\ng\n"
	writeFile(t, dir+"/old name.txt", text)
	one := commit("one")
	writeFile(t, dir+"/old name.txt", strings.Replace(text, "c\n", "C\n", 1))
	writeFile(t, dir+"/memories/new.md", "new\n")
	two := commit("two")
	three := commit("three", "mv", "old name.txt", "new.txt")
	writeFile(t, dir+"/new.txt", strings.Replace(strings.Replace(text, "c\n", "C\n", 1), "b\n", "  b\n", 1)+"h\n")

	h := r.History()
	got, err := h.Blame(ctx, "", "new.txt", 2, 8)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i].Commit = Commit{ID: got[i].Commit.ID, Subject: got[i].Commit.Subject}
	}
	want := []Blamed{
		{Commit: Commit{ID: one, Subject: "one"}, Path: "old name.txt", First: 2, Last: 2},
		{Commit: Commit{ID: two, Subject: "two"}, Path: "old name.txt", First: 3, Last: 3},
		{Commit: Commit{ID: one, Subject: "one"}, Path: "old name.txt", First: 4, Last: 7},
		{Commit: Commit{}, Path: "new.txt", First: 8, Last: 8},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Commit{}, "Subject")); diff != "" {
		t.Error(diff)
	}
	if got[0].Commit.Subject != "one" {
		t.Errorf("subject %q", got[0].Commit.Subject)
	}
	commits, before, err := h.OfPath(ctx, "", "new.txt", 10)
	if err != nil || len(commits) != 3 || commits[0].ID != three || cmp.Diff([]string{"old name.txt"}, before) != "" {
		t.Errorf("history %v, before %q: %v", commits, before, err)
	}
	made, err := h.Made(ctx, []ObjectID{two, one}, "memories")
	if diff := cmp.Diff(map[ObjectID]Made{two: {Parents: []ObjectID{one}, Added: []string{"memories/new.md"}}, one: {Parents: []ObjectID{start}}}, made); err != nil || diff != "" {
		t.Error(diff, err)
	}

	if _, err := h.Blame(ctx, "", "new.txt", 9, 9); !errors.Is(err, ErrNoLines) {
		t.Errorf("beyond the end: %v", err)
	}
	if _, err := h.Blame(ctx, "", "nothing.txt", 1, 1); !errors.Is(err, ErrNoFile) {
		t.Errorf("no file: %v", err)
	}
	if _, err := h.Blame(ctx, "--help", "new.txt", 1, 1); err == nil {
		t.Error("an option was taken for a revision")
	}
	if _, _, err := h.OfPath(ctx, "--output=x", "new.txt", 1); err == nil {
		t.Error("an option was taken for a revision")
	}
}
