package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/internal/atomicfile"
)

// TestKilledImport kills an import while it writes, at several points. It is finished by
// running it again: every document is there once, and the pages show it. No temporary
// file is left among the memories, where a commit of all files would take it along.
func TestKilledImport(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	needStrace(t)
	const rows = 40
	transcripts := t.TempDir()
	var lines strings.Builder
	want := map[string]bool{}
	for i := range rows {
		title := fmt.Sprintf("Gauge %d is read by the clock of its pier", i)
		want[title] = true
		fmt.Fprintf(&lines, "{\"type\":\"decision\",\"title\":%q,\"text\":\"The harbour office asked for it.\",\"created\":\"2026-%02d-03T08:00:00Z\"}\n", title, i%9+1)
	}
	source := filepath.Join(transcripts, "rows.jsonl")
	if err := os.WriteFile(source, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	meet(t, allMoments(
		moment{"write", 3}, moment{"renameat,renameat2", 1}, moment{"renameat,renameat2", 2}, moment{"mkdirat", 3}, moment{"exit_group", 1},
	), func(m moment) bool {
		c := newCheckout(t)
		v := &victim{checkout: c, transcripts: transcripts}
		program, log := v.strace(m.calls, fmt.Sprintf("signal=SIGKILL:when=%d", m.n))
		cmd := exec.Command(program[0], append(program[1:], "cortex", "import", "jsonl", source)...)
		cmd.Dir, cmd.Env = c.dir, c.env
		_ = cmd.Run() // it is killed, unless there was no such call
		met := hit(t, log, "killed by SIGKILL")
		if left := temporary(t, filepath.Join(c.dir, ".cortex")); len(left) > 0 {
			t.Errorf("after a kill at %s a commit of all files would have %v", m.String(), left)
		}
		c.run("", "cortex", "import", "jsonl", "-q", source)
		at := "after a kill at " + m.String()
		var list struct{ Memories []struct{ Title string } }
		if err := json.Unmarshal([]byte(c.run("", "cortex", "list", "--json", "-n", "0")), &list); err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, m := range list.Memories {
			got[m.Title] = true
		}
		if len(list.Memories) != rows || len(got) != rows {
			t.Errorf("%s: %d memories of %d titles, want %d", at, len(list.Memories), len(got), rows)
		}
		for title := range want {
			if !got[title] {
				t.Errorf("%s: %q is missing", at, title)
			}
		}
		c.run("", "cortex", "check", "-q")
		c.run("", "cortex", "project", "--check", "-q")
		return met
	})
}

// temporary are the files below a folder that are there only while others are written.
func temporary(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && atomicfile.IsTemp(d.Name()) {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
