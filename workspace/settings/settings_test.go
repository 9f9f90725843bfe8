package settings_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/policy"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
	"github.com/git-cortex/cortex/workspace/settings"
)

var update = flag.Bool("update", false, "write the tables of docs/settings.md anew")

// TestDocument: the tables of docs/settings.md are those of keys.tsv.
func TestDocument(t *testing.T) {
	table, err := os.ReadFile("keys.tsv")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "docs", "settings.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(table)) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if len(c) < 7 || strings.HasPrefix(c[0], "#") {
			continue
		}
		name := c[0]
		if name == settings.User {
			name, c[6] = settings.Git, c[6]+". Read from the user's and the machine's configuration alone, never from that of a clone"
		}
		rows[name] += fmt.Sprintf("| `%s`: %s | %s | %s |\n", c[1], c[6], c[2], c[3])
	}
	text := string(data)
	for name, body := range rows {
		before, rest, ok := strings.Cut(text, "<!-- "+name+" -->\n")
		_, after, ended := strings.Cut(rest, "<!-- end -->")
		if !ok || !ended {
			t.Fatalf("%s has no marks for the table of %s", path, name)
		}
		text = before + "<!-- " + name + " -->\n| key | values | default |\n|---|---|---|\n" + body + "<!-- end -->" + after
	}
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil { //nolint:gosec // a file of the repository
			t.Fatal(err)
		}
	} else if text != string(data) {
		t.Errorf("%s is not what keys.tsv says; run: go test ./workspace/settings -run TestDocument -update", path)
	}
}

// TestKeys: every setting of config.yaml is in the table, and the table has no other.
func TestKeys(t *testing.T) {
	standard := policy.Values(policy.Written(policy.Default()))
	known := map[string]bool{}
	for _, s := range settings.Keys() {
		if s.Where != settings.Team {
			continue
		}
		known[s.Key] = true
		found := strings.Contains(s.Values, ": ") // a table may have no entry
		for key := range standard {
			found = found || key == s.Key || strings.HasPrefix(key, s.Key+".")
		}
		if !found {
			t.Errorf("config.yaml has no setting %s", s.Key)
		}
	}
	for key := range standard {
		table, _, _ := strings.Cut(key, ".")
		last := key[:max(0, strings.LastIndex(key, "."))]
		if !known[key] && !known[table] && !known[last] {
			t.Errorf("keys.tsv has no setting %s", key)
		}
	}
}

func change(t *testing.T, w *workspace.Workspace, c settings.Change) (settings.Setting, error) {
	t.Helper()
	return c.Make(t.Context(), w)
}

// TestTeam: what the team sets stands in config.yaml with its comments, and what is as by
// default does not.
func TestTeam(t *testing.T) {
	w := workspacetest.New(t)
	path := filepath.Join(w.Repo.Root, filepath.FromSlash(workspace.ConfigPath))
	workspacetest.Write(t, w, workspace.ConfigPath, "# ours\nland: manual # as agreed\n")
	for _, c := range []settings.Change{
		{Key: "priority.fix", Value: "8"}, {Key: "recall", Value: "[start, error]"}, {Key: "land_max", Value: "4"},
	} {
		s, err := change(t, w, c)
		if err != nil || s.From != settings.Team {
			t.Fatalf("%+v: %+v, %v", c, s, err)
		}
	}
	const want = "# ours\nland: manual # as agreed\npriority:\n  fix: 8\nrecall: [start, error]\nland_max: 4\n"
	if got, _ := os.ReadFile(path); string(got) != want {
		t.Errorf("config.yaml is\n%s\nnot\n%s", got, want)
	}
	for _, c := range []settings.Change{
		{Key: "LAND_MAX", Value: "3"}, {Key: "recall", Unset: true}, {Key: "priority.fix", Value: "7"},
	} {
		if s, err := change(t, w, c); err != nil || s.Set() {
			t.Errorf("%+v: %+v, %v", c, s, err)
		}
	}
	if got, _ := os.ReadFile(path); string(got) != "# ours\nland: manual # as agreed\n" {
		t.Errorf("config.yaml is\n%s", got)
	}
	if _, err := change(t, w, settings.Change{Key: "land", Unset: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file without settings stays: %v", err)
	}
}

// TestRefused: a value that cannot be used changes nothing.
func TestRefused(t *testing.T) {
	w := workspacetest.New(t)
	for _, c := range []settings.Change{
		{Key: "land_max", Value: "500"},
		{Key: "land", Value: "never"},
		{Key: "land.now", Value: "1"},
		{Key: "priority.gossip", Value: "3"},
		{Key: "recall", Value: "[noon]"},
		{Key: "land", Value: "{"},
		{Key: "land", Value: "*a"},
		{Key: "nothing", Value: "1"},
		{Key: "cortex.ask", Unset: true},
		{Key: "cortex.ask", Value: "maybe"},
		{Key: "cortex.llmTimeout", Value: "soon"},
		{Key: "cortex.nothing", Value: "1"},
	} {
		if s, err := change(t, w, c); err == nil {
			t.Errorf("%+v: %+v", c, s)
		}
	}
	if _, err := os.Stat(filepath.Join(w.Repo.Root, filepath.FromSlash(workspace.ConfigPath))); !errors.Is(err, os.ErrNotExist) {
		t.Error("config.yaml was written")
	}
}

// TestGit: the user's own settings are told with the level that they come from, and those of a
// hub are not heard from a clone.
func TestGit(t *testing.T) {
	w := workspacetest.New(t)
	for _, value := range []string{"release/*", "team/develop"} {
		if _, err := change(t, w, settings.Change{Key: "cortex.trust", Value: value}); err != nil {
			t.Fatal(err)
		}
	}
	config, err := w.Repo.Config(t.Context())
	if err != nil || len(config.Values("cortex.trust")) != 2 {
		t.Errorf("cortex.trust has %v, %v", config.Values("cortex.trust"), err)
	}
	s, err := change(t, w, settings.Change{Key: "cortex.syncTimeout", Value: "90"})
	if err != nil || s.Value != "90" || s.From != "local" {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err = change(t, w, settings.Change{Key: "cortex.syncTimeout", Unset: true}); err != nil || s.Set() {
		t.Errorf("%+v, %v", s, err)
	}
	workspacetest.Git(t, w, "config", "cortex.hub.url", "https://hub.example.com")
	if s, err = settings.Find(t.Context(), w, "cortex.hub.url"); err != nil || s.Set() {
		t.Errorf("a clone names a hub: %+v, %v", s, err)
	}
}
