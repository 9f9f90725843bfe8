package exchange

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestFirstSend: before anything goes to a remote for the first time a person is asked,
// once for each remote and address; without one, or after a no, nothing is sent, and what
// was received stays. An agent cannot agree.
func TestFirstSend(t *testing.T) {
	hub, clones := workspacetest.Team(t, 2)
	workspacetest.PutPending(t, clones[1], workspacetest.Sure(memory.Gotcha, "Gauges report feet"))
	sync(t, clones[1])
	w := clones[0]
	workspacetest.PutPending(t, w, workspacetest.Sure(memory.Gotcha, "Locks close at noon"))
	refused := func(what string, opt Options) {
		t.Helper()
		var first *Publication
		out, err := Sync(t.Context(), w, opt)
		if !errors.As(err, &first) || first.Address != hub || len(first.Sent.Added) != 1 || out.Sent.Added == nil {
			t.Errorf("%s: %v, %+v", what, err, first)
		}
		if there := workspacetest.Git(t, w, "ls-tree", "-r", "--name-only", "refs/cortex-remotes/origin/journal",
			"pending"); there == "" {
			t.Errorf("%s: nothing was received", what)
		}
	}
	asked := 0
	ask := func(yes bool) Options {
		return Options{Publish: func(*Publication) bool { asked++; return yes }}
	}
	refused("nobody is there", Options{})
	refused("no", ask(false))
	agent := workspacetest.Env(t, w.Repo.Root)
	agent.Agent = "claude-code"
	person := w
	var err error
	if w, err = workspace.Open(t.Context(), agent); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	refused("an agent", Options{Agreed: true})
	refused("an agent at a terminal", ask(true))
	w = person
	if out, err := Sync(t.Context(), w, Options{DryRun: true}); err != nil || out.Asks == "" {
		t.Errorf("a dry run: %+v, %v", out, err)
	}
	if asked != 1 {
		t.Errorf("asked %d times, want once", asked)
	}
	if out, err := Sync(t.Context(), w, ask(true)); err != nil || len(out.Sent.Added) != 1 || asked != 2 {
		t.Errorf("yes: %+v, %v, asked %d times", out, err, asked)
	}
	workspacetest.PutPending(t, w, workspacetest.Sure(memory.Gotcha, "Cranes stop in a gale"))
	if out, err := Sync(t.Context(), w, Options{}); err != nil || len(out.Sent.Added) != 1 {
		t.Errorf("once it was agreed: %+v, %v", out, err)
	}
	workspacetest.PutPending(t, w, workspacetest.Sure(memory.Gotcha, "Ferries leave early"))
	other := filepath.Join(t.TempDir(), "other.git")
	if err := os.CopyFS(other, os.DirFS(hub)); err != nil {
		t.Fatal(err)
	}
	workspacetest.Git(t, w, "remote", "set-url", "origin", other)
	workspacetest.Git(t, w, "remote", "set-url", "--push", "origin", hub)
	workspacetest.Git(t, w, "remote", "set-url", "--push", "--add", "origin", other)
	hub += ", " + other
	refused("one address more", Options{})
	workspacetest.Git(t, w, "config", "--replace-all", "remote.origin.pushurl",
		"https://ada:hunter2@example.invalid/x.git")
	hub = "https://example.invalid/x.git"
	refused("an address with a password", Options{})
	workspacetest.Git(t, w, "config", "--unset-all", "remote.origin.pushurl")
	hub = other
	refused("another address", Options{})
}

// TestWithoutPassword: an address is shown without what opens it.
func TestWithoutPassword(t *testing.T) {
	for address, want := range map[string]string{
		"https://ada:hunter2@example.invalid/x.git": "https://example.invalid/x.git",
		"https://sesame@example.invalid/x.git":      "https://example.invalid/x.git", // a token is given as the user
		"https://ada:100%safe@example.invalid/x":    "https://example.invalid/x",
		"https://ada:p@ss@example.invalid":          "https://example.invalid",
		"https://example.invalid/x@y.git":           "https://example.invalid/x@y.git",
		"git@example.invalid:x.git":                 "git@example.invalid:x.git",
		"/srv/x.git":                                "/srv/x.git",
		"ssh://git@example.invalid/x.git":           "ssh://git@example.invalid/x.git",
		"ssh://git:sesame@example.invalid/x.git":    "ssh://git@example.invalid/x.git",
	} {
		if got := withoutPassword(address); got != want {
			t.Errorf("%s is shown as %s", address, got)
		}
	}
}
