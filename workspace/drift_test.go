package workspace_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestLate: a hook for which git takes too long asks it once for a question, and a command
// without a limit finds out for all.
func TestLate(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Write(t, w, "gauge.go", "one\n")
	workspacetest.Git(t, w, "add", ".")
	workspacetest.Commit(t, w, "one")
	blob := workspacetest.Git(t, w, "rev-parse", "HEAD:gauge.go")
	workspacetest.Write(t, w, "gauge.go", "two\n")
	workspacetest.Git(t, w, "add", ".")
	workspacetest.Commit(t, w, "two")
	repo := workspacetest.Open(t, w.Repo.Root).Repo
	if err := os.MkdirAll(repo.CacheDir(), 0o777); err != nil {
		t.Fatal(err)
	}
	q := facts.Question{Files: []facts.Learned{{Path: "gauge.go", Blob: blob[:12], At: workspacetest.Clock()}}}
	over, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	soon, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for _, ctx := range []context.Context{over, soon, soon} {
		if a, err := facts.ChangesSince(ctx, repo, q); !errors.Is(err, facts.ErrLate) {
			t.Fatalf("after git took too long: %v, %v", a, err)
		}
	}
	for _, ctx := range []context.Context{t.Context(), soon, over} {
		if a, err := facts.ChangesSince(ctx, repo, q); err != nil || len(a.Files) != 1 || a.Files[0].Number != 1 ||
			!a.Files[0].Known {
			t.Fatalf("once it is known: %v, %v", a, err)
		}
	}
}
