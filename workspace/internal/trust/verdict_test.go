package trust_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/trust"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// strangers is a clone on a branch that somebody else proposed with one memory.
func strangers(t *testing.T) (*workspace.Workspace, *trust.Rule, string) {
	t.Helper()
	w := workspacetest.New(t)
	workspacetest.Write(t, w, "a.txt", "one\n")
	workspacetest.Git(t, w, "add", ".")
	workspacetest.Commit(t, w, "one")
	if err := os.MkdirAll(w.Repo.CacheDir(), 0o777); err != nil {
		t.Fatal(err)
	}
	fork := t.TempDir() + "/fork"
	workspacetest.Git(t, w, "clone", "-q", ".", fork)
	theirs := workspacetest.Open(t, fork)
	workspacetest.Git(t, theirs, "switch", "-q", "-c", "fix")
	workspacetest.Put(t, theirs, workspacetest.Sure(memory.Decision, "Pumps start at noon"))
	workspacetest.Git(t, theirs, "add", ".")
	workspacetest.Commit(t, theirs, "theirs")
	workspacetest.Git(t, w, "fetch", "-q", fork, "fix:pr")
	return w, &trust.Rule{Folder: workspace.MemoriesDir, Note: facts.Trust, Settings: func(context.Context) trust.Settings { return trust.Settings{} }}, fork
}

// at is the rule for what is checked out now.
func at(t *testing.T, w *workspace.Workspace, r *trust.Rule) *trust.Rule {
	t.Helper()
	r.Repo = workspacetest.Open(t, w.Repo.Root).Repo
	return r
}

// TestTooLong: a hook for which git takes too long trusts nothing, tries a few times and
// then asks git no more; a command without a limit finds out for all, and what it found
// is not lost when a later hook has too little time.
func TestTooLong(t *testing.T) {
	w, r, _ := strangers(t)
	workspacetest.Git(t, w, "switch", "-q", "pr")
	r = at(t, w, r)
	over, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	soon, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for range 3 {
		if blobs, err := r.Unreviewed(over); !errors.Is(err, trust.ErrUnfinished) {
			t.Fatalf("in no time: %v, %v", blobs, err)
		}
	}
	if blobs, err := r.Unreviewed(soon); !errors.Is(err, trust.ErrUnfinished) {
		t.Errorf("after three tries git was asked again: %v, %v", blobs, err)
	}
	workspacetest.Git(t, w, "commit", "-q", "--allow-empty", "-m", "another")
	r = at(t, w, r)
	if _, err := r.Unreviewed(over); !errors.Is(err, trust.ErrUnfinished) {
		t.Errorf("at the next commit: %v", err)
	}
	if _, err := r.Unreviewed(soon); !errors.Is(err, trust.ErrUnfinished) {
		t.Errorf("at the next commit git was asked twice: %v", err)
	}
	whole, err := r.Unreviewed(t.Context())
	if err != nil || len(whole) != 1 {
		t.Fatalf("without a limit: %v, %v", whole, err)
	}
	for _, ctx := range []context.Context{soon, over, over, over, over, soon} {
		if blobs, err := r.Unreviewed(ctx); err != nil || len(blobs) != 1 {
			t.Errorf("once it is known: %v, %v", blobs, err)
		}
	}
}

// TestTooLongAfter: where git takes too long for a hook, a new commit keeps the verdict
// about what the one before had, and withholds what it brings besides.
func TestTooLongAfter(t *testing.T) {
	w, r, _ := strangers(t)
	mine := workspacetest.Sure(memory.Decision, "Alerts go out by mail")
	workspacetest.Git(t, w, "switch", "-q", "-c", "mine")
	workspacetest.Put(t, w, mine)
	workspacetest.Git(t, w, "add", ".")
	workspacetest.Commit(t, w, "mine")
	known := workspacetest.Git(t, w, "rev-parse", "HEAD:"+workspace.MemoriesDir+"/"+mine.Path())
	workspacetest.Git(t, w, "merge", "-q", "--no-edit", "pr")
	r = at(t, w, r)
	soon, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	strange, err := r.Unreviewed(soon)
	if err != nil || len(strange) != 1 || strange[known] {
		t.Fatalf("with time: %v, %v", strange, err)
	}
	for i, patience := range []time.Duration{1, 1, 1, 0} {
		if i < 3 {
			workspacetest.Put(t, w, workspacetest.Sure(memory.Decision, fmt.Sprintf("Pump %d starts at noon", i)))
			workspacetest.Git(t, w, "add", ".")
			workspacetest.Commit(t, w, "more")
		}
		r = at(t, w, r)
		r.Patience = patience
		want := len(strange) + i + 1
		if patience == 0 { // a server
			want = len(strange) // it is found out
		}
		blobs, err := r.Unreviewed(soon)
		if err != nil || len(blobs) != want || blobs[known] {
			t.Errorf("commit %d: %v, %v", i, blobs, err)
		}
		for blob := range strange {
			if !blobs[blob] {
				t.Errorf("commit %d trusts what came with the branch", i)
			}
		}
	}
}

// TestTooLongForEach: what took a hook too long is no reason for a server not to try.
func TestTooLongForEach(t *testing.T) {
	w, r, _ := strangers(t)
	workspacetest.Git(t, w, "switch", "-q", "pr")
	r = at(t, w, r)
	soon, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	r.Patience = 1
	for range 4 {
		if blobs, err := r.Unreviewed(soon); !errors.Is(err, trust.ErrUnfinished) {
			t.Fatalf("a hook in no time: %v, %v", blobs, err)
		}
	}
	r.Patience = 0
	if blobs, err := r.Unreviewed(soon); err != nil || len(blobs) != 1 {
		t.Errorf("a server: %v, %v", blobs, err)
	}
}

// TestCancelled: a caller that went away says nothing of how long git takes.
func TestCancelled(t *testing.T) {
	w, r, _ := strangers(t)
	workspacetest.Git(t, w, "switch", "-q", "pr")
	r = at(t, w, r)
	soon, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	gone, leave := context.WithCancel(soon)
	leave()
	for range 3 {
		if blobs, err := r.Unreviewed(gone); err == nil || errors.Is(err, trust.ErrUnfinished) {
			t.Fatalf("cancelled: %v, %v", blobs, err)
		}
	}
	if blobs, err := r.Unreviewed(soon); err != nil || len(blobs) != 1 {
		t.Errorf("with time: %v, %v", blobs, err)
	}
}

// TestPatience: a hook waits as long as its own limit allows.
func TestPatience(t *testing.T) {
	w, r, _ := strangers(t)
	workspacetest.Git(t, w, "switch", "-q", "pr")
	var left time.Duration
	r.Settings = func(ctx context.Context) trust.Settings {
		until, _ := ctx.Deadline()
		left = time.Until(until)
		return trust.Settings{}
	}
	long, cancel := context.WithTimeout(t.Context(), 10*time.Hour)
	defer cancel()
	for _, patience := range []time.Duration{time.Hour, 2 * time.Hour} {
		r.Patience = patience
		if _, err := at(t, w, r).Unreviewed(long); err != nil || left > patience || left < patience/2 {
			t.Errorf("of %s it has %s: %v", patience, left, err)
		}
	}
}

// TestPickedHere: picking or rebasing what somebody else committed makes it nobody's
// own, also where that stopped and was committed here by hand.
func TestPickedHere(t *testing.T) {
	for _, c := range []struct{ name, first, then string }{
		{"cherry-pick", "cherry-pick", "commit"},
		{"cherry-pick continued", "cherry-pick", "cherry-pick"},
		{"rebase", "rebase", "commit"},
		{"rebase continued", "rebase", "rebase"},
		{"pull", "pull", "commit"},
		{"pull by address", "address", "commit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, r, fork := strangers(t)
			theirs := workspacetest.Open(t, fork)
			workspacetest.Write(t, theirs, "a.txt", "theirs\n")
			workspacetest.Git(t, theirs, "commit", "-q", "-a", "--amend", "--no-edit")
			workspacetest.Git(t, w, "fetch", "-q", fork, "+fix:pr")
			workspacetest.Git(t, w, "switch", "-q", "-c", "mine")
			workspacetest.Write(t, w, "a.txt", "mine\n")
			workspacetest.Git(t, w, "commit", "-q", "-a", "-m", "mine")
			args := []string{"cherry-pick", "pr"}
			switch c.first {
			case "rebase":
				args = []string{"rebase", "-q", "mine", "pr"}
			case "pull":
				workspacetest.Git(t, w, "switch", "-q", "pr")
				args = []string{"pull", "-q", "--rebase", ".", "mine"}
			case "address":
				workspacetest.Git(t, w, "switch", "-q", "pr")
				args = []string{"pull", "-q", "--rebase", "file://" + filepath.ToSlash(w.Repo.Root), "mine"}
			}
			if err := workspacetest.TryGit(t, w, args...); err == nil {
				t.Fatal("there was no conflict")
			}
			workspacetest.Write(t, w, "a.txt", "both\n")
			workspacetest.Git(t, w, "add", "a.txt")
			if c.then == "commit" {
				workspacetest.Git(t, w, "commit", "-q", "--no-edit")
			} else {
				workspacetest.Git(t, w, "-c", "core.editor=true", c.first, "--continue")
			}
			if blobs, err := at(t, w, r).Unreviewed(t.Context()); err != nil || len(blobs) != 1 {
				t.Errorf("what was picked does not wait: %v, %v", blobs, err)
			}
		})
	}
}

// TestRebasedHere: one's own commits stay one's own however they are rewritten, also where
// git makes a content of two that nobody committed; those of a stranger do not become so.
func TestRebasedHere(t *testing.T) {
	shared := workspacetest.Sure(memory.Decision, "Pumps are lit from above")
	other := workspacetest.Sure(memory.Decision, "Alerts go out by mail")
	commit := func(t *testing.T, w *workspace.Workspace, message string, args ...string) {
		workspacetest.Git(t, w, append([]string{"commit", "-q", "-m", message}, args...)...)
	}
	// edit commits other words of the shared memory.
	edit := func(t *testing.T, w *workspace.Workspace, from, to string) {
		path := workspace.MemoriesDir + "/" + shared.Path()
		workspacetest.Write(t, w, path, strings.Replace(workspacetest.Read(t, w, path), from, to, 1))
		commit(t, w, "edit", "-a")
	}
	onBranch := func(t *testing.T, w *workspace.Workspace, branch string) {
		workspacetest.Git(t, w, "switch", "-q", branch)
		edit(t, w, "from above", "from below")
	}
	on := func(t *testing.T, w *workspace.Workspace, branch string) {
		workspacetest.Git(t, w, "switch", "-q", branch)
	}
	onMain := func(t *testing.T, w *workspace.Workspace) {
		on(t, w, "main")
		edit(t, w, "\n---\n", "\npinned: true\n---\n")
	}
	add := func(t *testing.T, w *workspace.Workspace, m *memory.Memory, args ...string) {
		workspacetest.Put(t, w, m)
		workspacetest.Git(t, w, "add", ".")
		commit(t, w, "add", args...)
	}
	for _, c := range []struct {
		name  string
		do    func(t *testing.T, w *workspace.Workspace)
		waits int
	}{
		{"amended, left and come back", func(t *testing.T, w *workspace.Workspace) {
			on(t, w, "mine")
			commit(t, w, "begin", "--allow-empty")
			add(t, w, other, "--amend")
			on(t, w, "main")
			on(t, w, "mine")
		}, 0},
		{"amended and rebased", func(t *testing.T, w *workspace.Workspace) {
			on(t, w, "mine")
			commit(t, w, "begin", "--allow-empty")
			add(t, w, other, "--amend")
			onMain(t, w)
			workspacetest.Git(t, w, "rebase", "-q", "main", "mine")
		}, 0},
		{"a stranger's, amended and rebased", func(t *testing.T, w *workspace.Workspace) {
			on(t, w, "pr")
			commit(t, w, "by me now", "--amend")
			commit(t, w, "and again", "--amend")
			onMain(t, w)
			workspacetest.Git(t, w, "rebase", "-q", "main", "pr")
		}, 1},
		{"a stranger's, amended, of which git's log has expired", func(t *testing.T, w *workspace.Workspace) {
			on(t, w, "pr")
			theirs := workspacetest.Git(t, w, "rev-parse", "HEAD")
			commit(t, w, "by me now", "--amend")
			workspacetest.Git(t, w, "reflog", "expire", "--expire=now", "--all")
			workspacetest.Git(t, w, "switch", "-q", "main")
			workspacetest.Git(t, w, "switch", "-q", "-C", "pr", theirs)
			workspacetest.Git(t, w, "reflog", "delete", "pr@{0}")
			workspacetest.Git(t, w, "reflog", "delete", "HEAD@{0}")
			commit(t, w, "by me again", "--amend")
		}, 1},
		{"a stranger's, amended, of which git's log kept another", func(t *testing.T, w *workspace.Workspace) {
			workspacetest.Git(t, w, "commit", "-q", "--allow-empty", "-m", "as old as theirs")
			on(t, w, "pr")
			commit(t, w, "by me now", "--amend")
			workspacetest.Git(t, w, "reflog", "delete", "HEAD@{1}") // as it expires where no branch reaches it
			workspacetest.Git(t, w, "reflog", "delete", "pr@{1}")
		}, 1},
		{"a stranger's, picked where a rebase of mine had stopped", func(t *testing.T, w *workspace.Workspace) {
			onBranch(t, w, "mine")
			workspacetest.Write(t, w, "a.txt", "mine\n")
			commit(t, w, "a conflict with theirs", "-a")
			on(t, w, "pr")
			workspacetest.Write(t, w, "a.txt", "theirs\n")
			commit(t, w, "theirs", "-a", "--amend")
			onMain(t, w)
			on(t, w, "mine")
			workspacetest.Git(t, w, "-c", "sequence.editor=echo break >>", "rebase", "-q", "-i", "main")
			if workspacetest.TryGit(t, w, "cherry-pick", "pr") == nil {
				t.Fatal("there was no conflict")
			}
			workspacetest.Write(t, w, "a.txt", "both\n")
			workspacetest.Git(t, w, "add", "a.txt")
			commit(t, w, "picked")
			workspacetest.Git(t, w, "rebase", "--continue")
		}, 1},
		{"a stranger's, picked and amended where a rebase of mine had stopped", func(t *testing.T, w *workspace.Workspace) {
			onBranch(t, w, "mine")
			onMain(t, w)
			on(t, w, "mine")
			workspacetest.Git(t, w, "-c", "sequence.editor=echo break >>", "rebase", "-q", "-i", "main")
			workspacetest.Git(t, w, "cherry-pick", "pr")
			commit(t, w, "in my words", "--amend")
			workspacetest.Git(t, w, "rebase", "--continue")
		}, 1},
		{"written by hand where a rebase of mine had stopped", func(t *testing.T, w *workspace.Workspace) {
			onBranch(t, w, "mine")
			onMain(t, w)
			on(t, w, "mine")
			workspacetest.Git(t, w, "-c", "sequence.editor=echo break >>", "rebase", "-q", "-i", "main")
			add(t, w, other)
			workspacetest.Git(t, w, "rebase", "--continue")
		}, 0},
		{"edited on both sides", func(t *testing.T, w *workspace.Workspace) {
			onBranch(t, w, "mine")
			onMain(t, w)
			workspacetest.Git(t, w, "rebase", "-q", "main", "mine")
		}, 0},
		{"edited on both sides, twice", func(t *testing.T, w *workspace.Workspace) {
			onBranch(t, w, "mine")
			onMain(t, w)
			workspacetest.Git(t, w, "rebase", "-q", "main", "mine")
			on(t, w, "main")
			edit(t, w, "pinned: true", "pinned: true\nscope: branch")
			workspacetest.Git(t, w, "rebase", "-q", "main", "mine")
			on(t, w, "mine")
			workspacetest.Git(t, w, "switch", "-q", "-c", "further")
		}, 0},
		{"edited by a stranger and here", func(t *testing.T, w *workspace.Workspace) {
			onBranch(t, w, "pr")
			// The log of this clone knows nothing of it.
			theirs := workspacetest.Git(t, w, "rev-parse", "HEAD")
			on(t, w, "main")
			workspacetest.Git(t, w, "branch", "-q", "-D", "pr")
			workspacetest.Git(t, w, "reflog", "expire", "--expire=now", "--all")
			workspacetest.Git(t, w, "branch", "-q", "pr", theirs)
			onMain(t, w)
			workspacetest.Git(t, w, "rebase", "-q", "main", "pr")
		}, 2},
		{"a stranger's picked onto mine, then rebased", func(t *testing.T, w *workspace.Workspace) {
			onBranch(t, w, "mine")
			workspacetest.Git(t, w, "cherry-pick", "pr")
			onMain(t, w)
			workspacetest.Git(t, w, "rebase", "-q", "main", "mine")
		}, 2},
		{"a merge of mine, amended", func(t *testing.T, w *workspace.Workspace) {
			onBranch(t, w, "mine")
			onMain(t, w)
			on(t, w, "mine")
			workspacetest.Git(t, w, "merge", "-q", "--no-edit", "main")
			commit(t, w, "in other words", "--amend")
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, r, _ := strangers(t)
			workspacetest.Put(t, w, shared)
			workspacetest.Git(t, w, "add", ".")
			commit(t, w, "shared")
			workspacetest.Git(t, w, "branch", "-q", "mine")
			// The branch of the stranger begins there too.
			workspacetest.Git(t, w, "rebase", "-q", "main", "pr")
			workspacetest.Git(t, w, "switch", "-q", "main")
			c.do(t, w)
			blobs, err := at(t, w, r).Unreviewed(t.Context())
			if err != nil || len(blobs) != c.waits {
				t.Errorf("%d wait, not %d: %v", len(blobs), c.waits, err)
			}
		})
	}
}

// TestManyRebases: what waits costs no git process for each rebase that git's log knows.
func TestManyRebases(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("what counts the calls of git is a shell script")
	}
	w, r, _ := strangers(t)
	tip := workspacetest.Git(t, w, "rev-parse", "main")
	var log strings.Builder
	for i := range 600 {
		fmt.Fprintf(&log, "%s %s Ada <ada@example.invalid> %d +0000\tcommit: more\n", tip, tip, 1_700_000_000+2*i)
		fmt.Fprintf(&log, "%s %s Ada <ada@example.invalid> %d +0000\trebase (finish): refs/heads/main onto %s\n", tip, tip, 1_700_000_001+2*i, tip)
	}
	workspacetest.Write(t, w, ".git/logs/refs/heads/main", log.String())
	workspacetest.Git(t, w, "switch", "-q", "pr")
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	calls := filepath.Join(dir, "calls")
	script := fmt.Sprintf("#!/bin/sh\necho >>%q\nexec %q \"$@\"\n", calls, git)
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o777); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	r.Repo = workspacetest.Open(t, w.Repo.Root, "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH")).Repo
	if blobs, err := r.Unreviewed(t.Context()); err != nil || len(blobs) != 1 {
		t.Errorf("%v, %v", blobs, err)
	}
	made, err := os.ReadFile(calls)
	if n := strings.Count(string(made), "\n"); err != nil || n == 0 || n > 100 {
		t.Errorf("%d processes of git: %v", n, err)
	}
}
