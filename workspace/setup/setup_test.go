package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// clone is a repository that is set up and cleaned.
type clone struct {
	*testing.T
	dir string
}

func newClone(t *testing.T, files map[string]string) *clone {
	t.Helper()
	w := workspacetest.New(t)
	for path, text := range files {
		workspacetest.Write(t, w, path, text)
	}
	return &clone{t, w.Repo.Root}
}

// options are those of the command line, for both agents.
func options() Options {
	return Options{
		Agents: []string{"claude-code"}, Binary: gitops.Binary{Name: "cortex", Path: "/opt/cortex"},
		Found: "/opt/cortex",
	}
}

func (c *clone) open() *workspace.Workspace { c.Helper(); return workspacetest.Open(c.T, c.dir) }

func (c *clone) git(args ...string) string {
	c.Helper()
	return workspacetest.Git(c.T, c.open(), args...)
}

func (c *clone) write(path, text string) {
	c.Helper()
	workspacetest.Write(c.T, c.open(), path, text)
}

// do runs Init or Uninstall and returns the action for each path.
func (c *clone) do(do func(context.Context, *workspace.Workspace, Options) ([]Step, error),
	opt Options,
) map[string]string {
	c.Helper()
	steps, err := do(c.Context(), c.open(), opt)
	if err != nil {
		c.Fatal(err)
	}
	actions := map[string]string{}
	for _, s := range steps {
		actions[s.Path] = s.Action
	}
	return actions
}

// files returns all files that a set-up may touch: those of the working tree,
// hooks, git's configuration and info.
func (c *clone) files() map[string]string {
	c.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(c.dir, path)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil || d.IsDir() && slices.Contains([]string{
			".git/objects", ".git/cortex", ".git/refs",
			".git/logs",
		}, rel):
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		case !d.Type().IsRegular() || strings.HasSuffix(rel, ".sample") || rel == ".git/index":
			return nil
		}
		data, err := os.ReadFile(path)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
	return out
}

// TestExactRemoval: whatever was there before, Uninstall leaves it as it was, to
// the byte, and Init says of a second run that it changes nothing.
func TestExactRemoval(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"nothing": {},
		"files of others": {
			".gitattributes": "*.png binary\n",
			".claude/settings.json": "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\":" +
				" [{\"type\": \"command\", \"command\": \"say done\"}]}\n    ]\n  }\n}\n",
			".git/info/exclude":     "# mine\n*.o\n",
			".git/hooks/pre-commit": "#!/bin/sh\nmake lint\n",
		},
		"odd ends": {".gitattributes": "*.png binary", ".claude/settings.json": "{}", ".git/info/exclude": ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClone(t, files)
			before := c.files()
			actions := c.do(Init, options())
			for path, action := range actions {
				if action != "created" && action != "changed" {
					t.Errorf("init: %s %s", path, action)
				}
			}
			installed := c.files()
			for path, action := range c.do(Init, options()) {
				if action != "unchanged" {
					t.Errorf("the second init: %s %s", path, action)
				}
			}
			if diff := cmp.Diff(installed, c.files()); diff != "" {
				t.Errorf("the second init (-first +second):\n%s", diff)
			}
			if checks, err := Check(t.Context(), c.open(), options(), false); err != nil || !allOK(checks) {
				t.Errorf("check after init: %+v, %v", checks, err)
			}
			c.do(Uninstall, options())
			if diff := cmp.Diff(before, c.files()); diff != "" {
				t.Errorf("after uninstall (-before +after):\n%s", diff)
			}
		})
	}
}

// TestDryRun: a dry run reports exactly the changes that are then made, and makes none.
func TestDryRun(t *testing.T) {
	c := newClone(t, map[string]string{".gitattributes": "*.png binary\n"})
	dry := options()
	dry.DryRun = true
	before := c.files()
	said := c.do(Init, dry)
	if diff := cmp.Diff(before, c.files()); diff != "" {
		t.Errorf("the dry run of init changed:\n%s", diff)
	}
	if diff := cmp.Diff(said, c.do(Init, options())); diff != "" {
		t.Errorf("init (-said +did):\n%s", diff)
	}
	before = c.files()
	said = c.do(Uninstall, dry)
	if diff := cmp.Diff(before, c.files()); diff != "" {
		t.Errorf("the dry run of uninstall changed:\n%s", diff)
	}
	if diff := cmp.Diff(said, c.do(Uninstall, options())); diff != "" {
		t.Errorf("uninstall (-said +did):\n%s", diff)
	}
}

// TestChangedSince: what a person wrote into our files after Init stays.
func TestChangedSince(t *testing.T) {
	for name, forget := range map[string]bool{"with the record": false, "without the record": true} {
		t.Run(name, func(t *testing.T) {
			c := newClone(t, map[string]string{".gitattributes": "*.png binary\n"})
			c.do(Init, options())
			installed := c.files()
			c.write(".gitattributes", installed[".gitattributes"]+"*.jpg binary\n")
			c.write(".claude/settings.json",
				strings.Replace(installed[".claude/settings.json"], "{", "{\n  \"model\": \"opus\",", 1))
			c.write(workspace.ConfigPath, "land: manual\n")
			if forget {
				if err := os.Remove(filepath.Join(c.open().Repo.CacheDir(), installedFile)); err != nil {
					t.Fatal(err)
				}
			}
			actions := c.do(Uninstall, options())
			want := map[string]string{
				".gitattributes": "changed", ".claude/settings.json": "changed",
				".cortex/README.md": "removed",
			}
			for path, action := range want {
				if actions[path] != action {
					t.Errorf("%s: %s, want %s", path, actions[path], action)
				}
			}
			left := c.files()
			if left[".gitattributes"] != "*.png binary\n*.jpg binary\n" ||
				left[workspace.ConfigPath] != "land: manual\n" {
				t.Errorf("left: %q, %q", left[".gitattributes"], left[workspace.ConfigPath])
			}
			if s := left[".claude/settings.json"]; !strings.Contains(s, "opus") || strings.Contains(s, "cortex") {
				t.Errorf("left: %s", s)
			}
		})
	}
}

// TestTeamsFiles: files that came with the repository are the team's; this clone
// leaves them when it goes.
func TestTeamsFiles(t *testing.T) {
	c := newClone(t, nil)
	c.do(Init, options())
	c.git("add", "-A")
	c.git("commit", "-q", "-m", "set up")
	other := filepath.Join(t.TempDir(), "other")
	c.git("clone", "-q", c.dir, other)
	second := &clone{t, other}
	committed := second.files()
	for path, action := range second.do(Init, options()) {
		if inTree := !strings.HasPrefix(path, "git "); inTree != (action == "unchanged") {
			t.Errorf("init in a second clone: %s %s", path, action)
		}
	}
	second.do(Uninstall, options())
	if status := second.git("status", "--porcelain"); status != "" {
		t.Errorf("uninstall in a second clone changed files of the team:\n%s", status)
	}
	if left := second.files(); left[".gitattributes"] != committed[".gitattributes"] {
		t.Errorf("left: %q", left[".gitattributes"])
	}
}

// TestProjections: with a remote on a server, the pages are left to the default branch.
func TestProjections(t *testing.T) {
	for url, want := range map[string]string{
		"": "branch", "../beside.git": "branch",
		"git@example.invalid:us/it.git": "default-branch",
	} {
		c := newClone(t, nil)
		if url != "" {
			c.git("remote", "add", "origin", url)
		}
		c.do(Init, options())
		w := c.open()
		if where := workspace.WherePages(t.Context(), w, w.Config.Projections); where != want {
			t.Errorf("with %q: %s, want %s", url, where, want)
		}
		if hosted := workspace.HostedRemotes(t.Context(), w); (len(hosted) > 0) != (want == "default-branch") {
			t.Errorf("with %q: hosted %v", url, hosted)
		}
	}
}

// TestFewLines: Init leaves at most four files and 60 lines, on a server too.
func TestFewLines(t *testing.T) {
	c := newClone(t, nil)
	c.git("remote", "add", "origin", "https://example.invalid/us/it.git")
	before := c.files()
	c.do(Init, options())
	files, lines := 0, 0
	for path, text := range c.files() {
		if _, was := before[path]; !was && !strings.HasPrefix(path, ".git/") {
			files++
			lines += strings.Count(text, "\n")
		}
	}
	if files > 4 || lines > 60 {
		t.Errorf("%d files and %d lines", files, lines)
	}
}

// TestHooksOfSeveralLines: hooks of ours that a formatter wrote on several lines stay as they are, and
// Uninstall takes them out.
func TestHooksOfSeveralLines(t *testing.T) {
	c := newClone(t, nil)
	before := c.files()
	c.do(Init, options())
	var hooks bytes.Buffer
	if err := json.Indent(&hooks, []byte(c.files()[".claude/settings.json"]), "", "  "); err != nil {
		t.Fatal(err)
	}
	c.write(".claude/settings.json", hooks.String())
	record := loadInstalled(c.open().Repo.CacheDir())
	record.Files[".claude/settings.json"] = found{After: digest([]byte(c.files()[".claude/settings.json"]))}
	if err := record.store(c.open().Repo.CacheDir()); err != nil {
		t.Fatal(err)
	}
	installed := c.files()
	for path, action := range c.do(Init, options()) {
		if action != "unchanged" {
			t.Errorf("init: %s %s", path, action)
		}
	}
	if diff := cmp.Diff(installed, c.files()); diff != "" {
		t.Errorf("init changed them:\n%s", diff)
	}
	if checks, err := Check(t.Context(), c.open(), options(), false); err != nil || !allOK(checks) {
		t.Errorf("%+v, %v", checks, err)
	}
	c.do(Uninstall, options())
	if diff := cmp.Diff(before, c.files()); diff != "" {
		t.Errorf("after uninstall (-before +after):\n%s", diff)
	}
}

// TestAgentNone: without an agent, no file of one is written.
func TestAgentNone(t *testing.T) {
	c := newClone(t, nil)
	opt := options()
	opt.Agents = []string{"none"}
	c.do(Init, opt)
	for path := range c.files() {
		if strings.HasPrefix(path, ".claude") {
			t.Errorf("%s was written", path)
		}
	}
	if checks, err := Check(t.Context(), c.open(), opt, false); err != nil || !allOK(checks) {
		t.Errorf("%+v, %v", checks, err)
	}
}

// TestHooksOfOthers: where another program has the hooks, they stay as they are,
// and a notice says what to do; the rest is set up.
func TestHooksOfOthers(t *testing.T) {
	c := newClone(t, map[string]string{".husky/pre-commit": "#!/bin/sh\nnpx lint-staged\n"})
	c.git("add", "-A")
	c.git("commit", "-q", "-m", "husky")
	c.git("config", "core.hooksPath", ".husky")
	w := c.open()
	steps, err := Init(t.Context(), w, options())
	if err != nil {
		t.Fatal(err)
	}
	enabled, err := c.open().Enabled(t.Context())
	if got := c.files()[".husky/pre-commit"]; got != "#!/bin/sh\nnpx lint-staged\n" || err != nil || !enabled {
		t.Errorf("the hook is %q; enabled %v, %v", got, enabled, err)
	}
	if hook(c).Way == gitops.ByConfig {
		return // git runs ours beside theirs
	}
	for _, s := range steps {
		if strings.HasPrefix(s.Path, "git hook ") && s.Action != "left" {
			t.Errorf("%s: %s", s.Path, s.Action)
		}
	}
	notices := strings.Join(w.TakeNotices(), "\n")
	if !strings.Contains(notices, ".husky") || !strings.Contains(notices, "cortex hook pre-commit || :") {
		t.Errorf("notices: %q", notices)
	}
}

// TestRefusals: Init ends with an error before anything is written where it
// cannot know what it would break.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct{ path, text, want string }{
		"a newer format":    {workspace.ConfigPath, "format: 99\n", "format 99"},
		"settings not JSON": {".claude/settings.json", "{,}", ".claude/settings.json: reading JSON"},
		"the line of it": {
			".claude/settings.json", "// ours\n{\n  \"a\": 1,\n  oops\n}\n",
			"reading JSON: line 4: invalid character 'o' looking for beginning of object key string; correct the" +
				" file, or leave its agent out with --agent; nothing was changed",
		},
		"settings of no shape": {".claude/settings.json", "[]", "does not hold an object"},
	} {
		clone := newClone(t, map[string]string{c.path: c.text})
		_, err := Init(t.Context(), clone.open(), options())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if got := clone.files()[c.path]; got != c.text {
			t.Errorf("%s: the file is now %q", name, got)
		}
	}
}

// TestRefusalsOfAgents: settings that another program manages are left alone, and
// nothing is written elsewhere.
func TestRefusalsOfAgents(t *testing.T) {
	everyone := options()
	everyone.Agents, everyone.Server = Agents(), true
	for _, a := range agents() {
		for _, m := range slices.Concat(a.files, serverFiles([]string{a.name})) {
			if path.Ext(m.path) != ".json" && path.Ext(m.path) != ".toml" {
				continue
			}
			for want, prepare := range map[string]func(file string) error{
				"read-only": func(file string) error { return os.WriteFile(file, empty(m.path), 0o444) },
				"symbolic link": func(file string) error {
					return errors.Join(os.WriteFile(file+".mine", empty(m.path), 0o600), os.Symlink(file+".mine", file))
				},
				"reading JSON": func(file string) error { return os.WriteFile(file, []byte("{"), 0o600) },
				"reading TOML": func(file string) error { return os.WriteFile(file, []byte("a = 1\na = 2\n"), 0o600) },
			} {
				if of, ok := strings.CutPrefix(want, "reading "); ok && path.Ext(m.path) != "."+strings.ToLower(of) {
					continue
				}
				clone := newClone(t, nil)
				file := filepath.Join(clone.dir, filepath.FromSlash(m.path))
				if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), prepare(file)); err != nil {
					t.Fatal(err)
				}
				before := clone.state()
				if _, err := Init(t.Context(), clone.open(), everyone); err == nil ||
					!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), filepath.Base(m.path)) {
					t.Errorf("%s, %s: %v", m.path, want, err)
				}
				if diff := cmp.Diff(before, clone.state()); diff != "" {
					t.Errorf("%s, %s (-before +after):\n%s", m.path, want, diff)
				}
			}
		}
	}
}

// empty are settings that say nothing.
func empty(name string) []byte {
	if path.Ext(name) == ".toml" {
		return []byte("\n")
	}
	return []byte("{}\n")
}

// TestTablesOfOthers: a server that is named as ours stays alone, since TOML has each table
// once, and settings that are not TOML are named also where nothing of ours is in them.
func TestTablesOfOthers(t *testing.T) {
	own := options()
	own.Agents, own.Server = []string{transcript.Codex}, true
	const servers = "[mcp_servers.cortex]\ncommand = \"mine\"\n"
	c := newClone(t, map[string]string{".codex/config.toml": servers})
	c.do(Init, own)
	if got := c.files()[".codex/config.toml"]; got != servers {
		t.Errorf("another server of the name: %q", got)
	}
	if check := checkAgent(folder(c), agentNamed(t, transcript.Codex)); !check.OK {
		t.Errorf("%+v", check)
	}
	c.write(".codex/config.toml", "mcp_servers = {other = {command = \"mine\"}}\n") // to which no table can be added
	if _, err := Init(t.Context(), c.open(), own); err == nil || !strings.Contains(err.Error(), "write each as") {
		t.Errorf("servers in braces: %v", err)
	}
	if check := checkAgent(folder(c), agentNamed(t, transcript.Codex)); !check.OK {
		t.Errorf("servers in braces: %+v", check)
	}
	c.write(".codex/config.toml", "[mcp_servers\n")
	check := checkAgent(folder(c), agentNamed(t, transcript.Codex))
	if check.OK || !strings.Contains(check.Wrong, ".codex/config.toml: reading TOML: ") {
		t.Errorf("%+v", check)
	}
}

func agentNamed(t *testing.T, name string) agent {
	t.Helper()
	for _, a := range agents() {
		if a.name == name {
			return a
		}
	}
	t.Fatal(name)
	return agent{}
}

// TestPluginOfAnother: a file of somebody else where our plugin belongs is left alone,
// and neither Init nor the check says that its agent is set up.
func TestPluginOfAnother(t *testing.T) {
	const plugin = openCodePlugin
	opt := options()
	opt.Agents = []string{transcript.OpenCode}
	for _, text := range []string{"", "export const mine = 1\n"} {
		clone := newClone(t, nil)
		clone.write(plugin, text)
		before := clone.state()
		if _, err := Init(t.Context(), clone.open(), opt); err == nil ||
			!strings.Contains(err.Error(), plugin+": the file does not call cortex and is left alone; move it") {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(before, clone.state()); diff != "" {
			t.Errorf("%q (-before +after):\n%s", text, diff)
		}
		if check := checkAgent(folder(clone), agents()[len(agents())-1]); check.OK ||
			!strings.Contains(check.Wrong, "does not call cortex") {
			t.Errorf("%q: %+v", text, check)
		}
	}
	edited := newClone(t, nil)
	edited.write(plugin, "// ours\n"+string(templates.OpenCodePlugin()))
	edited.do(Init, opt)
}

// TestAllAgentsAtOnce: whatever files agents have, Init adds to them, once, and
// Uninstall leaves every byte as it was.
func TestAllAgentsAtOnce(t *testing.T) {
	everyone := options()
	everyone.Agents, everyone.Server = Agents(), true
	const tables = "\ufeff# ours\r\n[mcp_servers.mine]\r\ncommand = \"say\"\r\n\r\n[last]\r\na = 1"
	for name, text := range map[string]string{
		"none": "",
		"servers": "{\r\n\t\"mcpServers\": {\"mine\": {\"command\": \"say\"}}, // ours\r\n\t\"mcp\":" +
			" {}\r\n}\r\n",
		"empty":      "{}\n",
		"a comment":  "// ours\n{\n  \"a\": [1, 2], // last\n}\n",
		"mark, CRLF": "\ufeff{\r\n\t\"a\": {\"b\": null}\r\n}\r\n",
		"hooks of theirs": "{\n    \"hooks\": {\n        \"Stop\": [],\n        \"Mine\": [{\"hooks\": [{\"type\":" +
			" \"command\", \"command\": \"say\"}]}]\n    }\n}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClone(t, nil)
			for _, a := range agents() {
				for _, m := range slices.Concat(a.files, serverFiles([]string{a.name})) {
					if text != "" && path.Ext(m.path) == ".json" {
						c.write(m.path, text)
					}
				}
				if text != "" {
					c.write(".codex/config.toml", tables)
				}
			}
			before := c.state()
			c.do(Init, everyone)
			set := c.state()
			c.do(Init, everyone)
			if diff := cmp.Diff(set, c.state()); diff != "" {
				t.Errorf("a second init (-first +second):\n%s", diff)
			}
			for _, a := range agents() {
				if check := checkAgent(folder(c), a); !check.OK {
					t.Errorf("%+v", check)
				}
			}
			c.do(Uninstall, options())
			if diff := cmp.Diff(before, c.state()); diff != "" {
				t.Errorf("after uninstall (-before +after):\n%s", diff)
			}
		})
	}
}

func folder(c *clone) workspace.Folder {
	c.Helper()
	t, err := c.open().Tree()
	if err != nil {
		c.Fatal(err)
	}
	return t
}

// TestKeepsMemories: Uninstall leaves memories and the journal.
func TestKeepsMemories(t *testing.T) {
	c := newClone(t, nil)
	c.do(Init, options())
	m, pending := workspacetest.Sure(memory.Decision, "Landed"), workspacetest.Sure(memory.Decision, "Pending")
	workspacetest.Put(t, c.open(), m)
	workspacetest.PutPending(t, c.open(), pending)
	c.do(Uninstall, options())
	v := workspacetest.View(t, c.open(), workspace.ViewOptions{})
	if len(v.Items) != 2 {
		t.Errorf("%d memories are left", len(v.Items))
	}
	if keys := slices.Sorted(maps.Keys(c.files())); !slices.Contains(keys, view.MemoryPath(m.Path())) {
		t.Errorf("left: %v", keys)
	}
}

// TestAgentFiles: what changes in the files that are written for agents is listed for a
// reviewer, so the list of them is whole.
func TestAgentFiles(t *testing.T) {
	listed := templates.AgentFiles()
	files := serverFiles(Agents())
	for _, a := range agents() {
		files = append(files, a.files...)
	}
	for _, f := range files {
		if !slices.Contains(listed, f.path) {
			t.Errorf("templates.AgentFiles lacks %s", f.path)
		}
	}
}
