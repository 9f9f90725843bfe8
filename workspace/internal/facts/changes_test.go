package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/folder"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestChangesSince counts the commits that changed a file since it was learned.
func TestChangesSince(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Write(t, w, "a.go", "package a\n")
	workspacetest.Commit(t, w, "one")
	blob := workspacetest.Git(t, w, "rev-parse", "HEAD:a.go")
	from := workspacetest.Git(t, w, "rev-parse", "HEAD")
	workspacetest.Write(t, w, "a.go", "package a // two\n")
	workspacetest.Commit(t, w, "two")
	w, err := w.Refresh(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	workspacetest.View(t, w, workspace.ViewOptions{}) // makes the cache
	ask := func(q facts.Question) facts.Answer {
		t.Helper()
		a, err := facts.ChangesSince(t.Context(), w.Repo, q)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	q := facts.Question{Files: []facts.Learned{{Path: "a.go", Blob: blob}, {Path: "none.go", Blob: blob}}, From: from}
	first := ask(q)
	if f := first.Files[0]; f.Number != 1 || !f.Known || string(f.Last) != w.Repo.Head {
		t.Errorf("of a file that was changed: %+v", f)
	}
	if f := first.Files[1]; f.Number != 0 || f.Known {
		t.Errorf("of a file that is not there: %+v", f)
	}
	if first.Others.Number != 0 {
		t.Errorf("of whoever commits here: %+v", first.Others)
	}
	if diff := cmp.Diff(first, ask(q)); diff != "" {
		t.Errorf("asked again (-want +got):\n%s", diff)
	}
	if a := ask(facts.Question{From: w.Repo.Head}); a.Others.Number != 0 || len(a.Files) != 0 {
		t.Errorf("a question about nothing: %+v", a)
	}
}

// TestRenames finds the present name of a file that was renamed, once git was asked.
func TestRenames(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Write(t, w, "cmd/old.go", "package cmd\n\nfunc Run() error { return nil }\n")
	workspacetest.Write(t, w, "cmd/kept.go", "package cmd\n")
	workspacetest.Commit(t, w, "one")
	workspacetest.Git(t, w, "mv", "cmd/old.go", "cmd/new.go")
	workspacetest.Commit(t, w, "two")
	w, err := w.Refresh(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	workspacetest.View(t, w, workspace.ViewOptions{}) // makes the cache
	m := workspacetest.Sure(memory.Decision, "Run returns an error")
	m.Anchors = []memory.Anchor{{Path: "cmd/old.go", Blob: "ab"}, {Path: "cmd/kept.go", Blob: "cd"}}
	m.Triggers = []string{"file: cmd/gone.go", "before: go test", "file: cmd/*.go"}
	files := folder.Folder{Root: w.Repo.Root}
	r := facts.RenamesOf(w.Repo, files)
	r.Learn(t.Context(), m)
	for path, want := range map[string]string{
		"cmd/old.go": "cmd/new.go", "cmd/new.go": "cmd/new.go", "cmd/kept.go": "cmd/kept.go", "cmd/gone.go": "",
	} {
		if got, ok := r.Place(path); got != want || ok != (want != "") {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if diff := cmp.Diff(map[string]string{"cmd/old.go": "cmd/new.go"}, facts.Former(w.Repo, files)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
