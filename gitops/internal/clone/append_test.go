package clone

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// TestAppended compares what is appended to a configuration file with what git makes of
// it, one process for each key; where that may differ, git is asked.
func TestAppended(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	binary := Binary{Name: "cortex", Path: `/opt/a b/it's "50%" # \cortex`}
	settings := append(DriverSettings(binary), HookSettings()...)
	for i := range settings {
		if settings[i].Value == "" {
			settings[i].Value = hookCommand(binary, "pre-commit")
		}
	}
	settings = append(settings, gitcmd.Setting{Key: "cortex.clone", Value: "0123456789abcdef"}, gitcmd.Setting{Key: "cortex.enabled", Value: "true"},
		gitcmd.Setting{Key: "cortex.llm", Value: " a\tb\nc; "}, gitcmd.Setting{Key: "cortex.unset"})
	for data, alone := range map[string]bool{
		"": false, "[core]\n\tbare = false\n": true, "[core] bare = true": false, "[user]\r\n\tname = A\r\n": true,
		"[cortex]\n":                              false,
		"[Cortex]\n\tclone = x\n":                 false,
		"[core][cortex] clone = x\n":              false,
		"[merge \"cor\\tex-memory\"]\n\tname=x\n": false,
		"[merge.cortex-memory]\n\tname = x\n":     false,
		"[remote \"o\"]\n\turl = /cortex\n":       true,
		"[broken\n":                               true,
	} {
		name := filepath.Join(t.TempDir(), "config")
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		failed := false
		for _, s := range settings {
			if s.Value != "" {
				failed = exec.Command(git, "config", "--file", name, "--replace-all", s.Key, s.Value).Run() != nil || failed
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c := Config{&gitcmd.Runner{Binary: git, Dir: t.TempDir(), Env: os.Environ()}, name, t.TempDir()}
		after, ok := appended([]byte(data), settings)
		if ok != alone {
			t.Errorf("%q: appended: %v", data, ok)
		}
		if ok && c.says(t.Context(), after, settings) == failed {
			t.Errorf("%q: what git reads is not what we mean: %q", data, after)
		}
		if diff := cmp.Diff(string(want), string(after)); ok && !failed && diff != "" {
			t.Errorf("%q (-git +ours):\n%s", data, diff)
		}
		got, _, err := c.Edited(t.Context(), []byte(data), settings...)
		if (err != nil) != failed {
			t.Errorf("%q: %v", data, err)
		} else if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); !failed && diff != "" {
			t.Errorf("%q (-git +edited):\n%s", data, diff)
		}
	}
}

// TestAfterContinuation: a file whose last line goes on in a line that is not there keeps
// what it says, and what is written after it is what git reads.
func TestAfterContinuation(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	settings := append(DriverSettings(Binary{Name: "cortex"}), gitcmd.Setting{Key: "cortex.enabled", Value: "true"})
	for _, data := range []string{
		"[alias]\n\tx = log \\\n", "[alias]\r\n\tx = log \\\r\n", "[alias]\n\tx = log \\",
		"[cortex]\n\tllm = codex\n[alias]\n\tx = log \\\n", "[cortex]\n\tllm = codex \\\n",
	} {
		c := Config{&gitcmd.Runner{Binary: git, Dir: t.TempDir(), Env: os.Environ()}, filepath.Join(t.TempDir(), "config"), t.TempDir()}
		after, _, err := c.Edited(t.Context(), []byte(data), settings...)
		if err != nil {
			t.Fatal(err)
		}
		_, was, err := c.Edited(t.Context(), append([]byte(data), "\n\n[cortex]\n"...))
		if err != nil {
			t.Fatal(err)
		}
		again, now, err := c.Edited(t.Context(), after, settings...)
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(after) {
			t.Errorf("%q: edited again: %q, %q", data, after, again)
		}
		for _, s := range append(settings, gitcmd.Setting{Key: "alias.x", Value: was.Value("alias.x")}, gitcmd.Setting{Key: "cortex.llm", Value: was.Value("cortex.llm")}) {
			if now.Value(s.Key) != s.Value {
				t.Errorf("%q: %s is %q, want %q", data, s.Key, now.Value(s.Key), s.Value)
			}
		}
		if same, _, err := c.Edited(t.Context(), []byte(data), gitcmd.Setting{Key: "cortex.enabled"}); err != nil || string(same) != data {
			t.Errorf("%q without what it does not have: %q, %v", data, same, err)
		}
	}
}
