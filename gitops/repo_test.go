package gitops

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func testEnv() []string {
	return append(os.Environ(),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	)
}

// runGit runs git in dir and returns its trimmed output.
func runGit(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := tryGit(dir, nil, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(out)
}

func tryGit(dir string, env []string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, append(testEnv(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// initRepo makes a repository with one commit.
func initRepo(t testing.TB, args ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, append([]string{"init", "-q", "-b", "main"}, args...)...)
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func openRepo(t testing.TB, dir string) *Repo {
	t.Helper()
	r, err := Open(context.Background(), dir, Options{Env: testEnv()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func fsck(t testing.TB, dir string, flags ...string) {
	t.Helper()
	if out, err := tryGit(dir, nil, append([]string{"fsck", "--strict", "--no-dangling"}, flags...)...); err != nil {
		t.Errorf("git fsck: %v\n%s", err, out)
	}
}

func writeFile(t testing.TB, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestOpen(t *testing.T) {
	ctx := context.Background()
	plain := initRepo(t)
	head := runGit(t, plain, "rev-parse", "HEAD")
	sub := filepath.Join(plain, "a", "b")
	if err := os.MkdirAll(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	runGit(t, plain, "worktree", "add", "-q", "-b", "feat/x", linked)
	linked, _ = filepath.EvalSymlinks(linked)
	unborn := t.TempDir()
	runGit(t, unborn, "init", "-q", "-b", "trunk")
	bare := t.TempDir()
	runGit(t, bare, "init", "-q", "--bare", "-b", "main")
	detached := initRepo(t)
	runGit(t, detached, "checkout", "-q", "--detach")
	wtc := initRepo(t)
	runGit(t, wtc, "config", "extensions.worktreeConfig", "true")
	runGit(t, wtc, "config", "--worktree", "core.sparseCheckout", "false")
	sha256 := initRepo(t, "--object-format=sha256")

	for _, tc := range []struct {
		name, dir, root, branch, format string
		bare, born                      bool
	}{
		{"plain", plain, plain, "main", "sha1", false, true},
		{"sub-directory", sub, plain, "main", "sha1", false, true},
		{"git directory", filepath.Join(plain, ".git"), "", "main", "sha1", false, true},
		{"linked worktree", linked, linked, "feat/x", "sha1", false, true},
		{"unborn", unborn, "", "trunk", "sha1", false, false},
		{"bare", bare, "", "main", "sha1", true, false},
		{"detached", detached, detached, "", "sha1", false, true},
		{"worktreeConfig", wtc, wtc, "main", "sha1", false, true},
		{"sha256", sha256, sha256, "main", "sha256", false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := Open(ctx, tc.dir, Options{Env: append(testEnv(), "GIT_DIR=/nowhere", "GIT_INDEX_FILE=/nowhere/index")})
			if err != nil {
				t.Fatal(err)
			}
			if tc.name == "unborn" {
				tc.root, _ = filepath.EvalSymlinks(unborn)
			}
			got := fmt.Sprint(r.Root, " ", r.Branch, " ", r.ObjectFormat, " ", r.Bare, " ", r.Head != "")
			want := fmt.Sprint(tc.root, " ", tc.branch, " ", tc.format, " ", tc.bare, " ", tc.born)
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if r.ObjectsDir != filepath.Join(r.CommonDir, "objects") {
				t.Errorf("objects in %s, common directory %s", r.ObjectsDir, r.CommonDir)
			}
		})
	}
	r := openRepo(t, linked)
	if r.Head != head || r.CommonDir != filepath.Join(plain, ".git") || r.GitDir == r.CommonDir {
		t.Errorf("linked worktree: %+v", r)
	}
}

// change puts one memory of the given name on branch main.
func change(name, text string) Change {
	return Change{
		Message: "capture: 1 memory from test (main)", Trailers: []Trailer{{"Cortex-Session", name}},
		When: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC),
		Put:  map[string][]byte{memoryPath(name): []byte(text)},
	}
}

func memoryPath(name string) string { return "pending/main/decision/2026-11/" + name + ".md" }

func capture(t testing.TB, r *Repo, c Change) Outcome {
	t.Helper()
	out, err := r.Journal().Update(context.Background(), nil, func(*Snapshot) (Change, error) { return c, nil })
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// contents is the whole journal: path to text.
func contents(t testing.TB, r *Repo) map[string]string {
	t.Helper()
	s, err := r.Journal().Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	entries, err := s.List(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	err = s.Read(context.Background(), entries, func(e Entry, data []byte) error {
		if data == nil {
			t.Errorf("%s is unreadable", e.Path)
		}
		all[e.Path] = string(bytes.Clone(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
