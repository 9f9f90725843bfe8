package view_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/policy"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestContradictionsOfView: decisions in force are compared, those of the user's own store and
// those that have been superseded are not.
func TestContradictionsOfView(t *testing.T) {
	w := workspacetest.New(t)
	older := workspacetest.Sure(memory.Rejected, "Rejected Redis for the cache")
	older.Created = older.Created.AddDate(0, 0, -5)
	newer := workspacetest.Sure(memory.Decision, "Use Redis for the cache")
	workspacetest.Put(t, w, older, newer)
	workspacetest.Commit(t, w, "memories")
	pairs := workspacetest.View(t, w, workspace.ViewOptions{}).Contradictions(t.Context())
	if len(pairs) != 1 || pairs[0].Newer.ID != newer.ID || pairs[0].Older.ID != older.ID {
		t.Fatalf("%+v", pairs)
	}
	newer.Links = []memory.Link{{Rel: memory.Supersedes, To: older.ID}}
	workspacetest.Put(t, w, newer)
	if pairs := workspacetest.View(t, w, workspace.ViewOptions{}).Contradictions(t.Context()); len(pairs) != 0 {
		t.Errorf("superseded: %+v", pairs)
	}
}

// TestCheckCode: what anchors name is compared with the working tree.
func TestCheckCode(t *testing.T) {
	w := workspacetest.New(t)
	for _, name := range []string{"same.go", "changed.go", "gone.go"} {
		workspacetest.Write(t, w, name, "package "+strings.TrimSuffix(name, ".go")+"\n")
	}
	tree, err := w.Tree()
	if err != nil {
		t.Fatal(err)
	}
	about := map[string]*memory.Memory{}
	for _, name := range []string{"same.go", "changed.go", "gone.go"} {
		m := workspacetest.Sure(memory.Gotcha, "The lock of "+name+" is taken twice")
		m.Anchors = tree.Anchors([]string{name})
		about[name] = m
		workspacetest.Put(t, w, m)
	}
	workspacetest.Commit(t, w, "code")
	workspacetest.Write(t, w, "changed.go", "package other // with more in it\n")
	workspacetest.Git(t, w, "rm", "-q", "gone.go")
	v := workspacetest.View(t, w, workspace.ViewOptions{})
	entries := v.Entries(t.Context())
	checked := v.CheckCode(t.Context(), entries)
	if !checked.Outdated[about["gone.go"].ID] || len(checked.Outdated) != 1 || len(checked.Conflicts) != 1 {
		t.Errorf("gone: %+v", checked)
	}
	if len(checked.Stale) != 1 || entries[checked.Stale[0]].Memory.ID != about["changed.go"].ID {
		t.Errorf("changed: %+v", checked)
	}
	if c, ok := v.Changed(about["changed.go"]); !ok || c.Path != "changed.go" {
		t.Errorf("%+v %v", c, ok)
	}
	if c, ok := v.Changed(about["same.go"]); ok {
		t.Errorf("nothing changed in %+v", c)
	}
}

// TestPages: a list is told in pages, each from behind the last memory of the one before.
func TestPages(t *testing.T) {
	w := workspacetest.New(t)
	var want []string
	for i, title := range []string{"First of all", "Second of all", "Third of all"} {
		m := workspacetest.Sure(memory.Learned, title)
		m.Created = m.Created.Add(-time.Duration(i) * time.Hour)
		workspacetest.Put(t, w, m)
		want = append(want, title)
	}
	v := workspacetest.View(t, w, workspace.ViewOptions{})
	var got []string
	after := ""
	for range want {
		entries, next, err := v.Page(t.Context(), workspace.ListOptions{Limit: 1}, after)
		if err != nil || len(entries) != 1 {
			t.Fatalf("%v %v", entries, err)
		}
		got, after = append(got, entries[0].Memory.Title), string(next)
	}
	if diff := cmp.Diff(want, got); diff != "" || after != "" {
		t.Errorf("%s then %q", diff, after)
	}
	if _, _, err := v.Page(t.Context(), workspace.ListOptions{}, "zzzz"); err == nil {
		t.Error("a page behind no memory")
	}
}

// TestRevision: a state is named as git names it, or by a day.
func TestRevision(t *testing.T) {
	w := workspacetest.New(t)
	head := workspacetest.Git(t, w, "rev-parse", "HEAD")
	for word, want := range map[string]string{"HEAD": "HEAD", "main": "main", "2026-11-10": head} {
		if got, err := w.Views.Revision(t.Context(), word, false); err != nil || got != want {
			t.Errorf("%s: %s, %v", word, got, err)
		}
	}
	for _, word := range []string{"2020-01-01", "no-such-branch"} {
		if got, err := w.Views.Revision(t.Context(), word, false); !errors.Is(err, gitops.ErrNoRevision) {
			t.Errorf("%s: %s, %v", word, got, err)
		}
	}
}

// TestFork: the default branch is known by its name, and where another one left it too.
func TestFork(t *testing.T) {
	w := workspacetest.New(t)
	if got := view.DefaultBranch(t.Context(), w.Repo); got != "main" {
		t.Errorf("the default branch: %q", got)
	}
	base := workspacetest.Git(t, w, "rev-parse", "HEAD")
	workspacetest.Git(t, w, "switch", "-q", "-c", "topic")
	workspacetest.Git(t, w, "commit", "-q", "--allow-empty", "-m", "work")
	w = workspacetest.Open(t, w.Repo.Root)
	fork, err := view.Fork(t.Context(), w.Repo, gitops.ObjectID(w.Repo.Head))
	if err != nil || string(fork) != base {
		t.Errorf("%s %v, want %s", fork, err, base)
	}
	workspacetest.Git(t, w, "config", "cortex.defaultbranch", "topic")
	w = workspacetest.Open(t, w.Repo.Root)
	if got := view.DefaultBranch(t.Context(), w.Repo); got != "topic" {
		t.Errorf("by a setting: %q", got)
	}
}

// TestGoneBranches: what waits for a branch that was renamed or deleted is found.
func TestGoneBranches(t *testing.T) {
	w := workspacetest.New(t)
	waits := workspacetest.Sure(memory.Decision, "Moor at the south pier")
	here := workspacetest.Sure(memory.Decision, "Pay by card")
	workspacetest.Change(t, w, map[string][]byte{
		gitops.PendingPrefix("lost") + "/" + waits.Path(): memory.Format(waits),
		gitops.PendingPrefix("main") + "/" + here.Path():  memory.Format(here),
	})
	gone, err := w.Views.GoneBranches(t.Context())
	if err != nil || len(gone) != 1 || gone[0].JournalName() != "lost" {
		t.Fatalf("%+v %v", gone, err)
	}
	if diff := cmp.Diff([]string{waits.Title}, gone[0].Titles); diff != "" {
		t.Error(diff)
	}
	workspacetest.Git(t, w, "branch", "lost")
	if gone, err := w.Views.GoneBranches(t.Context()); err != nil || len(gone) != 0 {
		t.Errorf("the branch is back: %+v %v", gone, err)
	}
	if got := view.WaitingText(1) + "; " + view.WaitingText(2); !strings.HasPrefix(got, "1 memory waits") {
		t.Error(got)
	}
}

// TestConflictedFile: a memory with the markers of a merge is read from both of its sides.
func TestConflictedFile(t *testing.T) {
	w := workspacetest.New(t)
	m := workspacetest.Sure(memory.Decision, "Moor at the south pier")
	workspacetest.Put(t, w, m)
	workspacetest.Commit(t, w, "memory")
	workspacetest.Git(t, w, "switch", "-q", "-c", "theirs")
	theirs := *m
	theirs.Priority = 5
	workspacetest.Put(t, w, &theirs)
	workspacetest.Commit(t, w, "theirs")
	workspacetest.Git(t, w, "switch", "-q", "main")
	ours := *m
	ours.Priority = 2
	workspacetest.Put(t, w, &ours)
	workspacetest.Commit(t, w, "ours")
	if err := workspacetest.TryGit(t, w, "merge", "-q", "theirs"); err == nil {
		t.Fatal("the merge has no conflict")
	}
	v := workspacetest.View(t, w, workspace.ViewOptions{})
	if texts := v.ProblemTexts(); len(texts) != 1 {
		t.Errorf("%q", texts)
	}
	c, err := w.Views.FindConflicted(t.Context(), v, string(m.ID[:8]))
	if err != nil || c.Ours.Memory.Priority != 2 || c.Theirs.Memory.Priority != 5 {
		t.Errorf("%+v %v", c, err)
	}
	if _, err := w.Views.FindConflicted(t.Context(), v, "zzzzzzzz"); !errors.Is(err, view.ErrNotFound) {
		t.Error(err)
	}
}

// TestUnconsolidatedOfView: memories that nobody has compared yet are counted, and due from as
// many on as the policy says.
func TestUnconsolidatedOfView(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Put(t, w, workspacetest.Sure(memory.Decision, "Moor at the south pier"),
		workspacetest.Sure(memory.Decision, "Pay by card"))
	v := workspacetest.View(t, w, workspace.ViewOptions{})
	for _, tt := range []struct {
		looked time.Time
		want   view.Unconsolidated
	}{
		{time.Time{}, view.Unconsolidated{New: 2, All: 2, Due: 1}},
		{workspacetest.Clock(), view.Unconsolidated{All: 2}},
		{workspacetest.Clock().AddDate(1, 0, 0), view.Unconsolidated{New: 2, All: 2, Due: 1}}, // by a wrong clock
	} {
		got := v.Unconsolidated(tt.looked, policy.ConsolidateTriggers{New: 2, All: 3})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("looked at %v: %s", tt.looked, diff)
		}
	}
}
