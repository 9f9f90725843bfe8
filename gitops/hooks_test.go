package gitops

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hookFiles is what stands in a folder: name to mode, link target and content.
func hookFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, _ := e.Info()
		if info.Mode()&fs.ModeSymlink != 0 {
			target, _ := os.Readlink(path)
			files[e.Name()] = "-> " + target
		} else if info.Mode().IsRegular() {
			files[e.Name()] = info.Mode().String() + " " + readFile(t, path)
		}
	}
	return files
}

// fakeCortex writes a program that logs its arguments, and returns it with the log.
func fakeCortex(t *testing.T) (binary, log string) {
	t.Helper()
	dir := t.TempDir()
	binary, log = filepath.Join(dir, "cor tex"), filepath.Join(dir, "log")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\necho \"$*\" >>'"+log+"'\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return binary, log
}

func TestHooks(t *testing.T) {
	for _, tc := range []struct {
		name, before string // the pre-commit hook; "" is none
		mode         fs.FileMode
		link         bool
		own          bool // the user's hook runs and leaves a mark
	}{
		{name: "none"},
		{"shell", "#!/bin/sh\nset -eu\ntouch ran\nexit 0\n", 0o755, false, true},
		{"no final line end", "#!/bin/sh\ntouch ran", 0o755, false, true},
		{"no shebang, odd mode", "touch ran\n", 0o711, false, true},
		{"bash through env", "#!/usr/bin/env bash\n[[ 1 ]] && touch ran\n", 0o755, false, true},
		{"not a shell", "#!/usr/bin/env perl\nopen(F, '>', 'ran');\n", 0o755, false, true},
		{"link", "#!/bin/sh\ntouch ran\n", 0o755, true, true},
		{"switched off", "#!/bin/sh\ntouch ran\n", 0o644, false, false},
		{"empty", "", 0o755, false, false},
		{"CRLF", "#!/bin/sh\r\ntouch ran\r\n", 0o644, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, dir := context.Background(), initRepo(t)
			r := openRepo(t, dir)
			hook := filepath.Join(r.HooksDir, "pre-commit")
			if tc.name != "none" {
				path := hook
				if tc.link {
					path = filepath.Join(dir, "hook.sh")
					if err := os.Symlink("../../hook.sh", hook); err != nil {
						t.Fatal(err)
					}
				}
				writeFile(t, path, tc.before)
				if err := os.Chmod(path, tc.mode); err != nil {
					t.Fatal(err)
				}
			}
			before := hookFiles(t, r.HooksDir)
			binary, log := fakeCortex(t)
			for range 2 {
				if err := r.InstallHooks(ctx, binary); err != nil {
					t.Fatal(err)
				}
			}
			states, err := r.HookStates(ctx, binary)
			if err != nil || len(states) != 2 || !states[0].Current || !states[1].Current {
				t.Errorf("states %+v, %v", states, err)
			}
			commit := func() {
				os.Remove(filepath.Join(dir, "ran"))
				runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
				if _, err := os.Stat(filepath.Join(dir, "ran")); (err == nil) != tc.own {
					t.Errorf("the user's hook ran: %v", err == nil)
				}
			}
			commit()
			if got := readFile(t, log); got != "hook pre-commit\nhook post-commit\n" {
				t.Errorf("cortex was called with %q", got)
			}
			os.Remove(binary)
			commit()
			if err := r.RemoveHooks(ctx); err != nil {
				t.Fatal(err)
			}
			after := hookFiles(t, r.HooksDir)
			if len(before) != len(after) {
				t.Errorf("before %v, after %v", before, after)
			}
			for name, was := range before {
				if after[name] != was {
					t.Errorf("%s: before %q, after %q", name, was, after[name])
				}
			}
		})
	}
}

func TestHooksWhereGitLooks(t *testing.T) {
	ctx, dir := context.Background(), initRepo(t)
	binary, log := fakeCortex(t)

	runGit(t, dir, "config", "core.hooksPath", ".husky/_")
	writeFile(t, filepath.Join(dir, ".husky/_/pre-commit"), "#!/bin/sh\nexec sh -e .husky/pre-commit\n")
	if err := os.Chmod(filepath.Join(dir, ".husky/_/pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, ".husky/pre-commit"), "true\n")
	r := openRepo(t, dir)
	if err := r.InstallHooks(ctx, binary); err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
	if got := readFile(t, log); got != "hook pre-commit\n" {
		t.Errorf("husky: %q", got)
	}
	if err := r.RemoveHooks(ctx); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, filepath.Join(dir, ".husky/pre-commit")); got != "true\n" {
		t.Errorf("husky: %q", got)
	}

	outside := t.TempDir()
	runGit(t, dir, "config", "core.hooksPath", outside)
	r = openRepo(t, dir)
	if err := r.InstallHooks(ctx, binary); !errors.Is(err, ErrSharedHooks) {
		t.Errorf("outside: %v", err)
	}
	if got := hookFiles(t, outside); len(got) != 0 {
		t.Errorf("outside: %v", got)
	}

	sub := filepath.Join(dir, "deep")
	if err := os.MkdirAll(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "config", "core.hooksPath", "hooks of mine")
	r = openRepo(t, sub)
	if want := filepath.Join(dir, "hooks of mine"); r.HooksDir != want {
		t.Errorf("hooks in %s, want %s", r.HooksDir, want)
	}
}

func TestHookReplacedByAnotherTool(t *testing.T) {
	ctx, dir := context.Background(), initRepo(t)
	r := openRepo(t, dir)
	hook := filepath.Join(r.HooksDir, "pre-commit")
	writeFile(t, hook, "#!/usr/bin/env perl\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := r.InstallHooks(ctx, "cortex"); err != nil {
		t.Fatal(err)
	}
	writeFile(t, hook, "#!/bin/sh\necho other tool\n")
	if err := r.InstallHooks(ctx, "cortex"); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, hook); !strings.Contains(got, "echo other tool") || strings.Contains(got, savedSuffix) {
		t.Errorf("hook %q", got)
	}
	if err := r.RemoveHooks(ctx); err == nil {
		t.Error("the hook from before was dropped or the other tool's overwritten")
	}
}
