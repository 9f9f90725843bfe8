package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/testrun"
	"golang.org/x/sys/unix"
)

// notBlocked is the time that a hook may take at most, whatever holds it up: far
// more than its own bound, for machines that are busy.
const notBlocked = 20 * time.Second

// blockEvents are the events of a session and of a commit.
func blockEvents() []string {
	return []string{"session-start", "user-prompt-submit", "stop", "pre-commit"}
}

// TestHooksNeverBlock has what a hook waits for never come. It ends with 0 in any
// case, prints nothing or one JSON object, and leaves no process behind.
func TestHooksNeverBlock(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	// A git that does what it is to do at any command but rev-parse, so that the
	// hook has found its repository.
	odd := func(do string) func(*testing.T, *victim) func() {
		return func(t *testing.T, v *victim) func() {
			dir := t.TempDir()
			script := "#!/bin/sh\ncase \" $* \" in *' rev-parse '*|*' config '*) exec '" + git + "' \"$@\";; esac\n" + do + "\n"
			if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o777); err != nil {
				t.Fatal(err)
			}
			v.env = append(v.env, "PATH="+dir+":"+os.Getenv("PATH"))
			return func() {}
		}
	}
	var all sync.WaitGroup
	defer all.Wait()
	for _, tc := range testrun.Sample(3, []struct {
		name  string
		fault func(*testing.T, *victim) (over func())
	}{
		{"a spool lock that is held", func(t *testing.T, v *victim) func() {
			return holdLocks(t, v, "spool.lock", "lock", "journal.lock", "stage.lock", "catalog.lock")
		}},
		{"a git that floods its output", odd("exec yes")},
		{"a git that ignores SIGTERM", odd("trap '' TERM HUP INT\nsleep 300 &\nwhile :; do sleep 300; done")},
		{"a git whose children stay", odd("sleep 300 &\nexec sleep 300")},
		{"pipes in the cache folder", func(t *testing.T, v *victim) func() { return pipesForFiles(t, filepath.Join(v.dir, ".git/cortex")) }},
		{"a git that floods one line", odd("exec tr '\\0' y </dev/zero")},
	}) {
		// At once, and not as parallel tests: they wait, and others can run meanwhile.
		all.Go(func() {
			t.Run(tc.name, func(t *testing.T) {
				v := newVictim(t, newCheckout(t))
				v.run("", "cortex", "search", "gauge") // makes caches
				over := tc.fault(t, v)
				mark := "CORTEX_TEST_MARK=" + strings.ReplaceAll(t.Name(), " ", "_")
				v.env = append(v.env, mark)
				done := make(chan struct{})
				for _, event := range blockEvents() {
					_, payload := v.session()
					payload = strings.Replace(payload, "{", `{"prompt": "Which register is gauge f001 read from?",`, 1)
					go func() { v.unblocked(event, payload); done <- struct{}{} }()
				}
				for range blockEvents() {
					<-done
				}
				left := ""
				waitFor(t, "the end of all processes", func() bool { left = marked(mark); return left == "" })
				over()
			})
		})
	}
}

// unblocked runs a hook that is held up.
func (v *victim) unblocked(event, payload string) {
	ctx, cancel := context.WithTimeout(context.Background(), notBlocked)
	defer cancel()
	cmd := exec.CommandContext(ctx, "cortex", "hook", event)
	cmd.Dir, cmd.Env, cmd.Stdin = v.dir, v.env, strings.NewReader(payload)
	var out bytes.Buffer
	cmd.Stdout = &out
	cmd.WaitDelay = time.Second
	from := time.Now()
	err := cmd.Run()
	v.t.Logf("hook %s took %s", event, time.Since(from).Round(time.Millisecond))
	if err != nil {
		v.t.Errorf("hook %s: %v after %s", event, err, time.Since(from))
	}
	if out.Len() > 0 && !json.Valid(out.Bytes()) {
		v.t.Errorf("hook %s printed %q", event, out.Bytes())
	}
}

// marked names the processes with a variable in their environment.
func marked(mark string) (all string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		data, _ := os.ReadFile(file)
		if bytes.Contains(data, []byte(mark)) {
			words, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			all += fmt.Sprintf("%s %q\n", file, bytes.ReplaceAll(words, []byte{0}, []byte{' '}))
		}
	}
	return all
}

// holdLocks takes locks of the cache folder, as a process does that hangs.
func holdLocks(t *testing.T, v *victim, names ...string) (over func()) {
	var files []*os.File
	for _, name := range names {
		f, err := os.OpenFile(filepath.Join(v.dir, ".git/cortex", name), os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return func() {
		for _, f := range files {
			f.Close()
		}
	}
}

// pipesForFiles puts a pipe that nobody writes to in place of every file.
func pipesForFiles(t *testing.T, dir string) (over func()) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		return unix.Mkfifo(path, 0o666)
	})
	if err == nil {
		err = unix.Mkfifo(filepath.Join(dir, "spool"), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {}
}

// TestCrashedHook runs the line that agents are given with a cortex that ends as a
// Go program does whose runtime gives up, or that is not there.
func TestCrashedHook(t *testing.T) {
	t.Parallel()
	v := &victim{checkout: newCheckout(t), transcripts: t.TempDir()}
	var settings struct {
		Hooks map[string][]struct {
			Hooks []struct{ Type, Command string }
		}
	}
	data, err := os.ReadFile(filepath.Join(v.dir, ".claude/settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &settings); err != nil || len(settings.Hooks) < 5 {
		t.Fatalf("%d events, %v", len(settings.Hooks), err)
	}
	for name, script := range map[string]string{
		"a fatal error": "echo 'fatal error: all goroutines are asleep' >&2; exit 2", "a signal": "kill -9 $$", "no cortex": "",
	} {
		shims := t.TempDir()
		if script != "" {
			if err := os.WriteFile(filepath.Join(shims, "cortex"), []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		for event, entries := range settings.Hooks {
			cmd := exec.Command("/bin/sh", "-c", entries[0].Hooks[0].Command)
			cmd.Dir, cmd.Env = v.dir, []string{"PATH=" + shims + ":/usr/bin:/bin"}
			if out, err := cmd.Output(); err != nil || len(out) > 0 {
				t.Errorf("%s at %s: %v, printed %q", name, event, err, out)
			}
		}
	}
}

// TestStrictUmask captures and lands where files are made that nobody may read,
// not even their owner.
func TestStrictUmask(t *testing.T) {
	t.Parallel()
	v := newVictim(t, newCheckout(t))
	v.captures("umask 777", true, nil, "sh", "-c", `umask 777; exec "$@"`, "sh")
	v.landsUnder("umask 777", func() {}, "sh", "-c", `umask 777; exec "$@"`, "sh")
	for _, top := range []string{".git/cortex", ".git/objects", ".git/refs/cortex", ".git/logs", ".cortex"} {
		err := filepath.WalkDir(filepath.Join(v.dir, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err == nil && (info.Mode()&0o400 == 0 || d.IsDir() && info.Mode()&0o700 != 0o700) {
				t.Errorf("%s is %s", path, info.Mode())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
