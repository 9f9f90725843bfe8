package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/testrun"
)

// victim is a repository to which faults happen, one after another: what an
// earlier one left behind is there when the next comes.
type victim struct {
	more  int      // memories that each session brings beside the one
	batch []string // their titles, of the last session
	*checkout
	transcripts string
	n           int
	kept        []string // titles that must be there
}

// newVictim lets as many memories land with a commit as there may be.
func newVictim(t *testing.T, c *checkout) *victim {
	err := errors.Join(setSetting(c.dir, "land_max", "100"), setSetting(c.dir, "land_branch_max", "1000"),
		setSetting(c.dir, "land_share", "1"))
	if err != nil {
		t.Fatal(err)
	}
	c.run("", "git", "add", ".")
	c.run("", "git", "commit", "-q", "-m", "set up")
	v := &victim{checkout: c, transcripts: t.TempDir()}
	title, payload := v.session()
	c.run(payload, "cortex", "hook", "stop")
	v.kept = append(v.kept, title)
	v.check("the set-up")
	return v
}

// session is a new transcript with one memory in it, and what the agent's Stop
// hook says of it.
func (v *victim) session() (title, payload string) {
	v.n++
	id := fmt.Sprintf("fault-%03d", v.n)
	title = fmt.Sprintf("Gauge f%03d is read from register %d", v.n, 4000+v.n)
	s := newTranscript(id, v.dir)
	s.User("Which register is it?")
	tags := "[MEMORY: decision] " + title
	v.batch = nil
	for i := range v.more {
		v.batch = append(v.batch, fmt.Sprintf("Gauge f%03d has valve %d at flange %d", v.n, i, 9000+i))
		tags += "\n[MEMORY: " + []string{"gotcha", "learned"}[i%2] + "] " + v.batch[i]
	}
	s.Agent("Done.\n\n" + tags)
	path := filepath.Join(v.transcripts, id+".jsonl")
	if err := os.WriteFile(path, s.Bytes(), 0o666); err != nil {
		v.t.Fatal(err)
	}
	data, err := json.Marshal(map[string]string{
		"hook_event_name": "Stop", "session_id": id, "cwd": v.dir, "transcript_path": path,
	})
	if err != nil {
		v.t.Fatal(err)
	}
	return title, string(data)
}

// listed counts memories by title, pending and landed.
func (v *victim) listed(flags ...string) map[string]int {
	v.t.Helper()
	var list struct {
		Memories []struct{ Title string }
		Problems []any
	}
	// A healed journal is announced on standard error: that is no failure.
	out, err := v.start("", "cortex", append([]string{"list", "--json"}, flags...)...)
	if err := failure(err); err != nil {
		v.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		v.t.Fatal(err)
	}
	if len(list.Problems) > 0 {
		v.t.Errorf("problems: %v", list.Problems)
	}
	found := map[string]int{}
	for _, m := range list.Memories {
		found[m.Title]++
	}
	return found
}

// check demands a sound repository that holds every memory it must, and no
// other one twice. It returns what is there.
func (v *victim) check(after string) map[string]int {
	v.t.Helper()
	// Git itself leaves a commit-graph that names what its repack or prune has dropped.
	if out, err := v.start("", "git", "-c", "core.commitGraph=false", "fsck", "--strict", "--no-dangling", "--no-progress"); err != nil {
		v.t.Errorf("after %s: %s%v", after, out, err)
	}
	found := v.listed()
	for _, title := range v.kept {
		if found[title] != 1 {
			v.t.Errorf("after %s: %q is there %d times", after, title, found[title])
		}
	}
	for title, n := range found {
		if n > 1 {
			v.t.Errorf("after %s: %q is there %d times", after, title, n)
		}
	}
	if v.t.Failed() {
		out, _ := v.start("", "cortex", "status")
		log, _ := os.ReadFile(filepath.Join(v.dir, ".git/cortex/log"))
		v.t.Fatalf("status:\n%s\nlog:\n%s", out, log)
	}
	return found
}

// captures runs the Stop hook through program, which makes the fault happen,
// and then, after repair has ended the fault, an ordinary one: it must bring
// the memory, once, with no manual step.
func (v *victim) captures(fault string, exit0 bool, repair func(), program ...string) {
	v.t.Helper()
	title, payload := v.session()
	words := append(program, "cortex", "hook", "stop")
	before := v.theirs()
	if out, err := v.start(payload, words[0], words[1:]...); exit0 && err != nil && !beside(err) || out != "" {
		v.t.Errorf("the hook under %s: %v, printed %q", fault, err, out)
	}
	if repair != nil {
		repair()
	}
	v.same("the hook under "+fault, before)
	v.check(fault)
	v.age()
	v.run(payload, "cortex", "hook", "stop")
	v.kept = append(append(v.kept, title), v.batch...)
	v.check("the run after " + fault)
}

// age makes the locks that a killed git left on the journal's ref a minute old:
// for ten seconds, captures go to the spool instead.
func (v *victim) age() {
	locks, _ := filepath.Glob(filepath.Join(v.dir, ".git/refs/cortex/*.lock"))
	then := time.Now().Add(-time.Minute)
	for _, lock := range locks {
		if err := os.Chtimes(lock, then, then); err != nil {
			v.t.Fatal(err)
		}
	}
}

// commitsUnder commits with shim as the program that git's hooks find as cortex, and
// returns the locks that are left on git's index.
func (v *victim) commitsUnder(fault, shim string) (locks []string) {
	v.t.Helper()
	env := v.env
	v.env = append(slices.Clone(env), "PATH="+shim+":"+os.Getenv("PATH"))
	out, err := v.start("", "git", "commit", "-q", "--allow-empty", "-m", "under "+fault)
	v.env = env
	locks, _ = filepath.Glob(filepath.Join(v.dir, ".git/index.lock*"))
	if len(locks) == 0 && failure(err) != nil {
		v.t.Errorf("git commit under %s: %v\n%s", fault, err, out)
	}
	return locks
}

// lands makes a memory pending and commits, with shim as the program that
// git's hooks find as cortex; and then commits again without.
func (v *victim) lands(fault string, shim string) {
	v.t.Helper()
	title, payload := v.session()
	v.run(payload, "cortex", "hook", "stop")
	v.kept = append(v.kept, title)
	v.age()
	v.commitsUnder(fault, shim)
	// Killed on the very way to the index it leaves a lock: the next hook of the
	// agent takes it away.
	title, payload = v.session()
	v.run(payload, "cortex", "hook", "stop")
	v.kept = append(v.kept, title)
	if locks, _ := filepath.Glob(filepath.Join(v.dir, ".git/index.lock*")); len(locks) > 0 {
		v.t.Fatalf("after %s git's index stays locked: %v", fault, locks)
	}
	v.check(fault)
	v.landsAll(fault)
}

// homes makes a memory pending on a branch, merges and deletes that branch with
// landing switched off, and commits with shim as the program that git's hooks find as
// cortex; and then again without.
func (v *victim) homes(fault, shim string) {
	v.t.Helper()
	branch := fmt.Sprintf("topic-%03d", v.n+1)
	git := func(args ...string) { // without hooks
		v.t.Helper()
		v.run("", "git", append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...)...)
	}
	git("switch", "-q", "-c", branch)
	title, payload := v.session()
	v.run(payload, "cortex", "hook", "stop")
	v.kept = append(v.kept, title)
	git("commit", "-q", "--allow-empty", "-m", branch)
	git("switch", "-q", "main")
	git("merge", "-q", "--no-ff", "--no-edit", branch)
	git("branch", "-q", "-D", branch)
	v.age()
	locks := v.commitsUnder(fault, shim)
	v.check(fault)
	v.age()
	if len(locks) > 0 { // as in lands, the next hook of the agent takes them away
		v.run(payload, "cortex", "hook", "stop")
	}
	if out, err := v.start("", "git", "commit", "-q", "--allow-empty", "-m", "after "+fault); failure(err) != nil {
		v.t.Errorf("git commit after %s: %v\n%s", fault, err, out)
	}
	v.check("the commit after " + fault)
	var status struct {
		Elsewhere int `json:"pending_elsewhere"`
		Gone      int `json:"pending_gone"`
	}
	if err := json.Unmarshal([]byte(v.run("", "cortex", "status", "--json")), &status); err != nil {
		v.t.Fatal(err)
	}
	if status.Elsewhere+status.Gone > 0 {
		v.t.Fatalf("after %s and a commit there is still pending for other branches: %+v", fault, status)
	}
}

// landsAll is the ordinary commit after a fault: everything has landed, the
// journal is empty, and nothing lies about.
func (v *victim) landsAll(fault string) {
	v.t.Helper()
	if _, err := v.start("", "git", "commit", "-q", "--allow-empty", "-m", "after "+fault); failure(err) != nil {
		v.t.Errorf("git commit after %s: %v", fault, err)
	}
	v.check("the commit after " + fault)
	pending := v.listed("--stage", "pending")
	for range len(v.kept) / 100 { // so many land with one commit
		if len(pending) > 0 {
			_, _ = v.start("", "git", "commit", "-q", "--allow-empty", "-m", "more")
			pending = v.listed("--stage", "pending")
		}
	}
	if len(pending) > 0 {
		v.t.Errorf("after %s and a commit there is still pending: %v", fault, pending)
	}
	if dirty := v.run("", "git", "status", "--porcelain", "-uall"); dirty != "" {
		v.t.Errorf("after %s and a commit the tree is not clean:\n%s", fault, dirty)
	}
	v.run("", "cortex", "project", "--check", "-q")
	if v.t.Failed() {
		v.t.FailNow()
	}
}

// syscallClasses are the system calls at which a process is killed. Where git
// uses an older name than Go does, each has a class of its own.
func syscallClasses() []string {
	return []string{
		"write", "rename", "renameat,renameat2", "fsync,fdatasync", "openat", "link", "linkat", "unlink", "unlinkat",
		"mkdir", "mkdirat", "flock", "execve", "newfstatat", "exit_group",
	}
}

// counts are the counts of calls at which a fault is injected in a nightly run:
// strace counts for each thread and process by itself, so that all of them are
// met early.
func counts() []int {
	all := make([]int, 120)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// moment is the n-th call of a class of system calls.
type moment struct {
	calls string
	n     int
}

func (m moment) String() string { return fmt.Sprintf("%s number %d", m.calls, m.n) }

func momentsOf(classes []string, counts ...int) []moment {
	var all []moment
	for _, calls := range classes {
		for _, n := range counts {
			all = append(all, moment{calls, n})
		}
	}
	return all
}

// allMoments are the calls at which processes are killed, of which an ordinary
// run takes a few.
func allMoments(few ...moment) []moment {
	switch {
	case testrun.Nightly():
		return momentsOf(syscallClasses(), counts()...)
	case testrun.Full():
		return momentsOf(syscallClasses(), 1, 4)
	default:
		return few
	}
}

// meet has something happen at each moment until there are no more calls of its
// class. At least one call must be met.
func meet(t *testing.T, moments []moment, happens func(moment) (met bool)) {
	t.Helper()
	met, over := 0, map[string]bool{}
	for _, m := range moments {
		switch {
		case over[m.calls]:
		case happens(m):
			met++
		default:
			over[m.calls] = true
		}
	}
	t.Logf("%d of %d moments met", met, len(moments))
	if met == 0 {
		t.Error("nothing was hit")
	}
}

// strace is the command that injects a fault; its log says what was hit.
func (v *victim) strace(calls, what string) (program []string, log string) {
	v.t.Helper()
	log = filepath.Join(v.transcripts, "strace.log")
	_ = os.Remove(log)
	program = []string{"strace", "-f", "-A", "-o", log, "-e", "trace=" + calls, "-e", "inject=" + calls + ":" + what}
	if strings.HasPrefix(what, "error=") {
		// Faster; but strace 6.1 then injects a signal into the first call only.
		program = slices.Insert(program, 1, "--seccomp-bpf")
	}
	return program, log
}

func needStrace(t *testing.T) {
	t.Helper()
	if err := exec.Command("strace", "-f", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skipf("strace cannot trace here: %v", err)
	}
}

func hit(t *testing.T, log, mark string) bool {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Contains(string(data), mark)
}

// TestKilledCapture kills the Stop hook, or a git it has started, at the first,
// second, … call of each class.
func TestKilledCapture(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	needStrace(t)
	v := newVictim(t, newCheckout(t))
	meet(t, allMoments(
		moment{"write", 4}, moment{"renameat,renameat2", 1}, moment{"fsync,fdatasync", 4}, moment{"exit_group", 1},
	), func(m moment) bool {
		program, log := v.strace(m.calls, fmt.Sprintf("signal=SIGKILL:when=%d", m.n))
		v.captures("a kill at "+m.String(), false, nil, program...)
		return hit(t, log, "killed by SIGKILL")
	})
	v.landsAll("all kills")
}

// TestKilledPack kills the Stop hook while it captures so much that the objects go
// into a pack.
func TestKilledPack(t *testing.T) {
	fullOnly(t, "kills")
	t.Parallel()
	needStrace(t)
	v := newVictim(t, newCheckout(t))
	v.more = 30
	meet(t, allMoments(), func(m moment) bool {
		program, log := v.strace(m.calls, fmt.Sprintf("signal=SIGKILL:when=%d", m.n))
		v.captures("a kill at "+m.String(), false, nil, program...)
		return hit(t, log, "killed by SIGKILL")
	})
	if packs, _ := filepath.Glob(filepath.Join(v.dir, ".git/objects/pack/pack-*.pack")); len(packs) == 0 {
		t.Error("no pack was written")
	}
}

// TestKilledLanding kills the hooks of a commit in the same way.
func TestKilledLanding(t *testing.T) {
	fullOnly(t, "kills")
	t.Parallel()
	needStrace(t)
	v := newVictim(t, newCheckout(t))
	meet(t, allMoments(), func(m moment) bool {
		program, log := v.strace(m.calls, fmt.Sprintf("signal=SIGKILL:when=%d", m.n))
		v.lands("a kill at "+m.String(), v.shim(program))
		return hit(t, log, "killed by SIGKILL")
	})
}

// TestKilledHoming kills the hooks of a commit while they move home what is pending
// for a branch that was merged.
func TestKilledHoming(t *testing.T) {
	fullOnly(t, "kills")
	t.Parallel()
	needStrace(t)
	c := newCheckout(t)
	if err := setSetting(c.dir, "land", "manual"); err != nil {
		t.Fatal(err)
	}
	v := newVictim(t, c)
	meet(t, allMoments(), func(m moment) bool {
		program, log := v.strace(m.calls, fmt.Sprintf("signal=SIGKILL:when=%d", m.n))
		v.homes("a kill at "+m.String(), v.shim(program))
		return hit(t, log, "killed by SIGKILL")
	})
}

// shim is a folder with a cortex that runs the real one through program.
func (v *victim) shim(program []string) string {
	v.t.Helper()
	path, err := exec.LookPath("cortex")
	if err != nil {
		v.t.Fatal(err)
	}
	dir := filepath.Join(v.transcripts, fmt.Sprintf("shim-%d", v.n))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		v.t.Fatal(err)
	}
	script := "#!/bin/sh\nexec"
	for _, word := range program {
		script += " '" + word + "'"
	}
	if err := os.WriteFile(filepath.Join(dir, "cortex"), []byte(script+" '"+path+"' \"$@\"\n"), 0o777); err != nil {
		v.t.Fatal(err)
	}
	return dir
}
