//go:build unix

package gitops

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestKnown: git is not asked twice for the same, and what is answered without it is
// what it would say, whatever changed.
func TestKnown(t *testing.T) {
	dir, home := initRepo(t), t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git", "cortex"), 0o777); err != nil {
		t.Fatal(err)
	}
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	asked, binary := filepath.Join(t.TempDir(), "asked"), filepath.Join(t.TempDir(), "git")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\necho \"$1\" >>"+asked+"\nexec "+real+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"}
	at := dir
	says := func() string {
		t.Helper()
		r, err := Open(t.Context(), at, Options{Env: environ, Git: binary})
		if err != nil {
			return err.Error()
		}
		settings, err := r.Settings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s %s %s %s %s %s %s %s %v %v", r.Root, r.GitDir, r.CommonDir, r.ObjectsDir, r.HooksDir, r.Branch, r.Topic, r.Head, r.Bare, *settings)
	}
	calls := func() int {
		data, err := os.ReadFile(asked)
		if err != nil {
			return 0
		}
		return strings.Count(string(data), "\n")
	}
	git := func(args ...string) func() { return func() { runGit(t, dir, args...) } }
	beside, alone := filepath.Join(t.TempDir(), "beside"), environ
	for _, step := range []struct {
		name  string
		do    func()
		calls int // of git, when asked for the same again
	}{
		{"nothing", func() {}, 0},
		{"a commit", git("commit", "-q", "--allow-empty", "-m", "second"), 0},
		{"another branch", git("switch", "-q", "-c", "feat/a"), 0},
		{"packed refs", git("pack-refs", "--all"), 0},
		{"a commit after that", git("commit", "-q", "--allow-empty", "-m", "third"), 0},
		{"a commit that went", git("reset", "-q", "--hard", "HEAD~1"), 0},
		{"a setting", git("config", "cortex.enabled", "true"), 0},
		{"a folder of hooks", git("config", "core.hooksPath", ".githooks"), 0},
		{"a remote", git("remote", "add", "origin", "ssh://git@example.org/a.git"), 0},
		{"a setting of the user", func() {
			writeFile(t, filepath.Join(home, ".gitconfig"), "[user]\n\temail = a@b\n")
		}, 0},
		{"a command of the user", func() {
			writeFile(t, filepath.Join(home, ".gitconfig"), "[cortex]\n\tllm = x\n[user]\n\temail = a@b\n")
		}, 1},
		{"no command", func() {
			writeFile(t, filepath.Join(home, ".gitconfig"), "[user]\n\temail = a@c\n")
		}, 0},
		{"a setting of cortex in the environment", func() {
			alone = environ
			environ = append(slices.Clip(environ), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=cortex.embed", "GIT_CONFIG_VALUE_0=y")
		}, 1},
		{"another in the environment", func() {
			environ = append(slices.Clip(alone), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=y")
		}, 0},
		{"a folder below", func() { at = filepath.Join(dir, "below"); mkdir(t, at) }, 0},
		{"a repository there", func() { runGit(t, dir, "init", "-q", "below") }, 2}, // that has no cache
		{"a folder .git that is none", func() {
			if err := os.RemoveAll(filepath.Join(at, ".git")); err != nil {
				t.Fatal(err)
			}
			mkdir(t, filepath.Join(at, ".git"))
		}, 2},
		{"a linked working tree", func() { runGit(t, dir, "worktree", "add", "-q", beside); at = beside }, 0},
		{"settings of working trees", func() {
			runGit(t, dir, "config", "extensions.worktreeConfig", "true")
			runGit(t, beside, "config", "--worktree", "cortex.secret", "z")
		}, 0},
		{"the main one again", func() { at = dir }, 0},
		{"a password", git("remote", "add", "other", "https://me:word@example.org/a.git"), 1},
		{"no password", git("remote", "remove", "other"), 0},
		{"an included file", func() {
			writeFile(t, filepath.Join(home, "more"), "[cortex]\n\tland = no\n")
			runGit(t, dir, "config", "include.path", filepath.Join(home, "more"))
		}, 2},
		{"a change of it", func() { writeFile(t, filepath.Join(home, "more"), "[cortex]\n\tland = yes\n") }, 2},
		{"no included file", git("config", "--unset", "include.path"), 0},
		{"a file that the environment includes", func() {
			alone = environ
			environ = append(slices.Clip(environ), "GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_1=include.path", "GIT_CONFIG_VALUE_1="+filepath.Join(home, "more"))
		}, 2},
		{"a change of that", func() { writeFile(t, filepath.Join(home, "more"), "[cortex]\n\tland = ask\n") }, 2},
		{"none of these", func() { environ = alone }, 0},
		{"a name that is not in UTF-8", git("config", "user.name", "Jos\xe9"), 1},
		{"one that is", git("config", "user.name", "José"), 0},
		{"a detached HEAD", git("switch", "-q", "--detach"), 1},
		{"an unborn branch", git("switch", "-q", "--orphan", "empty"), 1},
		{"no repository", func() {
			if err := os.Rename(filepath.Join(dir, ".git", "objects"), filepath.Join(dir, ".git", "away")); err != nil {
				t.Fatal(err)
			}
		}, 1},
	} {
		step.do()
		says()
		got, before := says(), 0 // the second may be answered without git
		before = calls()
		if got != says() {
			t.Errorf("after %s it changes what it says", step.name)
		}
		if n := calls() - before; n != step.calls {
			t.Errorf("after %s git is asked %d times, want %d", step.name, n, step.calls)
		}
		for _, cache := range []string{filepath.Join(dir, ".git", "cortex", "git.json"), filepath.Join(at, ".git", "cortex", "git.json")} {
			_ = os.Remove(cache)
		}
		if want := says(); got != want {
			t.Errorf("after %s:\n%s, want\n%s", step.name, got, want)
		}
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o777); err != nil {
		t.Fatal(err)
	}
}

// TestKnownInHook: a hook of git's is answered as any other process while git tells it nothing of
// another repository or configuration, and a commit changes no answer but what HEAD is at.
func TestKnownInHook(t *testing.T) {
	dir := initRepo(t)
	mkdir(t, filepath.Join(dir, ".git", "cortex"))
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	asked, binary := filepath.Join(t.TempDir(), "asked"), filepath.Join(t.TempDir(), "git")
	script := "#!/bin/sh\necho \"$1\" >>" + asked + "\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(binary, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
	for _, step := range []struct {
		name  string
		told  []string // by git
		calls int
	}{
		{"the first hook", []string{"GIT_INDEX_FILE=.git/index"}, 2},
		{"after the commit", []string{"GIT_INDEX_FILE=.git/index", "GIT_AUTHOR_DATE=@1", "GIT_AUTHOR_NAME=A"}, 0},
		{"another index", []string{"GIT_INDEX_FILE=.git/index.lock"}, 0},
		{"settings of the command line", []string{"GIT_CONFIG_PARAMETERS='cortex.llm'='x'"}, 2},
		{"a repository that is named", []string{"GIT_DIR=.git"}, 2},
		{"none of these", nil, 0},
	} {
		runGit(t, dir, "commit", "-q", "--allow-empty", "-m", step.name)
		_ = os.Remove(asked)
		opt := Options{Env: slices.Concat(environ, step.told), Git: binary, InGitHook: true}
		r, err := Open(t.Context(), dir, opt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Settings(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := runGit(t, dir, "rev-parse", "HEAD"); r.Head != want || r.Branch != "main" {
			t.Errorf("%s: HEAD is %s of %s, want %s", step.name, r.Head, r.Branch, want)
		}
		data, _ := os.ReadFile(asked)
		if n := strings.Count(string(data), "\n"); n != step.calls {
			t.Errorf("%s: git was asked %d times, want %d", step.name, n, step.calls)
		}
	}
}
