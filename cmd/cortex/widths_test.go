package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/memory"
)

const wideSpec = `user Please look into the tide gauges of the northern harbour, all of them, and say which ones drift, by how much, and since when they do so
file a/very/deep/folder/with/a/name/that/goes/on/and/on/and/on/until/it/is/wider/than/any/terminal.go
agent Done.\n\n[MEMORY: decision] Gauges are calibrated against the reference station every night, and never during a storm surge or when the reference itself is under repair by its owner.
user Now let's write the tests of the very long tide gauge calibration routine which nobody has ever dared to read to its end because it is so long
agent They pass.
`

// TestOutputWidths: on a terminal no line of what people read is wider than it,
// whatever the memories hold; elsewhere nothing is cut.
func TestOutputWidths(t *testing.T) {
	dir, env := layoutRepo(t)
	title := strings.Repeat("潮位計測 gauge e\u0301te\u0301 🚀 ", 12) + "end"
	for i, m := range []*memory.Memory{
		{Title: title, Text: strings.Repeat("unbroken", 40) + " " + strings.Repeat("潮位計測", 60), Type: memory.Decision},
		{Title: strings.Repeat("x", 300), Text: "gauge 👨\u200d👩\u200d👧 ❤\ufe0f " + strings.Repeat("word ", 60), Type: memory.Gotcha},
		{Title: "Short", Text: "gauge", Type: memory.Question},
	} {
		m = memory.New(m.Type, m.Title, m.Text, time.Date(2026, 11, 1, i, 0, 0, 0, time.UTC))
		m.Tags = []string{strings.Repeat("tag", 40), "潮位計測潮位計測潮位計測"}
		m.Files = []string{strings.Repeat("folder/", 20) + "file.go"}
		m.Entities = []string{strings.Repeat("Entity ", 20)}
		m.Source = memory.Source{Agent: "claude-code", Session: strings.Repeat("5", 36), Branch: "feature/" + strings.Repeat("long-", 20), Commit: "0123456789ab"}
		m.Anchors = []memory.Anchor{{Path: m.Files[0], Blob: "0123456789"}}
		name := filepath.Join(dir, ".cortex", "memories", filepath.FromSlash(m.Path()))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, memory.Format(m), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	show := func(terminal bool, width int, args ...string) string {
		var out, stderr bytes.Buffer
		s := &streams{
			in: strings.NewReader(""), out: &out, err: &stderr, environ: env, dir: dir, exe: "cortex", terminal: terminal, width: width,
			getenv: func(key string) string { return lookup(env, key) },
			now:    func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) },
		}
		if code := run(context.Background(), s, append(args, "--no-color")); code != exitOK {
			t.Fatalf("%q: exit code %d: %s", args, code, stderr.String())
		}
		return out.String()
	}
	list := strings.Split(strings.TrimSpace(show(false, 80, "list", "-t", "decision", "-q")), "\n")
	oldest := strings.TrimLeft(list[len(list)-1], "~ ") // without the mark of a stale one
	id := strings.Fields(oldest)[0]
	for _, args := range [][]string{
		{"search", "gauge"},
		{"search", "gauge", "--explain", "--sessions"},
		{"search", "type:decision", "since:2026-01-01", strings.Repeat("nothing", 30)},
		{"list"},
		{"show", id},
		{"related", id},
		{"related", id, "--depth", "2"},
		{"why", strings.Repeat("folder/", 20) + "file.go"},
		{"why", strings.Repeat("folder/", 20) + "file.go:1-3"},
		{"status"},
		{"stats"},
		{"recall", "--prompt", "gauge unbroken word", "--explain"},
		{"sessions"},
		{"topics"},
		{"log"},
		{"brief"},
	} {
		for _, width := range []int{40, 80, 113} {
			for line := range strings.Lines(show(true, width, args...)) {
				if n := console.Columns(strings.TrimRight(line, "\n")); n > width {
					t.Errorf("%q at %d: %d columns: %q", args, width, n, line)
				}
			}
		}
	}
	for _, args := range [][]string{{"forget", id}, {"restore", id}, {"backfill"}} {
		for line := range strings.Lines(show(true, 80, args...)) {
			if n := console.Columns(strings.TrimRight(line, "\n")); n > 80 || strings.HasSuffix(line, "cortex backfill\n") {
				t.Errorf("%q: %d columns: %q", args, n, line)
			}
		}
	}
	for _, args := range [][]string{{"search", "gauge"}, {"list"}} {
		if out := show(false, 80, args...); !strings.Contains(out, title) {
			t.Errorf("%q cuts the title where no terminal is: %s", args, out)
		}
	}
	if out := show(false, 80, "show", id); !strings.Contains(out, strings.Repeat("folder/", 20)+"file.go") {
		t.Errorf("show breaks a path where no terminal is: %s", out)
	}
}

// layoutRepo is a repository with a session read, and the environment for it.
func layoutRepo(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "p")
	env = []string{"PATH=" + os.Getenv("PATH")}
	for key, value := range hermeticGit(filepath.Join(t.TempDir(), "home")) {
		env = append(env, key+"="+value)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "cortex.enabled", "true"}, {"commit", "-q", "--allow-empty", "-m", strings.Repeat("start ", 30)}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	data, err := sessionFrom(wideSpec, "0b2c-1", dir)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	s := &streams{
		in: strings.NewReader(""), out: &bytes.Buffer{}, err: &bytes.Buffer{}, environ: env, dir: dir, exe: "cortex", width: 80,
		getenv: func(key string) string { return lookup(env, key) }, now: time.Now,
	}
	if code := run(context.Background(), s, []string{"capture", "-q", name}); code != exitOK {
		t.Fatalf("capture: exit code %d: %s", code, s.err)
	}
	return dir, env
}

func lookup(env []string, key string) string {
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, key+"="); ok {
			return value
		}
	}
	return ""
}
