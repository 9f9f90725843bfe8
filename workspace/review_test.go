package workspace

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// git runs git in the workspace and opens it anew.
func (w *Workspace) git(t *testing.T, args ...string) *Workspace {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.Repo.Root, w.env.Environ
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	again, err := Open(t.Context(), w.env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = again.Close() })
	return again
}

// TestReviewOrder: what the hook leaves waiting comes first, each with the
// reason, then what lands next, then what a merge left.
func TestReviewOrder(t *testing.T) {
	w := newWorkspace(t)
	w.Config.LandMax = 2
	secret := sure(memory.Gotcha, "The mirror takes "+strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_"), 0.6, 1)
	contested := sure(memory.Decision, "Contested and landed", 1, 1)
	contested.Contested = true
	w.put(t, contested, sure(memory.Decision, "The gauge north is read every minute of the day", 1, 9))
	w.putPending(t, secret,
		sure(memory.Decision, "Surest", 1, 3), sure(memory.Decision, "Next to it", 0.97, 3),
		sure(memory.Decision, "One too many", 0.9, 3), sure(memory.Decision, "Weak", 0.5, 3),
		sure(memory.Fix, "The gauge north is read every minute of the night", 0.7, 3))
	items, _, err := w.Review(t.Context(), ReviewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got [][2]string
	for _, r := range items {
		got = append(got, [2]string{r.Memory.Title[:min(8, len(r.Memory.Title))], r.Why})
		if want := r.Why == "it lands with your next commit"; r.Lands != want {
			t.Errorf("%s: lands %v", r.Memory.Title, r.Lands)
		}
		for _, d := range r.Duplicates {
			got = append(got, [2]string{"like", d.Title})
		}
	}
	want := [][2]string{
		{"One too ", "only 2 land with one commit"},
		{"The gaug", "less sure than 0.85"},
		{"like", "The gauge north is read every minute of the day"},
		{"The mirr", "it holds what looks like a secret"},
		{"Weak", "less sure than 0.85"},
		{"Surest", "it lands with your next commit"},
		{"Next to ", "it lands with your next commit"},
		{"Conteste", "a merge left it contested"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("review (-want +got):\n%s", diff)
	}
}

// TestHalfLanded: a landing that was killed between writing the file and
// staging it is finished by the next one, and shown in a review until then.
func TestHalfLanded(t *testing.T) {
	w := newWorkspace(t)
	half, other := sure(memory.Decision, "Half landed", 1, 1), sure(memory.Decision, "Written by hand too", 1, 1)
	w.putPending(t, half, other)
	edited := *other
	edited.Text = "With other words in the file."
	w.put(t, half, &edited)
	items, _, err := w.Review(t.Context(), ReviewOptions{})
	if err != nil || len(items) != 1 || items[0].Memory.ID != half.ID || !items[0].Lands {
		t.Fatalf("review: %v, %v", items, err)
	}
	out, err := w.Land(t.Context(), nil, false)
	if err != nil || len(out.Landed) != 1 || len(out.Refused) != 0 || out.Waiting != 0 {
		t.Fatalf("land: %+v, %v", out, err)
	}
	staged, err := w.Repo.Index().Staged(t.Context(), MemoriesDir)
	if err != nil || len(staged) != 1 || staged[0].Path != MemoryPath(half.Path()) {
		t.Errorf("staged: %v, %v", staged, err)
	}
	if items, _, err = w.Review(t.Context(), ReviewOptions{}); err != nil || len(items) != 0 {
		t.Errorf("review after: %v, %v", items, err)
	}
}

// TestDecisions: each decision and its undo leave the repository as they should.
func TestDecisions(t *testing.T) {
	w := newWorkspace(t)
	m := sure(memory.Decision, "Gauges are read in UTC", 0.6, 1)
	w.putPending(t, m)
	item := func() ReviewItem {
		t.Helper()
		items, _, err := w.Review(t.Context(), ReviewOptions{})
		if err != nil || len(items) != 1 {
			t.Fatalf("review: %v, %v", items, err)
		}
		return items[0]
	}
	start := item()
	undo := func(d Decision) {
		t.Helper()
		if err := w.Undo(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(start.Blob+start.Path, item().Blob+item().Path); diff != "" {
			t.Errorf("after undoing %s:\n%s", d.Verb, diff)
		}
	}
	d, err := w.Reject(t.Context(), item())
	if err != nil {
		t.Fatal(err)
	}
	undo(d)

	edited := *m
	edited.Title = "Gauges are read in UTC and nothing else"
	r := item()
	first, err := w.Edit(t.Context(), &r, &edited)
	if err != nil || r.Memory.Updated.IsZero() || item().Blob != r.Blob || item().Path != r.Path {
		t.Fatalf("edited: %+v, %v", r, err)
	}
	second, err := w.Accept(t.Context(), r, false)
	if err != nil {
		t.Fatal(err)
	}
	if v := w.view(t, ViewOptions{}); v.Count(index.Landed) != 1 || v.Count(index.Pending) != 0 {
		t.Error("it has not landed")
	}
	if err := w.Undo(t.Context(), first); !errors.Is(err, ErrMovedOn) && err != nil {
		t.Errorf("undone out of order: %v", err)
	}
	if err := w.Undo(t.Context(), second); err != nil {
		t.Error(err)
	}

	// What is not as it was shown is not decided about.
	for name, decide := range map[string]func(ReviewItem) (Decision, error){
		"accept": func(r ReviewItem) (Decision, error) { return w.Accept(t.Context(), r, false) },
		"reject": func(r ReviewItem) (Decision, error) { return w.Reject(t.Context(), r) },
		"edit":   func(r ReviewItem) (Decision, error) { return w.Edit(t.Context(), &r, &edited) },
	} {
		stale := item()
		stale.Blob = strings.Repeat("0", 40)
		if _, err := decide(stale); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

// TestEditedStays: what a person has edited is not for the session to withdraw.
func TestEditedStays(t *testing.T) {
	w := newWorkspace(t)
	as, edited := sure(memory.Fix, "As it was captured", 0.5, 1), sure(memory.Fix, "Edited since", 0.5, 1)
	as.Source.Session, edited.Source.Session = "s-1", "s-1"
	w.putPending(t, as, edited)
	items, _, err := w.Review(t.Context(), ReviewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := FindReview(items, string(edited.ID))
	if err != nil {
		t.Fatal(err)
	}
	m := *r.Memory
	m.Text = "In the words of a person."
	if _, err := w.Edit(t.Context(), &r, &m); err != nil {
		t.Fatal(err)
	}
	snap, err := w.Journal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := w.stillPending(t.Context(), snap, "main", "s-1"); len(got) != 1 || got[0].ID != as.ID {
		t.Errorf("still pending: %v", got)
	}
}

// TestStrays: which branches count as gone.
func TestStrays(t *testing.T) {
	w := newWorkspace(t)
	token := strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_")
	pend := func(branch, title string) {
		t.Helper()
		m := sure(memory.Fix, title, 1, 1)
		err := w.Update(t.Context(), func(*gitops.Snapshot) (gitops.Change, error) {
			return gitops.Change{Message: "test", When: clock(), Put: map[string][]byte{
				gitops.PendingPrefix(w.JournalBranch(t.Context(), branch)) + "/" + m.Path(): memory.Format(m),
			}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	pend("gone", "Of a branch that is gone")
	pend("there", "Of a branch that is there")
	pend("with-"+token, "Of a branch with a secret in its name")
	pend("elsewhere", "Of a branch without a commit, in another worktree")
	pend("", "Of a detached HEAD")
	names := func() (out []string) {
		t.Helper()
		w.RefreshJournal()
		strays, err := w.Strays(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range strays {
			out = append(out, s.Branch)
		}
		return out
	}
	if got := names(); len(got) != 5 || !slices.Contains(got, DetachedName) {
		t.Errorf("strays: %v", got)
	}
	w.git(t, "branch", "there")
	w.git(t, "branch", "with-"+token)
	linked := filepath.Join(t.TempDir(), "linked")
	w.git(t, "worktree", "add", "-q", "--detach", linked)
	if got := names(); !slices.Equal(got, []string{"elsewhere", "gone"}) {
		t.Errorf("strays: %v", got)
	}
	cmd := exec.Command("git", "symbolic-ref", "HEAD", "refs/heads/elsewhere")
	cmd.Dir, cmd.Env = linked, w.env.Environ
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	if got := names(); !slices.Equal(got, []string{DetachedName, "gone"}) {
		t.Errorf("strays: %v", got)
	}
	// What came from another clone is theirs to move.
	short := sure(memory.Fix, "Of a branch that is gone", 1, 1).ID.Short()
	err := w.Update(t.Context(), func(*gitops.Snapshot) (gitops.Change, error) {
		return gitops.Change{Message: "test", When: clock(), Put: map[string][]byte{ReceivedFolder + short: {}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(); !slices.Equal(got, []string{DetachedName}) {
		t.Errorf("strays: %v", got)
	}
	if _, err := w.Rehome(t.Context(), "there", ""); !errors.Is(err, ErrNoStray) {
		t.Errorf("rehoming what is not gone: %v", err)
	}
}

// TestEditText: the file that is edited is outside of the working tree, for the
// user alone, and gone after.
func TestEditText(t *testing.T) {
	w := newWorkspace(t)
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skipf("the editor of this test is a shell script: %v", err)
	}
	log := filepath.Join(t.TempDir(), "log")
	script := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nls -l \"$1\" > "+log+"\necho more >> \"$1\"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	w.env.Environ = append(w.env.Environ, "GIT_EDITOR="+script)
	got, err := w.EditText(t.Context(), []byte("text\n"), gitops.Terminal{})
	if err != nil || string(got) != "text\nmore\n" {
		t.Fatalf("edited: %q, %v", got, err)
	}
	seen, err := os.ReadFile(log)
	if err != nil || !strings.HasPrefix(string(seen), "-rw-------") || !strings.Contains(string(seen), filepath.Join(".git", "cortex")) {
		t.Errorf("the editor saw %q, %v", seen, err)
	}
	if left, _ := filepath.Glob(filepath.Join(w.Repo.CacheDir(), "review-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
