package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/testrun"
)

// disk is a small file system that can be filled up and made read-only.
type disk struct {
	t    *testing.T
	root string
}

func newDisk(t *testing.T, options string) *disk {
	t.Helper()
	root := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", root).CombinedOutput(); err != nil {
		t.Skipf("a tmpfs cannot be mounted here (it takes root): %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", root).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	return &disk{t, root}
}

// fill leaves so many bytes free; empty undoes it.
func (d *disk) fill(free int64) {
	d.t.Helper()
	f, err := os.Create(filepath.Join(d.root, "filler"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	var size int64
	for {
		n, err := f.Write(block)
		size += int64(n)
		if err != nil {
			break
		}
	}
	if err := f.Truncate(max(0, size-free)); err != nil {
		d.t.Fatal(err)
	}
}

// crowd leaves so many inodes free; empty undoes it.
func (d *disk) crowd(free int) {
	d.t.Helper()
	dir := filepath.Join(d.root, "crowd")
	if err := os.Mkdir(dir, 0o777); err != nil {
		d.t.Fatal(err)
	}
	n := 0
	for ; os.WriteFile(filepath.Join(dir, fmt.Sprint(n)), nil, 0o666) == nil; n++ {
	}
	for i := range free {
		if err := os.Remove(filepath.Join(dir, fmt.Sprint(n-1-i))); err != nil {
			d.t.Fatal(err)
		}
	}
}

func (d *disk) empty() {
	for _, name := range []string{"filler", "crowd"} {
		if err := os.RemoveAll(filepath.Join(d.root, name)); err != nil {
			d.t.Fatal(err)
		}
	}
}

func (d *disk) remount(mode string) {
	d.t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+mode, d.root).CombinedOutput(); err != nil {
		d.t.Fatalf("remounting %s: %v %s", mode, err, out)
	}
}

// lands runs git's hook of a commit under a fault, as a commit would: it must
// exit with 0 and leave either nothing or everything.
func (v *victim) landsUnder(fault string, repair func(), program ...string) {
	v.t.Helper()
	title, payload := v.session()
	v.run(payload, "cortex", "hook", "stop")
	v.kept = append(v.kept, title)
	v.landsNow(fault, repair, program...)
}

func (v *victim) landsNow(fault string, repair func(), program ...string) {
	v.t.Helper()
	words := append(program, "cortex", "hook", "pre-commit")
	before := v.theirs(".cortex", ".git/index")
	if _, err := v.start("", words[0], words[1:]...); failure(err) != nil && !beside(err) {
		v.t.Errorf("the pre-commit hook under %s: %v", fault, err)
	}
	repair()
	v.same("the pre-commit hook under "+fault, before, ".cortex", ".git/index")
	v.check(fault)
	v.landsAll(fault)
}

// TestFullDisk has no room, or room for a part of what is to be written.
func TestFullDisk(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	d := newDisk(t, "size=8m")
	v := newVictim(t, newCheckoutAt(t, filepath.Join(d.root, "repo")))
	for _, free := range testrun.Sample(3, []int64{0, 4 << 10, 12 << 10, 24 << 10, 40 << 10, 64 << 10}) {
		fault := fmt.Sprintf("a disk with %d bytes free", free)
		d.fill(free)
		v.more = 30 // for a pack
		v.captures(fault, true, d.empty)
		v.more = 0
		title, payload := v.session()
		v.run(payload, "cortex", "hook", "stop")
		v.kept = append(v.kept, title)
		d.fill(free)
		v.landsNow(fault, d.empty)
		v.searches(fault, func() { d.fill(free) }, d.empty)
	}
}

// searches demands the same answer from a search that cannot write its caches,
// all or a part of them, as from one that can.
func (v *victim) searches(fault string, begin, end func()) {
	v.t.Helper()
	answer := func() string {
		out, err := v.start("", "cortex", "search", "--json", "gauge", "register")
		if failure(err) != nil {
			v.t.Errorf("searching under %s: %v", fault, err)
		}
		var found struct{ Results []any }
		if err := json.Unmarshal([]byte(out), &found); err != nil || len(found.Results) == 0 {
			v.t.Errorf("searching under %s: %v %.300s", fault, err, out)
		}
		results, _ := json.Marshal(found.Results)
		return string(results)
	}
	clear := func() {
		if err := os.RemoveAll(filepath.Join(v.dir, ".git/cortex")); err != nil {
			v.t.Fatal(err)
		}
	}
	clear()
	want := answer()
	clear()
	begin()
	for range 2 {
		if got := answer(); got != want {
			v.t.Errorf("searching under %s: got\n%s\nwant\n%s", fault, got, want)
		}
	}
	end()
	if got := answer(); got != want {
		v.t.Errorf("searching after %s: got\n%s\nwant\n%s", fault, got, want)
	}
}

// TestNoInodes has room and no inode, or not enough of them.
func TestNoInodes(t *testing.T) {
	fullOnly(t, "a full disk in another way than that of TestFullDisk")
	t.Parallel()
	d := newDisk(t, "size=16m,nr_inodes=1200")
	v := newVictim(t, newCheckoutAt(t, filepath.Join(d.root, "repo")))
	for _, free := range []int{0, 1, 2, 4, 7, 11, 16} {
		fault := fmt.Sprintf("a disk with %d inodes free", free)
		d.crowd(free)
		v.captures(fault, true, d.empty)
		title, payload := v.session()
		v.run(payload, "cortex", "hook", "stop")
		v.kept = append(v.kept, title)
		d.crowd(free)
		v.landsNow(fault, d.empty)
		v.searches(fault, func() { d.crowd(free) }, d.empty)
	}
}

// TestReadOnly can read and say so, and writes when it may again.
func TestReadOnly(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	d := newDisk(t, "size=16m")
	v := newVictim(t, newCheckoutAt(t, filepath.Join(d.root, "repo")))
	writable := func() { d.remount("rw") }
	title, payload := v.session()
	d.remount("ro")
	t.Cleanup(writable)
	if found := v.listed(); found[v.kept[0]] != 1 {
		t.Errorf("reading from a read-only disk: %v", found)
	}
	if out, err := v.start("", "cortex", "search", "--json", "gauge register"); failure(err) != nil || !strings.Contains(out, v.kept[0]) {
		t.Errorf("searching a read-only disk: %v %s", err, out)
	}
	if out, err := v.start(payload, "cortex", "remember", "--pending", "Nothing can be written here."); err == nil {
		t.Errorf("a note on a read-only disk was acknowledged: %s", out)
	}
	for _, event := range []string{"session-start", "user-prompt-submit", "pre-compact", "session-end", "post-commit"} {
		if _, err := v.start(payload, "cortex", "hook", event); failure(err) != nil {
			t.Errorf("hook %s on a read-only disk: %v", event, err)
		}
	}
	_ = title
	v.captures("a read-only disk", true, writable)
	v.run(payload, "cortex", "hook", "stop")
	v.kept = append(v.kept, title)
	d.remount("ro")
	v.landsNow("a read-only disk", writable)
	v.searches("a read-only disk", func() { d.remount("ro") }, writable)
}

// TestCollectBetweenSteps stops a capture, or one of its gits, at a call of
// each class and lets `git gc --prune=now` delete what nothing refers to yet.
func TestCollectBetweenSteps(t *testing.T) {
	fullOnly(t, "faults at many calls")
	t.Parallel()
	needStrace(t)
	v := newVictim(t, newCheckout(t))
	counts := []int{1, 3}
	if testrun.Nightly() {
		counts = []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30}
	}
	classes := []string{"renameat,renameat2", "openat", "fsync,fdatasync", "linkat,link", "execve", "rename", "unlinkat"}
	meet(t, momentsOf(classes, counts...), func(m moment) bool {
		program, log := v.strace(m.calls, fmt.Sprintf("signal=SIGSTOP:when=%d", m.n))
		v.collected("a gc at "+m.String(), program, log)
		return hit(t, log, "stopped by SIGSTOP")
	})
	v.landsAll("all collections")
}

func (v *victim) collected(fault string, program []string, log string) {
	v.t.Helper()
	title, payload := v.session()
	cmd := exec.Command(program[0], append(program[1:], "cortex", "hook", "stop")...)
	cmd.Dir, cmd.Env, cmd.Stdin = v.dir, v.env, strings.NewReader(payload)
	if err := cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for stops, deadline := 0, time.Now().Add(30*time.Second); ; {
		select {
		case err := <-done:
			if err != nil {
				v.t.Errorf("the hook under %s: %v", fault, err)
			}
		case <-time.After(5 * time.Millisecond):
			if stopped := stoppedBy(v.t, log); len(stopped) > stops && time.Now().Before(deadline) {
				if out, err := v.start("", "git", "gc", "-q", "--prune=now"); err != nil {
					v.t.Logf("%s: gc: %v %s", fault, err, out) // it met a lock
				}
				for ; stops < len(stopped); stops++ {
					_ = syscall.Kill(stopped[stops], syscall.SIGCONT)
				}
			}
			if time.Now().After(deadline) {
				_ = cmd.Process.Kill()
				v.t.Fatalf("the hook under %s does not end", fault)
			}
			continue
		}
		break
	}
	v.check(fault)
	v.age()
	v.run(payload, "cortex", "hook", "stop")
	v.kept = append(v.kept, title)
	v.check("the run after " + fault)
}

// stoppedBy reads from the log of strace whom SIGSTOP has stopped, in order.
func stoppedBy(t *testing.T, log string) (pids []int) {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if pid, rest, ok := strings.Cut(line, " "); ok && strings.Contains(rest, "--- stopped by SIGSTOP ---") {
			id, _ := strconv.Atoi(pid)
			pids = append(pids, id)
		}
	}
	return pids
}
