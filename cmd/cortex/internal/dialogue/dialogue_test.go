package dialogue

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

func TestMain(m *testing.M) { os.Exit(testrun.InMemory(m).Run()) }

func clock() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

func environ(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "HOME=" + home,
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.invalid", "GIT_AUTHOR_DATE=2026-11-02T10:00:00Z",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.invalid", "GIT_COMMITTER_DATE=2026-11-02T10:00:00Z",
	}
}

func git(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Env = environ(t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// waiting is a repository in which these memories wait for review.
func waiting(t *testing.T, titles ...string) *workspace.Workspace {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	git(t, "init", "-q", "-b", "main", dir)
	git(t, "-C", dir, "commit", "-q", "--allow-empty", "-m", "start")
	w, err := workspace.Open(t.Context(), workspace.Env{Dir: dir, Environ: environ(t.TempDir()), Now: clock, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	for _, title := range titles {
		if _, err := w.Remember(t.Context(), workspace.Note{Type: memory.Decision, Title: title, Pending: true}); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// reviewed runs a review line by line with these keys, and returns what it prints.
func reviewed(t *testing.T, w *workspace.Workspace, keys string, by review.Group) string {
	t.Helper()
	var b strings.Builder
	face := Face{
		In: strings.NewReader(strings.ReplaceAll(keys, " ", "\n") + "\n"), Out: &b, Err: &b,
		Printer: &console.Printer{Out: &b, Whole: true, Width: 100}, Now: clock,
	}
	if err := Run(t.Context(), w, review.Options{By: by}, face); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestRun: what is pressed decides about the card at hand, and can be taken back.
func TestRun(t *testing.T) {
	const gauges, charts = "Gauges report in litres", "Charts are drawn at noon"
	for name, tt := range map[string]struct {
		keys string
		has  []string
		left int // memories that wait
	}{
		"quit":      {"q", []string{gauges, "a accept", "q quit"}, 2},
		"help":      {"? q", []string{"accept"}, 2},
		"skip all":  {"s s", []string{gauges, charts}, 2},
		"back":      {"s b q", []string{gauges, charts}, 2},
		"a mistake": {"w q", []string{"w"}, 2},
		"reject":    {"r q", []string{"rejected"}, 1},
		"accept":    {"a q", []string{"accepted"}, 1},
		"undo":      {"r u q", []string{"rejected"}, 2},
		"no input":  {"", []string{gauges}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := waiting(t, gauges, charts)
			got := reviewed(t, w, tt.keys, "")
			for _, want := range tt.has {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in\n%s", want, got)
				}
			}
			items, _, err := review.List(t.Context(), w, review.Options{})
			if err != nil || len(items) != tt.left {
				t.Errorf("%d memories wait, want %d: %v", len(items), tt.left, err)
			}
		})
	}
	if got := reviewed(t, waiting(t), "", ""); !strings.Contains(got, "Nothing to review.") {
		t.Errorf("without a memory: %s", got)
	}
}

// TestGroups: all memories of a group are accepted or rejected at once, and that is taken
// back at once.
func TestGroups(t *testing.T) {
	for keys, left := range map[string]int{"z q": 0, "x q": 0, "z u q": 6, "n q": 6} {
		w := waiting(t, "Gauges report in litres", "Charts are drawn at noon", "Locks open inwards", "Buoys send at dawn", "Pumps stop at night", "Relays buffer mail")
		got := reviewed(t, w, keys, review.ByType)
		items, _, err := review.List(t.Context(), w, review.Options{})
		if err != nil || len(items) != left {
			t.Errorf("%s: %d memories wait, want %d (%v)\n%s", keys, len(items), left, err, got)
		}
	}
}

// TestGone: what waits for a branch that is gone is moved here, and back.
func TestGone(t *testing.T) {
	for keys, here := range map[string]int{"m q": 1, "m u q": 0, "s q": 0} {
		w := waiting(t)
		git(t, "-C", w.Repo.Root, "branch", "topic")
		note := workspace.Note{Type: memory.Decision, Title: "Gauges report in litres", Pending: true, Branch: "topic"}
		if _, err := w.Remember(t.Context(), note); err != nil {
			t.Fatal(err)
		}
		git(t, "-C", w.Repo.Root, "branch", "-D", "topic")
		got := reviewed(t, w, keys, "")
		items, _, err := review.List(t.Context(), w, review.Options{})
		if err != nil || len(items) != here || !strings.Contains(got, "topic") {
			t.Errorf("%s: %d memories wait, want %d (%v)\n%s", keys, len(items), here, err, got)
		}
	}
}

// TestDecide: what is named is decided, or nothing is.
func TestDecide(t *testing.T) {
	w := waiting(t, "Gauges report in litres", "Charts are drawn at noon", "Locks open inwards")
	items, _, err := review.List(t.Context(), w, review.Options{})
	if err != nil || len(items) != 3 {
		t.Fatalf("%d memories wait: %v", len(items), err)
	}
	id := func(i int) string { return items[i].Memory.ID.Short() }
	if _, err := Decide(t.Context(), w, Named{Accept: []string{id(0)}, Reject: []string{"zzzzzzz"}}); err == nil {
		t.Error("an id that nothing has is no error")
	}
	out, err := Decide(t.Context(), w, Named{Accept: []string{id(0)}, Reject: []string{id(1)}})
	if err != nil || len(out.Accepted) != 1 || len(out.Rejected) != 1 || out.Left != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	var b strings.Builder
	out.Print(&console.Printer{Out: &b, Whole: true, Width: 100}, false)
	for _, want := range []string{"accepted", "rejected", "1 memory is left to review"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
	all, err := All(t.Context(), w, review.Options{}, true, true)
	if err != nil || len(all.Rejected) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestKeyOf: a key is one letter, in lower case, whatever a terminal sends for it.
func TestKeyOf(t *testing.T) {
	for chunk, want := range map[string]rune{"a": 'a', "q": 'q'} {
		if got := keyOf([]byte(chunk)); got != want {
			t.Errorf("%q is %q", chunk, got)
		}
	}
}
