package gitops

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// installDrivers writes the merge drivers into the configuration, and names them.
func installDrivers(ctx context.Context, r *Repo, binary Binary) error {
	if err := r.LocalConfig().Edit(ctx, DriverSettings(binary)...); err != nil {
		return err
	}
	return r.Drivers().Name()
}

func TestDrivers(t *testing.T) {
	ctx := context.Background()
	for _, attributes := range []string{"", "*.bin -diff", "*.bin -diff\n"} {
		dir := initRepo(t)
		r := openRepo(t, dir)
		if attributes != "" {
			writeFile(t, filepath.Join(r.CommonDir, "info", "attributes"), attributes)
		}
		config := readFile(t, filepath.Join(r.CommonDir, "config"))
		for range 2 {
			if err := installDrivers(ctx, r, Binary{Name: "cortex"}); err != nil {
				t.Fatal(err)
			}
		}
		s, err := r.Drivers().State(ctx, nil, Binary{Name: "cortex"})
		if err != nil || s != (DriverState{Config: true, Attributes: true}) {
			t.Errorf("state %+v, %v", s, err)
		}
		if s, _ := r.Drivers().State(ctx, nil, Binary{Path: "/other/cortex"}); s.Problem == "" {
			t.Error("another binary is no problem")
		}
		got := runGit(t, dir, "check-attr", "merge", ".cortex/decisions.md", ".cortex/memories/decision/2026-11/a-b.md", "x.md")
		if strings.Count(got, "cortex-projection") != 1 || strings.Count(got, "cortex-memory") != 1 {
			t.Errorf("attributes %s", got)
		}
		out := DriverSettings(Binary{})
		for i := range out {
			out[i].Value = ""
		}
		if err := errors.Join(r.Drivers().Unname(), r.LocalConfig().Edit(ctx, out...)); err != nil {
			t.Fatal(err)
		}
		if now := readFile(t, filepath.Join(r.CommonDir, "config")); now != config {
			t.Errorf("config %q, was %q", now, config)
		}
		now, err := os.ReadFile(filepath.Join(r.CommonDir, "info", "attributes"))
		if string(now) != attributes || (attributes == "") != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("attributes %q, %v; was %q", now, err, attributes)
		}
		if s, _ := r.Drivers().State(ctx, nil, Binary{Name: "cortex"}); s != (DriverState{}) {
			t.Errorf("state after removal %+v", s)
		}
	}
}

// TestDriverFallback merges with a missing binary, one that decides and one that crashes.
func TestDriverFallback(t *testing.T) {
	for _, tc := range []struct {
		script, file, want string
		conflict           bool
	}{
		{"", ".cortex/decisions.md", "base\nours\ntheirs\n", false},
		{"exit 2", ".cortex/decisions.md", "base\nours\ntheirs\n", false},
		{"exit 1", ".cortex/decisions.md", "base\nours\n", true},
		{"echo merged >\"$4\"", ".cortex/decisions.md", "merged\n", false},
		{"", ".cortex/memories/fix/2026-11/a.md", "<<<<<<<", true},
		{"test \"$2\" = memory && echo merged >\"$4\"", ".cortex/memories/fix/2026-11/a.md", "merged\n", false},
	} {
		dir := initRepo(t)
		r := openRepo(t, dir)
		binary := filepath.Join(t.TempDir(), "cor'tex")
		if tc.script != "" {
			if err := os.WriteFile(binary, []byte("#!/bin/sh\n"+tc.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := installDrivers(context.Background(), r, Binary{Path: binary}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(tc.file))
		save := func(text string) {
			writeFile(t, path, text)
			runGit(t, dir, "add", ".")
			runGit(t, dir, "commit", "-q", "-m", "x")
		}
		save("base\n")
		runGit(t, dir, "checkout", "-q", "-b", "side")
		save("base\ntheirs\n")
		runGit(t, dir, "checkout", "-q", "main")
		save("base\nours\n")
		out, err := tryGit(dir, nil, "merge", "-q", "--no-edit", "side")
		if (err != nil) != tc.conflict {
			t.Errorf("%q %s: merge: %v %s", tc.script, tc.file, err, out)
		}
		if got := readFile(t, path); !strings.HasPrefix(strings.TrimPrefix(got, "base\n"), strings.TrimPrefix(tc.want, "base\n")) {
			t.Errorf("%q %s: got %q", tc.script, tc.file, got)
		}
	}
}

func TestMergeText(t *testing.T) {
	r := openRepo(t, initRepo(t))
	got, clean, err := r.MergeText(context.Background(), "a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n")
	if err != nil || !clean || got != "A\nb\nc\nD\n" {
		t.Errorf("got %q, %v, %v", got, clean, err)
	}
	got, clean, err = r.MergeText(context.Background(), "a\n", "b\n", "c\n")
	if err != nil || clean || !strings.Contains(got, "<<<<<<<") {
		t.Errorf("conflict: got %q, %v, %v", got, clean, err)
	}
}
