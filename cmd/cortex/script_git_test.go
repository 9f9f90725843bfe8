package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-cortex/cortex/internal/testrun"
)

// scriptCondition knows [git:VERSION], a git of that version or later, [root],
// [full], a run that takes everything, and [tool:NAME], a program on PATH or in a
// folder of CORTEX_HOOK_TOOLS. Tests never fetch one.
func scriptCondition(cond string) (bool, error) {
	switch cond {
	case "root":
		return os.Geteuid() == 0, nil
	case "full":
		return testrun.Full(), nil
	}
	if want, ok := strings.CutPrefix(cond, "git:"); ok {
		var major, minor int
		if _, err := fmt.Sscanf(want, "%d.%d", &major, &minor); err != nil {
			return false, err
		}
		out, err := exec.Command("git", "version").Output()
		return err == nil && newerThan(strings.Fields(string(out))[2], major, minor), err
	}
	name, ok := strings.CutPrefix(cond, "tool:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	if _, err := exec.LookPath(name); err == nil {
		return true, nil
	}
	for _, dir := range filepath.SplitList(os.Getenv("CORTEX_HOOK_TOOLS")) {
		if _, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return true, nil
		}
	}
	return false, nil
}

// gitCommands are the script commands about versions and faults of git.
func gitCommands() map[string]scriptCommand {
	return map[string]scriptCommand{
		// oldgit [VERSION]: from here on git says that it is 2.39.5, or VERSION, and
		// runs no hooks from its configuration.
		"oldgit": cmdOldGit,
		// newgit: from here on git is 2.54 or later: the real one if it is, else one
		// that runs hooks from the configuration as that version does.
		"newgit": cmdNewGit,
		// brokengit COMMAND: from here on git is a script of that one command, in which
		// GIT is the git that it stands in front of.
		"brokengit": cmdBrokenGit,
		// realgit: git is again what it is.
		"realgit": cmdRealGit,
		// lifecycle NAME: in the current folder, from init over capture, commit,
		// list, search and merge to fsck, with memories of that name.
		"lifecycle": cmdLifecycle,
	}
}

// hostGit is the git that tests run with, and its version.
func hostGit(ts *testscript.TestScript) (path, version string) {
	path, err := exec.LookPath("git")
	ts.Check(err)
	out, err := exec.Command(path, "version").Output()
	ts.Check(err)
	return path, strings.Fields(string(out))[2]
}

func newerThan(version string, major, minor int) bool {
	var a, b int
	_, _ = fmt.Sscanf(version, "%d.%d", &a, &b)
	return a > major || a == major && b >= minor
}

// setGit puts a script in front of git on PATH.
func setGit(ts *testscript.TestScript, script string) {
	cmdRealGit(ts, false, nil)
	dir, err := os.MkdirTemp(filepath.Join(ts.Getenv("WORK"), ".tmp"), "git-")
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\n"+script), 0o755))
	ts.Setenv("PATH", dir+string(os.PathListSeparator)+ts.Getenv("PATH"))
}

func cmdRealGit(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 0, "realgit")
	var kept []string
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if !strings.HasPrefix(dir, filepath.Join(ts.Getenv("WORK"), ".tmp", "git-")) {
			kept = append(kept, dir)
		}
	}
	ts.Setenv("PATH", strings.Join(kept, string(os.PathListSeparator)))
}

func cmdOldGit(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) <= 1, "oldgit [VERSION]")
	version := append(args, "2.39.5")[0]
	real, _ := hostGit(ts)
	setGit(ts, fmt.Sprintf("[ \"$1\" = version ] && { echo git version %s; exit; }\nexec %s -c hook.cortex-pre-commit.enabled=false -c hook.cortex-post-commit.enabled=false \"$@\"\n", version, real))
}

func cmdNewGit(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 0, "newgit")
	real, version := hostGit(ts)
	if newerThan(version, 2, 54) {
		cmdRealGit(ts, false, nil)
		return
	}
	hooks, err := os.MkdirTemp(filepath.Join(ts.Getenv("WORK"), ".tmp"), "hooks-")
	ts.Check(err)
	// What git 2.54 does: the hooks of the configuration in their order, then
	// the script; the first that fails ends it.
	const runner = `#!/bin/sh
unset GIT_CONFIG_PARAMETERS
name=${0##*/}
for hook in $(%[1]s config --get-regexp '^hook\..*\.event$' | sed -n "s/^hook\.\(.*\)\.event $name\$/\1/p"); do
	[ "$(%[1]s config --type=bool hook.$hook.enabled)" = false ] && continue
	sh -c "$(%[1]s config hook.$hook.command) \"\$@\"" "$hook" "$@" 1>&2 || exit
done
script=$(%[1]s rev-parse --git-path hooks)/$name
[ -x "$script" ] || exit 0
exec "$script" "$@"
`
	for _, name := range []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-merge"} {
		ts.Check(os.WriteFile(filepath.Join(hooks, name), fmt.Appendf(nil, runner, real), 0o755))
	}
	setGit(ts, fmt.Sprintf(`case "$1" in
version) echo git version 2.54.0 ;;
commit | merge | rebase | cherry-pick | revert) exec %[1]s -c core.hooksPath=%[2]s "$@" ;;
*) exec %[1]s "$@" ;;
esac
`, real, hooks))
}

func cmdBrokenGit(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 1, "brokengit COMMAND")
	real, _ := hostGit(ts)
	setGit(ts, "GIT='"+real+"'\n"+args[0]+"\n")
}

// cmdLifecycle takes memories from a hook through commits to a merge, which must
// work in a repository of any kind that has files.
func cmdLifecycle(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 1, "lifecycle NAME")
	name, dir := args[0], ts.MkAbs(".")
	do := func(program string, args ...string) string {
		if program == "cortex" && ts.Getenv("PATH") == os.Getenv("PATH") && !testrun.Full() {
			var out, errs strings.Builder
			if code := runWithin(ts.MkAbs("."), wholeEnviron(ts), args, &out, &errs); code != exitOK {
				ts.Fatalf("cortex %s: exit code %d\n%s", strings.Join(args, " "), code, errs.String())
			}
			return out.String()
		}
		if err := ts.Exec(program, args...); err != nil {
			ts.Fatalf("%s %s: %v", program, strings.Join(args, " "), err)
		}
		return ts.ReadFile("stdout")
	}
	holds := func(what, title string, args ...string) {
		if out := do("cortex", args...); !strings.Contains(out, title) {
			ts.Fatalf("%s: %q is not in\n%s", what, title, out)
		}
	}
	commit := func(number string) { // of three files, beside which one memory may land on a branch
		for _, part := range []string{"a", "b", "c"} {
			file := number + part + "-" + name
			ts.Check(os.WriteFile(filepath.Join(dir, file), nil, 0o666))
			do("git", "add", file)
		}
		do("git", "commit", "-q", "-m", number+" "+name)
	}
	title := func(n int) string { return fmt.Sprintf("Gauge %s%d is read from register %d", name, n, 4000+n) }

	do("cortex", "init", "-q")
	transcript := newTranscript("life-"+name, dir)
	transcript.User("Which register is it?")
	transcript.Agent("Done.\n\n[MEMORY: decision] " + title(1))
	path := filepath.Join(ts.Getenv("WORK"), ".tmp", name+".jsonl")
	ts.Check(os.WriteFile(path, transcript.Bytes(), 0o666))
	payload, err := json.Marshal(map[string]string{
		"hook_event_name": "Stop", "session_id": "life-" + name, "cwd": dir, "transcript_path": path,
	})
	ts.Check(err)
	ts.Check(os.WriteFile(path+".in", payload, 0o666))
	do("sh", "-c", `cortex hook stop <"$1"`, "sh", path+".in")
	holds("pending", title(1), "list", "--stage", "pending", "--json")
	commit("one")
	holds("landed", title(1), "list", "--stage", "landed", "--json")
	holds("found", title(1), "search", "--json", "register "+name+"1")

	branch := strings.TrimSpace(do("git", "symbolic-ref", "--short", "HEAD"))
	do("git", "checkout", "-q", "-b", "side-"+name)
	do("cortex", "remember", "-q", "--pending", "--type", "decision", title(2))
	commit("two")
	do("git", "checkout", "-q", branch)
	do("cortex", "remember", "-q", "--pending", "--type", "decision", title(3))
	commit("three")
	do("git", "merge", "-q", "--no-edit", "side-"+name)
	merged := do("cortex", "list", "--stage", "landed", "--json")
	for n := range 3 {
		if !strings.Contains(merged, title(n+1)) {
			ts.Fatalf("merged: %q is not in\n%s", title(n+1), merged)
		}
	}
	holds("found after the merge", title(2), "search", "--json", "register "+name+"2")
	if out := do("git", "status", "--porcelain", "--untracked-files=no"); out != "" {
		ts.Fatalf("the tree is not clean:\n%s", out)
	}
	cmdFsck(ts, false, nil)
}
