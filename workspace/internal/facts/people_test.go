package facts_test

import (
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestAuthors: git is asked once who wrote the newest commits of a commit, and again
// when another one is checked out.
func TestAuthors(t *testing.T) {
	w := workspacetest.New(t)
	if err := os.MkdirAll(w.Repo.CacheDir(), 0o777); err != nil {
		t.Fatal(err)
	}
	nowhere, cancel := context.WithCancel(t.Context()) // in which no git process starts
	cancel()
	holds := func(ctx context.Context, w *workspace.Workspace, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, facts.People(ctx, w.Repo)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	holds(nowhere, w)
	holds(t.Context(), w, "Ada")
	holds(nowhere, w, "Ada")

	workspacetest.Git(t, w, "commit", "-q", "--allow-empty", "-m", "more", "--author", "Grace M. Höpper <grace@example.invalid>")
	next := workspacetest.Open(t, w.Repo.Root)
	holds(nowhere, next)
	holds(t.Context(), next, "Grace M. Höpper", "Ada")
	holds(nowhere, next, "Grace M. Höpper", "Ada")
}
