package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/atomicfile"
)

// unset is all that is the user's but for temporary files of killed processes,
// which doctor takes away.
func (v *victim) unset() map[string]string {
	v.t.Helper()
	found := v.theirs()
	for name := range found {
		if atomicfile.IsTemp(filepath.Base(name)) {
			delete(found, name)
		}
	}
	return found
}

// TestKilledSetup kills init and uninstall at each system call. The next
// uninstall leaves everything as it was before the first init, to the byte, also
// if there was an init between.
func TestKilledSetup(t *testing.T) {
	fullOnly(t, "kills")
	t.Parallel()
	needStrace(t)
	v := &victim{checkout: newCheckout(t), transcripts: t.TempDir()}
	v.run("", "cortex", "uninstall", "-q")
	for path, text := range map[string]string{
		".claude/settings.json": "{\n  \"model\": \"opus\"\n}", ".gitattributes": "*.png binary",
		".git/hooks/pre-commit": "#!/bin/sh\nexit 0", ".git/info/exclude": "*.o",
	} {
		path = filepath.Join(v.dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	v.run("", "git", "config", "cortex.embed", "static:/models/small")
	config := filepath.Join(v.dir, ".git/config")
	data, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte(strings.TrimSuffix(string(data), "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	before := v.unset()
	exact := func(after string) {
		t.Helper()
		v.run("", "cortex", "uninstall", "-q")
		if diff := cmp.Diff(before, v.unset()); diff != "" {
			t.Fatalf("after %s and uninstall (-before +after):\n%s", after, diff)
		}
	}
	meet(t, allMoments(), func(m moment) bool {
		program, log := v.strace(m.calls, fmt.Sprintf("signal=SIGKILL:when=%d", m.n))
		kill := func(command string) bool {
			words := append(program, "cortex", command, "-q")
			_, _ = v.start("", words[0], words[1:]...)
			return hit(t, log, "killed by SIGKILL")
		}
		met := kill("init")
		exact("an init killed at " + m.String())
		kill("init")
		v.run("", "cortex", "init", "-q")
		exact("an init killed at " + m.String() + ", another init")
		v.run("", "cortex", "init", "-q")
		met = kill("uninstall") || met
		exact("an uninstall killed at " + m.String())
		return met
	})
}
