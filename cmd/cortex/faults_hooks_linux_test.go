package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestHarnessKills ends a hook from outside while a git of it is at work, as an
// agent does whose patience is over: by a signal to the hook, or to all of its
// group. No process is left, and the next run has everything.
func TestHarnessKills(t *testing.T) {
	fullOnly(t, "kills")
	t.Parallel()
	v := newVictim(t, newCheckout(t))
	slow := filepath.Join(v.transcripts, "slow")
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(slow, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		name, at string
		signal   syscall.Signal
		group    bool
	}{
		{"SIGTERM at update-ref", "update-ref", syscall.SIGTERM, false},
		{"SIGINT at rev-parse", "rev-parse", syscall.SIGINT, false},
		{"SIGTERM to the group at update-ref", "update-ref", syscall.SIGTERM, true},
		{"SIGKILL to the group at update-ref", "update-ref", syscall.SIGKILL, true},
	} {
		begun := filepath.Join(slow, "begun")
		_ = os.Remove(begun)
		script := "#!/bin/sh\ncase \" $* \" in *' " + f.at + " '*) : >'" + begun + "'; exec sleep 60;; esac\nexec '" + git + "' \"$@\"\n"
		if err := os.WriteFile(filepath.Join(slow, "git"), []byte(script), 0o777); err != nil {
			t.Fatal(err)
		}
		title, payload := v.session()
		cmd := exec.Command("cortex", "hook", "stop")
		cmd.Dir, cmd.Stdin, cmd.SysProcAttr = v.dir, strings.NewReader(payload), &syscall.SysProcAttr{Setpgid: true}
		cmd.Env = append(append([]string{}, v.env...), "PATH="+slow+":"+os.Getenv("PATH"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, f.name+": git at "+f.at, func() bool { _, err := os.Stat(begun); return err == nil })
		pid := cmd.Process.Pid
		if f.group {
			pid = -pid
		}
		if err := syscall.Kill(pid, f.signal); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil && f.signal != syscall.SIGKILL {
			t.Errorf("%s: %v", f.name, err)
		}
		waitFor(t, f.name+": the end of its processes", func() bool {
			return errors.Is(syscall.Kill(-cmd.Process.Pid, 0), syscall.ESRCH)
		})
		v.check(f.name)
		v.age()
		v.run(payload, "cortex", "hook", "stop")
		v.kept = append(v.kept, title)
		v.check("the run after " + f.name)
	}
}

// waitFor waits with patience, since the machine may be busy.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waiting in vain for %s", what)
		}
	}
}

// zeros is a reader of nothing but zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestHookStreams has standard streams that are closed, or do not end.
func TestHookStreams(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	v := newVictim(t, newCheckout(t))
	hook := func(what, event string, set func(*exec.Cmd)) {
		t.Helper()
		cmd := exec.Command("cortex", "hook", event)
		cmd.Dir, cmd.Env = v.dir, v.env
		set(cmd)
		if err := cmd.Run(); err != nil {
			t.Errorf("hook %s with %s: %v", event, what, err)
		}
		v.check(what)
	}
	start := `{"session_id":"s","hook_event_name":"SessionStart","source":"startup","cwd":"` + v.dir + `"}`
	for _, event := range []string{"session-start", "stop"} {
		hook("a gigabyte on standard input", event, func(cmd *exec.Cmd) { cmd.Stdin = io.LimitReader(zeros{}, 1<<30) })
	}
	hook("nobody at standard output", "session-start", func(cmd *exec.Cmd) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		t.Cleanup(func() { w.Close() })
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(start), w, w
	})
	for _, closed := range []string{"<&-", ">&-", "2>&-", "<&- >&- 2>&-"} {
		hook("closed streams "+closed, "session-start", func(cmd *exec.Cmd) {
			cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", "exec cortex hook session-start " + closed}
			cmd.Stdin = strings.NewReader(start)
		})
		hook("closed streams "+closed, "pre-commit", func(cmd *exec.Cmd) {
			cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", "exec cortex hook pre-commit " + closed}
		})
	}
}

// TestSameSession has four hooks read one transcript at once: its memory is
// there once.
func TestSameSession(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	v := newVictim(t, newCheckout(t))
	for range 3 {
		title, payload := v.session()
		done := make(chan error, 4)
		for _, event := range []string{"stop", "subagent-stop", "pre-compact", "session-end"} {
			go func() {
				_, err := v.start(payload, "cortex", "hook", event)
				done <- failure(err)
			}()
		}
		for range 4 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		v.kept = append(v.kept, title)
		v.check("four hooks of one session")
	}
}

// TestMoved moves the repository, and a linked worktree of it.
func TestMoved(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	v := newVictim(t, newCheckout(t))
	v.run("", "cortex", "search", "gauge") // makes caches
	moved := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(v.dir, moved); err != nil {
		t.Fatal(err)
	}
	v.dir = moved
	v.captures("a move", true, nil)
	side := filepath.Join(t.TempDir(), "side")
	v.run("", "git", "worktree", "add", "-q", "-b", "side", side)
	linked := &victim{checkout: &checkout{t: t, dir: side, env: v.env}, transcripts: t.TempDir(), n: 100}
	title, payload := linked.session()
	linked.run(payload, "cortex", "hook", "stop")
	linked.kept = append(linked.kept, title)
	linked.check("a capture in a linked worktree")
	again := filepath.Join(t.TempDir(), "again")
	v.run("", "git", "worktree", "move", side, again)
	linked.dir = again
	linked.captures("a move of the worktree", true, nil)
	linked.landsAll("a move of the worktree")
	v.landsAll("a move of the repository")
}
