package review

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// sure returns a memory of a given type, title and confidence, days old.
func sure(typ memory.Type, title string, confidence float64, days int) *memory.Memory {
	m := memory.New(typ, title, "", workspacetest.Clock().AddDate(0, 0, -days))
	m.Confidence = confidence
	return m
}

// TestReviewOrder: what the hook leaves waiting comes first, each with the
// reason, then what lands next, then what a merge left.
func TestReviewOrder(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Write(t, w, workspace.ConfigPath, "land_max: 2\n")
	w = workspacetest.Open(t, w.Repo.Root)
	secret := sure(memory.Gotcha, "The mirror takes "+
		strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_"), 0.6, 1)
	contested := sure(memory.Decision, "Contested and landed", 1, 1)
	contested.Contested = true
	workspacetest.Put(t, w, contested, sure(memory.Decision, "The gauge north is read every minute of the day", 1, 9))
	workspacetest.PutPending(t, w, secret,
		sure(memory.Decision, "Surest", 1, 3), sure(memory.Decision, "Next to it", 0.97, 3),
		sure(memory.Decision, "One too many", 0.9, 3), sure(memory.Decision, "Weak", 0.5, 3),
		sure(memory.Fix, "The gauge north is read every minute of the night", 0.7, 3))
	items, _, err := List(t.Context(), w, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got [][2]string
	for _, r := range items {
		got = append(got, [2]string{r.Memory.Title[:min(8, len(r.Memory.Title))], r.Why})
		if want := r.Why == "it lands with your next commit"; r.Lands != want {
			t.Errorf("%s: lands %v", r.Memory.Title, r.Lands)
		}
		if can := r.Why != "its confidence is below 0.85" && r.Memory.ID != secret.ID; r.Worth != can {
			t.Errorf("%s: worth a look: %v", r.Memory.Title, r.Worth)
		}
		for _, d := range r.Duplicates {
			got = append(got, [2]string{"like", d.Title})
		}
	}
	want := [][2]string{
		{"Surest", "it lands with your next commit"},
		{"Next to ", "it lands with your next commit"},
		{"One too ", "at most 2 land with one commit"},
		{"Conteste", "a merge left it contested"},
		{"The gaug", "its confidence is below 0.85"},
		{"like", "The gauge north is read every minute of the day"},
		{"The mirr", "it holds what looks like a secret"},
		{"Weak", "its confidence is below 0.85"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("review (-want +got):\n%s", diff)
	}
}

// TestHalfLanded: a landing that was killed between writing the file and
// staging it is finished by the next one, and shown in a review until then.
func TestHalfLanded(t *testing.T) {
	w := workspacetest.New(t)
	half, other := sure(memory.Decision, "Half landed", 1, 1), sure(memory.Decision, "Written by hand too", 1, 1)
	workspacetest.PutPending(t, w, half, other)
	edited := *other
	edited.Text = "With other words in the file."
	workspacetest.Put(t, w, half, &edited)
	items, _, err := List(t.Context(), w, Options{})
	if err != nil || len(items) != 1 || items[0].Memory.ID != half.ID || !items[0].Lands {
		t.Fatalf("review: %v, %v", items, err)
	}
	out, err := w.Land(t.Context(), nil, false)
	if err != nil || len(out.Landed) != 1 || len(out.Refused) != 0 || out.Waiting != 0 {
		t.Fatalf("land: %+v, %v", out, err)
	}
	staged, err := w.Repo.StagingArea().Staged(t.Context(), workspace.MemoriesDir)
	if err != nil || len(staged) != 1 || staged[0].Path != view.MemoryPath(half.Path()) {
		t.Errorf("staged: %v, %v", staged, err)
	}
	if items, _, err = List(t.Context(), w, Options{}); err != nil || len(items) != 0 {
		t.Errorf("review after: %v, %v", items, err)
	}
}

// TestDecisions: each decision and its undo leave the repository as they should.
func TestDecisions(t *testing.T) {
	w := workspacetest.New(t)
	m := sure(memory.Decision, "Gauges are read in UTC", 0.6, 1)
	workspacetest.PutPending(t, w, m)
	item := func() Item {
		t.Helper()
		items, _, err := List(t.Context(), w, Options{})
		if err != nil || len(items) != 1 {
			t.Fatalf("review: %v, %v", items, err)
		}
		return items[0]
	}
	start := item()
	undo := func(d Decision) {
		t.Helper()
		if err := Undo(t.Context(), w, d); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(start.Blob+start.Path, item().Blob+item().Path); diff != "" {
			t.Errorf("after undoing %s:\n%s", d.Verb, diff)
		}
	}
	d, err := Reject(t.Context(), w, item())
	if err != nil {
		t.Fatal(err)
	}
	undo(d)

	edited := *m
	edited.Title = "Gauges are read in UTC and nothing else"
	r := item()
	first, err := Edit(t.Context(), w, &r, &edited)
	if err != nil || r.Memory.Updated.IsZero() || item().Blob != r.Blob || item().Path != r.Path {
		t.Fatalf("edited: %+v, %v", r, err)
	}
	second, err := Accept(t.Context(), w, r, false)
	if err != nil {
		t.Fatal(err)
	}
	if v := workspacetest.View(t, w, workspace.ViewOptions{}); v.Count(index.Landed) != 1 ||
		v.Count(index.Pending) != 0 {
		t.Error("it has not landed")
	}
	if err := Undo(t.Context(), w, first); !errors.Is(err, ErrMovedOn) && err != nil {
		t.Errorf("undone out of order: %v", err)
	}
	if err := Undo(t.Context(), w, second); err != nil {
		t.Error(err)
	}

	// What is not as it was shown is not decided about.
	for name, decide := range map[string]func(Item) (Decision, error){
		"accept": func(r Item) (Decision, error) { return Accept(t.Context(), w, r, false) },
		"reject": func(r Item) (Decision, error) { return Reject(t.Context(), w, r) },
		"edit":   func(r Item) (Decision, error) { return Edit(t.Context(), w, &r, &edited) },
	} {
		stale := item()
		stale.Blob = strings.Repeat("0", 40)
		if _, err := decide(stale); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

// TestRehomeRefuses: what waits for a branch that is there is not moved.
func TestRehomeRefuses(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.PutPending(t, w, sure(memory.Fix, "Waits for main", 1, 1))
	if _, err := Rehome(t.Context(), w, "main", ""); !errors.Is(err, ErrNoStray) {
		t.Errorf("rehoming what is not gone: %v", err)
	}
}

// TestEditText: the file that is edited is outside of the working tree, for the
// user alone, and gone after.
func TestEditText(t *testing.T) {
	w := workspacetest.New(t)
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skipf("the editor of this test is a shell script: %v", err)
	}
	log := filepath.Join(t.TempDir(), "log")
	script := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nls -l \"$1\" > "+log+"\necho more >> \"$1\"\n"),
		0o777); err != nil {
		t.Fatal(err)
	}
	w = workspacetest.Open(t, w.Repo.Root, "GIT_EDITOR="+script)
	got, err := EditText(t.Context(), w, []byte("text\n"), gitops.Terminal{})
	if err != nil || string(got) != "text\nmore\n" {
		t.Fatalf("edited: %q, %v", got, err)
	}
	seen, err := os.ReadFile(log)
	if err != nil || !strings.HasPrefix(string(seen), "-rw-------") ||
		!strings.Contains(string(seen), filepath.Join(".git", "cortex")) {
		t.Errorf("the editor saw %q, %v", seen, err)
	}
	if left, _ := filepath.Glob(filepath.Join(w.Repo.CacheDir(), "review-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
