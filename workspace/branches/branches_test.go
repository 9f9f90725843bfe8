package branches

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// enabled is a repository that is set up, with a first commit.
func enabled(t *testing.T) *workspace.Workspace {
	t.Helper()
	w := workspacetest.New(t)
	workspacetest.Git(t, w, "config", "cortex.enabled", "true")
	workspacetest.Write(t, w, "gauge.go", "package gauge\n")
	workspacetest.Commit(t, w, "gauge")
	return w
}

// on makes a branch with one commit, for which a memory is pending.
func on(t *testing.T, w *workspace.Workspace, branch, title string) (*workspace.Workspace, *memory.Memory) {
	t.Helper()
	workspacetest.Git(t, w, "switch", "-q", "-c", branch)
	w = workspacetest.Open(t, w.Repo.Root)
	workspacetest.Write(t, w, branch+".go", "package gauge // "+title+"\n")
	workspacetest.Commit(t, w, "work on "+branch)
	m := workspacetest.Sure(memory.Decision, title)
	workspacetest.PutPending(t, w, m)
	return workspacetest.Open(t, w.Repo.Root), m
}

// pending are the branches for which something is pending, by the titles of the memories.
func pending(t *testing.T, w *workspace.Workspace) map[string]string {
	t.Helper()
	out := map[string]string{}
	v := workspacetest.View(t, w, workspace.ViewOptions{AllBranches: true})
	for _, e := range v.List(t.Context(), workspace.ListOptions{Stage: "pending"}) {
		out[e.Memory.Title] = e.Branch
	}
	return out
}

// follow runs FollowMerges twice: the second run finds nothing to do.
func follow(t *testing.T, w *workspace.Workspace, want int) *workspace.Workspace {
	t.Helper()
	for _, want := range []int{want, 0} {
		w = workspacetest.Open(t, w.Repo.Root)
		if n, err := FollowMerges(t.Context(), w); err != nil || n != want {
			t.Fatalf("%d moved, not %d: %v", n, want, err)
		}
	}
	return workspacetest.Open(t, w.Repo.Root)
}

// TestFollowMerges: what is pending for a branch goes to where the branch was merged, however that
// was done and whether the branch is there or not, and stays where it was not merged.
func TestFollowMerges(t *testing.T) {
	for name, tt := range map[string]struct {
		merge [][]string
		want  string // the branch for which it is pending then
	}{
		"not merged":   {[][]string{{"switch", "-q", "main"}}, "feature"},
		"merged":       {[][]string{{"switch", "-q", "main"}, {"merge", "-q", "--no-ff", "feature"}}, "main"},
		"fast-forward": {[][]string{{"switch", "-q", "main"}, {"merge", "-q", "feature"}}, "main"},
		"gone and merged": {[][]string{
			{"switch", "-q", "main"},
			{"merge", "-q", "--no-ff", "feature"},
			{"branch", "-qd", "feature"},
		}, "main"},
		"gone without": {[][]string{{"switch", "-q", "main"}, {"branch", "-qD", "feature"}}, "feature"},
		"squashed": {[][]string{
			{"switch", "-q", "main"},
			{"merge", "-q", "--squash", "feature"},
			{"commit", "-q", "-m", "all of it"},
		}, "main"},
		"merged elsewhere": {[][]string{
			{"switch", "-q", "-c", "other", "main"},
			{"merge", "-q", "--no-ff", "feature"},
		}, "feature"},
	} {
		t.Run(name, func(t *testing.T) {
			w, m := on(t, enabled(t), "feature", "Alerts are rung")
			for _, args := range tt.merge {
				workspacetest.Git(t, w, args...)
			}
			moved := 0
			if tt.want != "feature" {
				moved = 1
			}
			w = follow(t, w, moved)
			if diff := cmp.Diff(map[string]string{m.Title: tt.want}, pending(t, w)); diff != "" {
				t.Errorf("pending (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLandedLeaves: of what is pending for a merged branch, the journal loses what is a file where it
// was merged, and an older version that is pending there gives way.
func TestLandedLeaves(t *testing.T) {
	w, landed := on(t, enabled(t), "feature", "Alerts are rung")
	twice := workspacetest.Sure(memory.Fix, "The lamp blinks")
	older := *twice
	twice.Text, twice.Updated = "At night.", workspacetest.Clock()
	workspacetest.PutPending(t, w, twice)
	workspacetest.Change(t, w, map[string][]byte{gitops.PendingPrefix("main") + "/" +
		older.Path(): memory.Format(&older)})
	workspacetest.Put(t, w, landed)
	workspacetest.Commit(t, w, "landed")
	workspacetest.Git(t, w, "switch", "-q", "main")
	workspacetest.Git(t, w, "merge", "-q", "--no-ff", "feature")
	w = follow(t, w, 1)
	if diff := cmp.Diff(map[string]string{twice.Title: "main"}, pending(t, w)); diff != "" {
		t.Errorf("pending (-want +got):\n%s", diff)
	}
	entries := workspacetest.View(t, w, workspace.ViewOptions{}).Entries(t.Context())
	isNewer := func(e workspace.Entry) bool { return e.Memory.ID == twice.ID && e.Memory.Text == twice.Text }
	if !slices.ContainsFunc(entries, isNewer) {
		t.Errorf("the newer version is gone: %+v", entries)
	}
}

// TestNotSetUp: in a clone that is not set up nothing moves.
func TestNotSetUp(t *testing.T) {
	w, m := on(t, enabled(t), "feature", "Alerts are rung")
	workspacetest.Git(t, w, "config", "--unset", "cortex.enabled")
	workspacetest.Git(t, w, "switch", "-q", "main")
	workspacetest.Git(t, w, "merge", "-q", "feature")
	w = follow(t, w, 0)
	if diff := cmp.Diff(map[string]string{m.Title: "feature"}, pending(t, w)); diff != "" {
		t.Errorf("pending (-want +got):\n%s", diff)
	}
}
