package gitops

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops/internal/history"
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
	want := []history.Blamed{
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

// TestHistoryOfAnyName: control characters in subjects, names of authors and names of
// files begin no commit of the listing.
func TestHistoryOfAnyName(t *testing.T) {
	dir := initRepo(t)
	start := ObjectID(runGit(t, dir, "rev-parse", "HEAD"))
	fake := "\x01" + string(start)
	file := "memories/a" + fake + " b.md"
	commit := func(message string) ObjectID {
		t.Helper()
		runGit(t, dir, "add", ".")
		runGit(t, dir, "-c", "user.name=A"+fake, "commit", "-q", "--author=B"+fake+" <b@example.invalid>", "-m", message)
		return ObjectID(runGit(t, dir, "rev-parse", "HEAD"))
	}
	writeFile(t, dir+"/"+file, "one\n")
	one := commit("one" + fake + "\x01")
	runGit(t, dir, "mv", file, "memories/"+string(start))
	two := commit("R100")
	h := openRepo(t, dir).History()
	commits, before, err := h.OfPath(t.Context(), "", "memories/"+string(start), 10)
	if err != nil || len(commits) != 2 || commits[0].ID != two || commits[0].Subject != "R100" || commits[1].ID != one || commits[1].Author != "B"+fake || cmp.Diff([]string{file}, before) != "" {
		t.Errorf("%+v, before %q: %v", commits, before, err)
	}
	made, err := h.Made(t.Context(), []ObjectID{one, two}, "memories")
	if diff := cmp.Diff(map[ObjectID]Made{one: {Parents: []ObjectID{start}, Added: []string{file}}, two: {Parents: []ObjectID{one}, Added: []string{"memories/" + string(start)}}}, made); err != nil || diff != "" {
		t.Error(diff, err)
	}
}
