package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// clock is when these tests happen.
func clock() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// gitEnv is an environment in which nothing of the host's git shows through.
func gitEnv(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "HOME=" + home,
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.invalid", "GIT_AUTHOR_DATE=2026-11-02T10:00:00Z",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.invalid", "GIT_COMMITTER_DATE=2026-11-02T10:00:00Z",
	}
}

// newWorkspace opens a new repository on main with one empty commit.
func newWorkspace(t *testing.T) *Workspace {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	env := gitEnv(t.TempDir())
	for _, args := range [][]string{
		{"init", "-q", "-b", "main", dir},
		{"-C", dir, "commit", "-q", "--allow-empty", "-m", "start"},
	} {
		git(t, args...)
	}
	w, err := Open(t.Context(), Env{Dir: dir, Environ: env, Now: clock, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// put writes memories into the working tree.
func (w *Workspace) put(t *testing.T, memories ...*memory.Memory) {
	t.Helper()
	for _, m := range memories {
		path := w.tree.Abs(view.MemoryPath(m.Path()))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, memory.Format(m), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// putPending writes memories into the journal, for the current branch.
func (w *Workspace) putPending(t *testing.T, memories ...*memory.Memory) {
	t.Helper()
	change := gitops.Change{Message: "test", When: clock(), Put: map[string][]byte{}}
	for _, m := range memories {
		change.Put[gitops.PendingPrefix(w.Repo.Branch)+"/"+m.Path()] = memory.Format(m)
	}
	if err := w.Journal.Update(t.Context(),
		func(*gitops.Snapshot) (gitops.Change, error) { return change, nil }); err != nil {
		t.Fatal(err)
	}
}

// judge returns a judge of the memories of a view.
func (w *Workspace) judge(t *testing.T, v *View) *judge {
	t.Helper()
	return w.lander.judge(t.Context(), v, w.lander.views.Lore(t.Context()))
}

func (w *Workspace) view(t *testing.T, opt ViewOptions) *View {
	t.Helper()
	v, err := w.View(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// sure is a memory of a given type, title and confidence, days old.
func sure(typ memory.Type, title string, confidence float64, days int) *memory.Memory {
	m := memory.New(typ, title, "", clock().AddDate(0, 0, -days))
	m.Confidence = confidence
	return m
}

func linked(m *memory.Memory, rel memory.Rel, to ...*memory.Memory) *memory.Memory {
	for _, t := range to {
		m.Links = append(m.Links, memory.Link{Rel: rel, To: t.ID})
	}
	return m
}

func git(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Env = gitEnv(t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
