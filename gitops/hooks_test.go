package gitops

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/gitops/internal/clone"
	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/google/go-cmp/cmp"
)

// hookFiles maps the name of each file in a folder, samples left out, to its mode and
// content, or to the target of the link.
func hookFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".sample") {
			continue
		}
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

// gitSaying is a git of the given version, as far as its word goes: it neither
// gains nor loses anything but hooks of the configuration.
func gitSaying(t *testing.T, version string) string {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	off := ""
	if version < "2.54" {
		off = " -c hook.cortex-pre-commit.enabled=false -c hook.cortex-post-commit.enabled=false"
	}
	shim := filepath.Join(t.TempDir(), "git")
	script := "#!/bin/sh\n[ \"$1\" = version ] && { echo git version " + version + "; exit; }\nexec " + gitcmd.Quote(real) + off + " \"$@\"\n"
	if err := os.WriteFile(shim, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return shim
}

// openAs opens a repository with a git of the given version.
func openAs(t *testing.T, version, dir string) *Repo {
	t.Helper()
	r, err := Open(context.Background(), dir, Options{Env: testEnv(), Git: gitSaying(t, version)})
	if err != nil {
		t.Fatal(err)
	}
	return r
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
			r := openAs(t, "2.39.5", dir)
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
				if err := r.Hooks().Install(ctx, Binary{Path: binary}); err != nil {
					t.Fatal(err)
				}
			}
			states, err := r.Hooks().States(ctx, nil, Binary{Path: binary})
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
			if err := r.Hooks().Remove(ctx); err != nil {
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

// TestHooksWhereGitLooks has hooks in places that are ours to write, and in
// some that are not.
func TestHooksWhereGitLooks(t *testing.T) {
	ctx := context.Background()
	outside := t.TempDir()
	for _, tc := range []struct {
		name, hooks, ignore string
		notOurs             HooksFolderError
		own                 bool
	}{
		{name: "tracked", hooks: "githooks", notOurs: HooksFolderError{Dir: "githooks"}},
		{name: "husky 8", hooks: ".husky", ignore: "_", notOurs: HooksFolderError{Dir: ".husky"}},
		{name: "husky 9", hooks: ".husky/_", ignore: "*", own: true},
		{name: "not made yet", hooks: "none/_", notOurs: HooksFolderError{Dir: "none/_", Missing: true}},
		{name: "shared", hooks: outside, notOurs: HooksFolderError{Dir: outside, Shared: true}},
		{name: "in the git directory", hooks: ".git/mine", own: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := initRepo(t)
			binary, log := fakeCortex(t)
			runGit(t, dir, "config", "core.hooksPath", tc.hooks)
			hooks := filepath.Join(dir, filepath.FromSlash(tc.hooks))
			if tc.notOurs.Shared {
				hooks = outside
			}
			if !tc.notOurs.Missing {
				writeFile(t, filepath.Join(hooks, "pre-commit"), "#!/bin/sh\ntrue\n")
				if err := os.Chmod(filepath.Join(hooks, "pre-commit"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if tc.ignore != "" {
				writeFile(t, filepath.Join(hooks, ".gitignore"), tc.ignore+"\n")
			}
			before := hookFiles(t, hooks)
			r := openAs(t, "2.39.5", dir)
			err := r.Hooks().Install(ctx, Binary{Path: binary})
			var notOurs *HooksFolderError
			if errors.As(err, &notOurs) == tc.own || !tc.own && *notOurs != tc.notOurs {
				t.Fatalf("%v, want %+v", err, tc.notOurs)
			}
			states, err := r.Hooks().States(ctx, nil, Binary{Path: binary})
			if err != nil || states[0].Current != tc.own || !tc.own && states[0].Hint == "" {
				t.Errorf("%+v, %v", states, err)
			}
			if tc.own {
				runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
				if got := readFile(t, log); got != "hook pre-commit\nhook post-commit\n" {
					t.Errorf("cortex was called with %q", got)
				}
			}
			if err := r.Hooks().Remove(ctx); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, hookFiles(t, hooks)); diff != "" {
				t.Errorf("after removal:\n%s", diff)
			}
		})
	}
}

// TestHookOfAPerson has somebody write the line that cortex advises.
func TestHookOfAPerson(t *testing.T) {
	ctx, dir := context.Background(), initRepo(t)
	runGit(t, dir, "config", "core.hooksPath", "githooks")
	for _, name := range clone.HookNames() {
		path := filepath.Join(dir, "githooks", name)
		writeFile(t, path, "#!/bin/sh\nset -e\n"+clone.HookLine(name)+"\n")
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, version := range []string{"2.39.5", "2.54.0"} {
		r := openAs(t, version, dir)
		config := readFile(t, filepath.Join(r.CommonDir, "config"))
		if err := r.Hooks().Install(ctx, Binary{Name: "cortex"}); err != nil {
			t.Fatal(err)
		}
		states, err := r.Hooks().States(ctx, nil, Binary{Name: "cortex"})
		if err != nil || !states[0].Current || !states[1].Current || states[0].Movable {
			t.Errorf("%s: %+v, %v", version, states, err)
		}
		if now := readFile(t, filepath.Join(r.CommonDir, "config")); now != config {
			t.Errorf("%s: git would call cortex twice: %s", version, now)
		}
	}
}

// TestHooksMove upgrades and downgrades git: cortex is called in one way or
// the other, and nothing stays of the one that is left.
func TestHooksMove(t *testing.T) {
	ctx, dir := context.Background(), initRepo(t)
	binary, log := fakeCortex(t)
	call := Binary{Name: "no-such-cortex", Path: binary}
	older, newer := openAs(t, "2.53.1", dir), openAs(t, "2.54.0.windows.1", dir)
	hook, config := filepath.Join(older.HooksDir, "pre-commit"), filepath.Join(older.CommonDir, "config")
	writeFile(t, hook, "#!/bin/sh\ntrue\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	plain, files := readFile(t, config), hookFiles(t, older.HooksDir)
	state := func(r *Repo) HookState {
		t.Helper()
		states, err := r.Hooks().States(ctx, nil, call)
		if err != nil {
			t.Fatal(err)
		}
		return states[0]
	}
	install := func(r *Repo) {
		t.Helper()
		if err := r.Hooks().Install(ctx, call); err != nil {
			t.Fatal(err)
		}
	}

	install(older)
	scripts := hookFiles(t, older.HooksDir)
	if s := state(older); s.Way != ByScript || !s.Current || s.Movable {
		t.Errorf("older: %+v", s)
	}
	if s := state(newer); s.Way != ByScript || !s.Current || !s.Movable {
		t.Errorf("scripts under the newer git: %+v", s)
	}
	install(newer)
	configured := readFile(t, config)
	if diff := cmp.Diff(files, hookFiles(t, older.HooksDir)); diff != "" {
		t.Errorf("scripts after the upgrade:\n%s", diff)
	}
	if s := state(newer); s.Way != ByConfig || !s.Current || s.Problem != "" {
		t.Errorf("newer: %+v", s)
	}
	if s := state(older); s.Way != ByConfig || s.Current || !strings.Contains(s.Problem, "2.53.1") {
		t.Errorf("configuration under the older git: %+v", s)
	}
	install(newer)
	if now := readFile(t, config); now != configured {
		t.Errorf("a second time: %s", now)
	}
	// What git does with a command: sh -c '<command> "$@"'.
	if out, err := exec.Command("sh", "-c", runGit(t, dir, "config", "hook.cortex-pre-commit.command")+` "$@"`, "hook", "arg").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("the command: %v, %s", err, out)
	}
	if got := readFile(t, log); got != "hook pre-commit\n" {
		t.Errorf("cortex was called with %q", got)
	}
	os.Remove(binary)
	if out, err := exec.Command("sh", "-c", runGit(t, dir, "config", "hook.cortex-pre-commit.command")+` "$@"`, "hook").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("without cortex: %v, %s", err, out)
	}

	install(older)
	if now := readFile(t, config); now != plain {
		t.Errorf("configuration after the downgrade: %q, was %q", now, plain)
	}
	if diff := cmp.Diff(scripts, hookFiles(t, older.HooksDir)); diff != "" {
		t.Errorf("scripts after the downgrade:\n%s", diff)
	}
	install(newer)
	runGit(t, dir, "config", "hook.cortex-pre-commit.enabled", "false")
	if s := state(newer); s.Current || !strings.Contains(s.Problem, "enabled") {
		t.Errorf("switched off: %+v", s)
	}
	runGit(t, dir, "config", "--unset", "hook.cortex-pre-commit.enabled")
	if err := newer.Hooks().Remove(ctx); err != nil {
		t.Fatal(err)
	}
	if now := readFile(t, config); now != plain {
		t.Errorf("configuration after removal: %q, was %q", now, plain)
	}
	if diff := cmp.Diff(files, hookFiles(t, older.HooksDir)); diff != "" {
		t.Errorf("scripts after removal:\n%s", diff)
	}
}

func TestOldGit(t *testing.T) {
	dir := initRepo(t)
	var old *OldGitError
	if _, err := openAs(t, "2.20.1", dir).Hooks().States(context.Background(), nil, Binary{}); !errors.As(err, &old) {
		t.Errorf("2.20.1: %v", err)
	}
}

func TestHookReplacedByAnotherTool(t *testing.T) {
	ctx, dir := context.Background(), initRepo(t)
	r := openAs(t, "2.39.5", dir)
	hook := filepath.Join(r.HooksDir, "pre-commit")
	writeFile(t, hook, "#!/usr/bin/env perl\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := r.Hooks().Install(ctx, Binary{Name: "cortex"}); err != nil {
		t.Fatal(err)
	}
	writeFile(t, hook, "#!/bin/sh\necho other tool\n")
	if err := r.Hooks().Install(ctx, Binary{Name: "cortex"}); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, hook); !strings.Contains(got, "echo other tool") || strings.Contains(got, ".cortex-saved") {
		t.Errorf("hook %q", got)
	}
	if err := r.Hooks().Remove(ctx); err == nil {
		t.Error("the hook from before was dropped or the other tool's overwritten")
	}
}

// TestHooksShelvedByOthers has the pre-commit framework and lefthook put our
// hook aside as they do: the first runs it from there, the second does not.
func TestHooksShelvedByOthers(t *testing.T) {
	for _, tc := range []struct {
		suffix, script string
		runs           bool
	}{
		{".legacy", "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n[ -x \"$0.legacy\" ] && \"$0.legacy\"\n", true},
		{".old", "#!/bin/sh\n# lefthook\ntrue\n", false},
	} {
		ctx, dir := context.Background(), initRepo(t)
		r := openAs(t, "2.39.5", dir)
		binary, log := fakeCortex(t)
		call := Binary{Path: binary}
		hook := filepath.Join(r.HooksDir, "pre-commit")
		if err := r.Hooks().Install(ctx, call); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(hook, hook+tc.suffix); err != nil {
			t.Fatal(err)
		}
		writeFile(t, hook, tc.script)
		if err := os.Chmod(hook, 0o755); err != nil {
			t.Fatal(err)
		}
		if s, err := r.Hooks().States(ctx, nil, call); err != nil || s[0].Current != tc.runs {
			t.Errorf("%s: %+v, %v", tc.suffix, s, err)
		}
		if err := r.Hooks().Install(ctx, call); err != nil {
			t.Fatal(err)
		}
		runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
		if got := readFile(t, log); got != "hook pre-commit\nhook post-commit\n" {
			t.Errorf("%s: cortex was called with %q", tc.suffix, got)
		}
		if err := r.Hooks().Remove(ctx); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"pre-commit": "-rwxr-xr-x " + tc.script}, hookFiles(t, r.HooksDir)); diff != "" {
			t.Errorf("%s:\n%s", tc.suffix, diff)
		}
	}
}
