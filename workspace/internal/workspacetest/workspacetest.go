// Package workspacetest makes workspaces for the tests of workspace's rooms:
// real git repositories in temporary folders, in which nothing of the host's
// configuration shows through and every date is fixed. Call [New] for one
// repository, or [Team] for a remote and clones of it; [Put], [PutPending] and
// [Change] fill them. Every function ends the test on an error.
package workspacetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Clock returns the time at which these tests happen.
func Clock() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// Environ returns an environment for git with home as the home folder.
func Environ(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "HOME=" + home,
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.invalid", "GIT_AUTHOR_DATE=2026-11-02T10:00:00Z",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.invalid", "GIT_COMMITTER_DATE=2026-11-02T10:00:00Z",
	}
}

// New opens a new repository on main with one empty commit. It is closed at the
// end of the test.
func New(t testing.TB) *workspace.Workspace {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	git(t, "init", "-q", "-b", "main", dir)
	git(t, "-C", dir, "commit", "-q", "--allow-empty", "-m", "start")
	return Open(t, dir)
}

// Env returns what [Open] opens the repository with.
func Env(t testing.TB, dir string, more ...string) workspace.Env {
	return workspace.Env{Dir: dir, Environ: append(Environ(t.TempDir()), more...), Now: Clock, Version: "test"}
}

// Open opens the repository that dir is in, with more variables in its
// environment. It is closed at the end of the test.
func Open(t testing.TB, dir string, more ...string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(t.Context(), Env(t, dir, more...))
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

// Team makes a bare remote and n repositories of which it is the origin.
func Team(t *testing.T, n int) (hub string, clones []*workspace.Workspace) {
	t.Helper()
	hub = filepath.Join(t.TempDir(), "hub.git")
	git(t, "init", "-q", "--bare", "-b", "main", hub)
	for i := range n {
		w := New(t)
		Git(t, w, "remote", "add", "origin", hub)
		Git(t, w, "config", "cortex.clone", fmt.Sprintf("%016x", i))
		clones = append(clones, w)
	}
	return hub, clones
}

// Git runs git in the working tree of w and returns what it prints, without the
// white space around it.
func Git(t *testing.T, w *workspace.Workspace, args ...string) string {
	t.Helper()
	return git(t, append([]string{"-C", w.Repo.Root}, args...)...)
}

// TryGit runs git in the working tree of w, which may fail.
func TryGit(t *testing.T, w *workspace.Workspace, args ...string) error {
	t.Helper()
	_, err := run(t, append([]string{"-C", w.Repo.Root}, args...))
	return err
}

func git(t testing.TB, args ...string) string {
	t.Helper()
	out, err := run(t, args)
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(out)
}

func run(t testing.TB, args []string) (string, error) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Env = Environ(t.TempDir())
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Write writes a file of the working tree.
func Write(t *testing.T, w *workspace.Workspace, path, text string) {
	t.Helper()
	path = filepath.Join(w.Repo.Root, filepath.FromSlash(path))
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666))
	if err != nil {
		t.Fatal(err)
	}
}

// Read returns a file of the working tree, "" for one that is not there.
func Read(t *testing.T, w *workspace.Workspace, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.Repo.Root, filepath.FromSlash(path)))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

// Put writes memories as files into the working tree.
func Put(t *testing.T, w *workspace.Workspace, memories ...*memory.Memory) {
	t.Helper()
	for _, m := range memories {
		Write(t, w, view.MemoryPath(m.Path()), string(memory.Format(m)))
	}
}

// PutPending writes memories into the journal, for the current branch.
func PutPending(t *testing.T, w *workspace.Workspace, memories ...*memory.Memory) {
	t.Helper()
	put := map[string][]byte{}
	for _, m := range memories {
		put[gitops.PendingPrefix(w.Repo.Branch)+"/"+m.Path()] = memory.Format(m)
	}
	Change(t, w, put)
}

// Change writes files into the journal, and removes others.
func Change(t *testing.T, w *workspace.Workspace, put map[string][]byte, remove ...string) {
	t.Helper()
	err := w.Journal.Update(t.Context(), func(*gitops.Snapshot) (gitops.Change, error) {
		return gitops.Change{Message: "test", When: Clock(), Put: put, Remove: remove}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Commit commits everything in the working tree.
func Commit(t *testing.T, w *workspace.Workspace, message string) {
	t.Helper()
	Git(t, w, "add", "-A")
	Git(t, w, "commit", "-q", "-m", message)
}

// View reads a state of w.
func View(t *testing.T, w *workspace.Workspace, opt workspace.ViewOptions) *workspace.View {
	t.Helper()
	v, err := w.View(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Sure returns a memory that is certain enough to land by itself and a day old.
func Sure(typ memory.Type, title string) *memory.Memory {
	m := memory.New(typ, title, "", Clock().AddDate(0, 0, -1))
	m.Confidence = 1
	return m
}

// Transcript returns the path of the smallest session there is: one tag in one answer.
func Transcript(t *testing.T, session, tag string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), session+".jsonl")
	text := `{"type":"user","sessionId":"` + session +
		`","uuid":"u1","timestamp":"2026-11-03T09:00:00.000Z","message":{"role":"user","content":"Well?"}}` + "\n" +
		`{"type":"assistant","sessionId":"` + session +
		`","uuid":"u2","parentUuid":"u1","timestamp":"2026-11-03T09:00:09.000Z","message":{"id":"m","type":"message",` +
		`"role":"assistant","content":[{"type":"text","text":"Done.\n\n[MEMORY: decision] ` + tag + `"}]}}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
