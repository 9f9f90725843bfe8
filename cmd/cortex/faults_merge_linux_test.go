package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
)

// mergeRun is a repository with two branches of which both drivers have to join
// something: a memory that both edited, and pages that both changed.
type mergeRun struct {
	*victim
	file   string
	tokens []string // one side's words each
	n      int
}

func newMerging(t *testing.T) *mergeRun {
	v := &victim{checkout: newCheckout(t), transcripts: t.TempDir()}
	m := &mergeRun{victim: v, tokens: []string{"tokours", "toktheirs"}}
	text := strings.Repeat("The gauge is read every minute.\n\n", 3)
	mem := memory.New(memory.Decision, "Gauge", "First.\n\n"+text+"Last.", time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC))
	m.file = ".cortex/memories/" + mem.Path()
	put := func(message, from, to string) {
		mem.Text = strings.Replace(mem.Text, from, to, 1)
		path := filepath.Join(v.dir, m.file)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, memory.Format(mem), 0o666); err != nil {
			t.Fatal(err)
		}
		v.run("", "cortex", "remember", "-q", "--type", "decision", "Gauge of "+message+" is kept.")
		v.run("", "git", "add", ".")
		v.run("", "git", "commit", "-q", "-m", message)
	}
	put("base", "", "")
	v.run("", "git", "switch", "-q", "-c", "side")
	put("side", "Last.", "Last, toktheirs.")
	v.run("", "git", "switch", "-q", "main")
	mem.Text = "First.\n\n" + text + "Last."
	put("main", "First.", "First, tokours.")
	return m
}

// under merges while shim stands for cortex. However that ends, no word of
// either side is gone, no page has markers, and nothing lies about.
func (m *mergeRun) under(fault, shim string) {
	m.t.Helper()
	m.n++
	m.run("", "git", "switch", "-q", "-C", fmt.Sprintf("try-%d", m.n), "main")
	env := m.env
	m.env = append(env[:len(env):len(env)], "PATH="+shim+":"+os.Getenv("PATH"))
	out, err := m.start("", "git", "merge", "-q", "--no-edit", "side")
	m.env = env
	stopped := m.run("", "git", "ls-files", "-u") != ""
	if failure(err) != nil && !stopped {
		m.t.Errorf("git merge under %s: %v\n%s", fault, err, out)
	}
	data, err := os.ReadFile(filepath.Join(m.dir, m.file))
	if err != nil {
		m.t.Fatal(err)
	}
	for _, tok := range m.tokens {
		if !strings.Contains(string(data), tok) && (!stopped || !strings.Contains(m.run("", "git", "show", ":3:"+m.file), tok)) {
			m.t.Errorf("after %s the word %s is gone:\n%s", fault, tok, data)
		}
	}
	for _, page := range []string{"decisions.md", "active-plan.md"} {
		data, err := os.ReadFile(filepath.Join(m.dir, ".cortex", page))
		if err != nil || len(data) == 0 || strings.Contains(string(data), "<<<<<<<") {
			m.t.Errorf("after %s %s is %q, %v", fault, page, data, err)
		}
	}
	if stopped {
		m.run("", "git", "merge", "--abort")
	} else {
		m.run("", "cortex", "project", "-q")
		m.run("", "git", "commit", "-q", "-a", "--no-verify", "--amend", "--no-edit")
		m.run("", "cortex", "verify-merge", "-q")
	}
	if dirty := m.run("", "git", "status", "--porcelain", "-uall"); dirty != "" {
		m.t.Errorf("after %s the tree is not clean:\n%s", fault, dirty)
	}
	m.run("", "git", "fsck", "--strict", "--no-dangling", "--no-progress")
	if m.t.Failed() {
		m.t.FailNow()
	}
}

// TestKilledMergeDriver kills the drivers at their system calls, and has them
// fail.
func TestKilledMergeDriver(t *testing.T) {
	fullOnly(t, "kills")
	t.Parallel()
	needStrace(t)
	m := newMerging(t)
	at := []int{1}
	if testrun.Nightly() {
		at = counts()
	}
	runs := 0
	for _, fault := range []struct{ calls, what, mark string }{
		{"write", "signal=SIGKILL", "killed by SIGKILL"},
		{"renameat,renameat2", "signal=SIGKILL", "killed by SIGKILL"},
		{"openat", "signal=SIGKILL", "killed by SIGKILL"},
		{"write", "error=ENOSPC", "INJECTED"},
		{"execve", "signal=SIGKILL", "killed by SIGKILL"},
		{"read", "error=EIO", "INJECTED"},
		{"renameat,renameat2", "error=EIO", "INJECTED"},
	} {
		for _, n := range at {
			when := fmt.Sprintf(":when=%d", n)
			if !strings.HasPrefix(fault.what, "signal") {
				when += "+"
			}
			program, log := m.strace(fault.calls, fault.what+when)
			m.under(fmt.Sprintf("%s at %s number %d", fault.what, fault.calls, n), m.shim(program))
			if !hit(t, log, fault.mark) {
				break
			}
			runs++
		}
	}
	if runs == 0 {
		t.Error("nothing was hit")
	}
	t.Logf("%d faults", runs)
}

// TestPanickingMergeDriver has the drivers end as a Go program does that
// panics, with code 2 and a page of text: there is not enough address space to
// start in.
func TestPanickingMergeDriver(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	if err := exec.Command("prlimit", "--as=100000000", "true").Run(); err != nil {
		t.Skipf("prlimit cannot limit here: %v", err)
	}
	m := newMerging(t)
	shim := m.shim([]string{"prlimit", "--as=100000000"})
	cmd := exec.Command(filepath.Join(shim, "cortex"), "version")
	cmd.Dir, cmd.Env = m.dir, m.env
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 2 {
		t.Skipf("the limit does not make it panic: %v %s", err, out)
	}
	m.under("a panic", shim)
}
