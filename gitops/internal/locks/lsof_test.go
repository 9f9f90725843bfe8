//go:build !windows

package locks

import (
	"os"
	"path/filepath"
	"testing"
)

// TestHeldByLsof: a file counts as held unless lsof says that nobody has it.
func TestHeldByLsof(t *testing.T) {
	dir := t.TempDir()
	for script, want := range map[string]bool{
		"echo 4711":                            true,
		"exit 1":                               false,
		"echo no such file >&2; exit 1":        true,
		"exit 3":                               true,
		"test \"$3\" = -odd || exit 0; exit 1": false,
	} {
		program := filepath.Join(dir, "lsof")
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if got := heldByLsof(program, "-odd"); got != want {
			t.Errorf("%s: %v", script, got)
		}
	}
	if !heldByLsof("", "x") {
		t.Error("without lsof a lock is taken")
	}
	if path := lsof(); path != "" {
		name := filepath.Join(dir, "open")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if !heldByLsof(path, name) {
			t.Error("an open file is not held")
		}
		f.Close()
		if heldByLsof(path, name) {
			t.Error("a closed file is held")
		}
	}
}
