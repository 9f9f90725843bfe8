package hookstate

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-cortex/cortex/gitops"
)

// TestReading: whatever reading a transcript depends on changes the fingerprint, and
// what only git can tell has none.
func TestReading(t *testing.T) {
	root := t.TempDir()
	git := filepath.Join(root, ".git")
	p := Place{gitops.Worktree{Root: root, Git: git, Common: git}}
	transcript := filepath.Join(t.TempDir(), "s.jsonl")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	home := t.TempDir()
	environ := []string{"HOME=" + home, "TERM=xterm"}
	if got := p.Reading(environ, nil); got != "" {
		t.Errorf("without a cache: %q", got)
	}
	write(filepath.Join(git, "cortex", "log"), "")
	write(filepath.Join(git, "HEAD"), "ref: refs/heads/main\n")
	write(transcript, "one\n")

	seen := map[string]string{}
	look := func(what string) {
		t.Helper()
		state := p.Reading(environ, []string{transcript}, "s-1")
		if state == "" || p.Unchanged(state) {
			t.Errorf("%s: %q, settled %v", what, state, p.Unchanged(state))
		}
		if before, ok := seen[state]; ok {
			t.Errorf("%s: the same as %s", what, before)
		}
		seen[state] = what
		p.KeepUnchanged(state)
		if !p.Unchanged(p.Reading(append(environ, "EDITOR=vi"), []string{transcript}, "s-1")) {
			t.Errorf("%s: not settled", what)
		}
	}
	look("at first")
	write(transcript, "one\ntwo\n")
	look("a longer transcript")
	for _, name := range []string{
		"HEAD", "refs/heads/main", "refs/cortex/journal", "packed-refs", "config", "config.worktree", "reftable/tables.list",
		"cortex/recalls",
	} {
		text := "x\n"
		if name == "HEAD" {
			text = "ref: refs/heads/topic\n"
		}
		if name == "refs/heads/main" {
			name = "refs/heads/topic"
		}
		write(filepath.Join(git, filepath.FromSlash(name)), text)
		look(name)
	}
	write(filepath.Join(root, filepath.FromSlash(ConfigPath)), "land: manual\n")
	look(ConfigPath)
	write(filepath.Join(home, ".gitconfig"), "[cortex]\n\tllm = x\n")
	look("the user's configuration")
	environ = append(environ, "GIT_CONFIG_COUNT=1")
	look("the environment")
	if p.Reading(environ, []string{transcript}, "s-2") == p.Reading(environ, []string{transcript}, "s-1") {
		t.Error("another session is in the same state")
	}

	spool := filepath.Join(git, "cortex", "spool")
	write(spool, "x\n")
	if got := p.Reading(environ, []string{transcript}, "s-1"); got != "" {
		t.Errorf("with what waits to be committed: %q", got)
	}
	if err := os.Remove(spool); err != nil {
		t.Fatal(err)
	}
	if got := p.Reading(append(environ, "GIT_CONFIG_KEY_0=Include.Path"), []string{transcript}, "s-1"); got != "" {
		t.Errorf("with a file that the environment includes: %q", got)
	}
	write(filepath.Join(home, ".gitconfig"), "[includeIf \"gitdir:~/work/\"]\n\tpath = x\n")
	if got := p.Reading(environ, []string{transcript}, "s-1"); got != "" {
		t.Errorf("with files that only git finds: %q", got)
	}
	if err := os.Remove(filepath.Join(home, ".gitconfig")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"} {
		write(filepath.Join(git, name), "x\n")
		if got := p.Reading(environ, []string{transcript}, "s-1"); got != "" {
			t.Errorf("with %s: %q", name, got)
		}
		if err := os.Remove(filepath.Join(git, name)); err != nil {
			t.Fatal(err)
		}
	}
	p.KeepUnchanged("")
	if p.Unchanged("") {
		t.Error("what is not known is settled")
	}
	for i := range 2 * settledStates {
		p.KeepUnchanged(fmt.Sprint(i))
	}
	if all := p.unchanged(); len(all) != settledStates || !p.Unchanged(fmt.Sprint(2*settledStates-1)) || p.Unchanged("0") {
		t.Errorf("%d states are kept: %q", len(all), all)
	}
}
