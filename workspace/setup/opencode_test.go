package setup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/transcript"
)

// former sets a clone up as an earlier version did, with its plugin in a folder in which
// OpenCode installs packages.
func former(c *clone, edit string) {
	c.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "former-plugin.js"))
	if err != nil {
		c.Fatal(err)
	}
	text = append([]byte(edit), text...)
	c.write(openCodeFormer, string(text))
	c.write(".opencode/.gitignore", ignoredText)
	w := c.open()
	in := loadInstalled(w.Repo.CacheDir())
	in.Folders = []string{".opencode/plugins", ".opencode", "git/hooks"}
	if edit == "" {
		in.Files[openCodeFormer] = found{After: digest(text)}
	}
	if err := in.store(w.Repo.CacheDir()); err != nil {
		c.Fatal(err)
	}
}

func openCode() Options {
	opt := options()
	opt.Agents = []string{transcript.OpenCode}
	return opt
}

// TestPluginMoves: what an earlier version wrote where OpenCode installs packages is
// moved, and what came with it goes; Uninstall of this version removes both.
func TestPluginMoves(t *testing.T) {
	c := newClone(t, nil)
	before := c.state()
	former(c, "")
	if names := installedAgents(folder(c), loadInstalled(c.open().Repo.CacheDir())); !slices.Equal(names,
		openCode().Agents) {
		t.Errorf("installed: %v", names)
	}
	if did := c.do(Init, openCode()); did[openCodeFormer] != "removed" || did[openCodePlugin] != "created" ||
		did[openCodeSettings] != "created" {
		t.Errorf("%v", did)
	}
	if _, err := os.Stat(filepath.Join(c.dir, ".opencode")); !os.IsNotExist(err) {
		t.Errorf(".opencode is left: %v", err)
	}
	if did := c.do(Init, openCode()); did[openCodeFormer] != "" || did[openCodePlugin] != "unchanged" {
		t.Errorf("again: %v", did)
	}
	c.do(Uninstall, options())
	if diff := cmp.Diff(before, c.state()); diff != "" {
		t.Errorf("after uninstall (-before +after):\n%s", diff)
	}
	former(c, "")
	if did := c.do(Uninstall, options()); did[openCodeFormer] != "removed" {
		t.Errorf("uninstall of what was never moved: %v", did)
	}
	if _, err := os.Stat(filepath.Join(c.dir, ".opencode")); !os.IsNotExist(err) {
		t.Errorf(".opencode is left: %v", err)
	}
}

// TestPluginEdited: a plugin that somebody edited stays where it is, and is named.
func TestPluginEdited(t *testing.T) {
	c := newClone(t, nil)
	former(c, "// ours\n")
	if did := c.do(Init, openCode()); did[openCodeFormer] != "left" || did[openCodePlugin] != "created" {
		t.Errorf("%v", did)
	}
	if text := c.files()[openCodeFormer]; !strings.Contains(text, "// ours") {
		t.Errorf("%q", text)
	}
}

// TestPluginNamed: the settings of OpenCode name the plugin beside what they held.
func TestPluginNamed(t *testing.T) {
	const plugin = "./" + openCodePlugin
	for name, c := range map[string]struct{ before, after string }{
		"none": {"", "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"plugin\": [\n    \"" + plugin +
			"\"\n  ]\n}\n"},
		"settings": {
			"{\n  \"theme\": \"dark\", // mine\n}\n",
			"{\n  \"theme\": \"dark\",\n  \"plugin\": [\n    \"" + plugin + "\"\n  ], // mine\n}\n",
		},
		"plugins": {
			`{"plugin": ["theirs", ["more", {"a": 1}]]}`,
			`{"plugin": ["theirs", ["more", {"a": 1}], "` + plugin + `"]}`,
		},
		"named":   {`{"plugin": ["` + plugin + `"]}`, `{"plugin": ["` + plugin + `"]}`},
		"options": {`{"plugin": [["` + plugin + `", {}]]}`, `{"plugin": [["` + plugin + `", {}]]}`},
	} {
		got, err := addPlugin([]byte(c.before), plugin)
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
		rest, err := removePlugin(got, plugin)
		if err != nil || c.before != c.after && string(rest) != c.before {
			t.Errorf("%s, removed: %v\n%s", name, err, rest)
		}
	}
	for _, bad := range []string{`[]`, `{`, `{"plugin": "theirs"}`} {
		if got, err := addPlugin([]byte(bad), plugin); err == nil {
			t.Errorf("%s: %s", bad, got)
		}
	}
}
