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
		"": true, "[core]\n\tbare = false\n": true, "[core] bare = true": false, "[user]\r\n\tname = A\r\n": true,
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
