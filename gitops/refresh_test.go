package gitops

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestRefresh: a repository that was refreshed says what one that is opened now
// says, and is the same one while nothing changed.
func TestRefresh(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	refresh := func(r *Repo) *Repo {
		t.Helper()
		fresh, err := r.Refresh(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return fresh
	}
	says := func(r *Repo) string {
		t.Helper()
		settings, err := r.Settings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s %q %q %q %s", r.Root, r.Branch, r.Topic, r.Head, settings.Value("cortex.enabled"))
	}
	r = refresh(r)
	if again := refresh(r); again != r {
		t.Error("nothing changed, and it was opened anew")
	}
	for _, step := range []struct {
		name string
		do   func()
		kept bool // the settings need not be read again
	}{
		{"a commit", func() { runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "second") }, true},
		{"another branch", func() { runGit(t, dir, "switch", "-q", "-c", "feat/a") }, true},
		{"packed refs", func() { runGit(t, dir, "pack-refs", "--all") }, true},
		{"back", func() { runGit(t, dir, "switch", "-q", "main") }, true},
		{"a detached HEAD", func() { runGit(t, dir, "switch", "-q", "--detach") }, true},
		{"a rebase that stopped", func() {
			runGit(t, dir, "switch", "-q", "feat/a")
			if out, err := tryGit(dir, nil, "-c", "sequence.editor=true", "rebase", "-q", "--root", "--exec", "false"); err == nil {
				t.Fatalf("the rebase went on: %s", out)
			}
		}, true},
		{"its end", func() { runGit(t, dir, "rebase", "--abort") }, true},
		{"an unborn branch", func() { runGit(t, dir, "switch", "-q", "--orphan", "empty") }, true},
		{"a setting", func() { runGit(t, dir, "config", "cortex.enabled", "true") }, false},
		{"an included file", func() {
			other := filepath.Join(t.TempDir(), "more")
			writeFile(t, other, "[cortex]\n\tenabled = no\n")
			runGit(t, dir, "config", "include.path", other)
		}, false},
	} {
		step.do()
		fresh := refresh(r)
		if got, want := says(fresh), says(openRepo(t, dir)); got != want {
			t.Errorf("after %s: %s, want %s", step.name, got, want)
		}
		if fresh.SameSettings(r) != step.kept {
			t.Errorf("after %s the settings are those of before: %v", step.name, !step.kept)
		}
		r = fresh
	}
	other := filepath.Join(t.TempDir(), "third")
	writeFile(t, other, "[cortex]\n\tenabled = maybe\n")
	runGit(t, dir, "config", "include.path", other)
	r = refresh(r)
	if err := os.WriteFile(other, []byte("[cortex]\n\tenabled = sure\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := says(refresh(r)), says(openRepo(t, dir)); got != want {
		t.Errorf("after a change of an included file: %s, want %s", got, want)
	}
}

// TestConfigMentions: what no file of the configuration says need not be asked.
func TestConfigMentions(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	if r.ConfigMentions("embed") {
		t.Error("a new repository mentions it")
	}
	runGit(t, dir, "config", "include.path", "../none")
	if !r.ConfigMentions("embed") {
		t.Error("an included file could mention it")
	}
	runGit(t, dir, "config", "--unset", "include.path")
	runGit(t, dir, "config", "cortex.Embed", "static:/models")
	if !r.ConfigMentions("embed") {
		t.Error("the setting was not seen")
	}
}
