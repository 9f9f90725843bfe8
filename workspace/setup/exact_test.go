package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/testrun"
)

// state returns what a set-up may touch: folders too, and what anybody may do
// with each.
func (c *clone) state() map[string]string {
	c.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, c.dir))
		info, err := d.Info()
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"/.git/objects", "/.git/cortex", "/.git/refs", "/.git/logs"}, rel):
			return filepath.SkipDir
		case d.IsDir():
			out[rel] = info.Mode().String()
			return nil
		case rel == "/.git/index" || strings.HasSuffix(rel, ".sample"):
			return nil
		}
		data, err := os.ReadFile(path)
		out[rel] = fmt.Sprintf("%s %q", info.Mode(), data)
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
	return out
}

func (c *clone) edit(path string, change func(string) string) {
	c.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, path))
	if err != nil && !os.IsNotExist(err) {
		c.Fatal(err)
	}
	c.write(path, change(string(data)))
}

func (c *clone) chmod(path string, mode fs.FileMode) {
	c.Helper()
	if err := os.Chmod(filepath.Join(c.dir, path), mode); err != nil {
		c.Fatal(err)
	}
}

// earlier are things that a user may have before Init.
func earlier() map[string]func(*clone) {
	const settings = "{\n  \"model\": \"opus\",\n  \"env\": {\"A\": \"1\"}\n}"
	return map[string]func(*clone){
		"nothing": func(*clone) {},
		"own keys": func(c *clone) {
			c.git("config", "cortex.embed", "static:/models/small")
			c.git("config", "cortex.secret", "internal-[0-9]{6}")
			c.git("config", "merge.cortex-memory.name", "memories")
		},
		"own clone id": func(c *clone) { c.git("config", "cortex.clone", "0123456789abcdef") },
		"another case": func(c *clone) {
			c.edit(".git/config", func(s string) string {
				return s + "[Cortex]\n\tEmbed = static:/models/small # mine\n[alias]\n\tst = status"
			})
		},
		"switched off": func(c *clone) { c.git("config", "cortex.enabled", "false") },
		"blank lines": func(c *clone) {
			c.edit(".git/config",
				func(s string) string { return s + "\n\n; the end\n\n" })
		},
		"no folders": func(c *clone) {
			for _, dir := range []string{".git/info", ".git/hooks"} {
				if err := os.RemoveAll(filepath.Join(c.dir, dir)); err != nil {
					c.Fatal(err)
				}
			}
		},
		"empty folders": func(c *clone) {
			for _, dir := range []string{".git/info", ".git/hooks", ".claude/rules"} {
				if err := errors.Join(os.RemoveAll(filepath.Join(c.dir, dir)),
					os.MkdirAll(filepath.Join(c.dir, dir), 0o777)); err != nil {
					c.Fatal(err)
				}
			}
		},
		"private": func(c *clone) {
			c.write(".claude/settings.json", settings)
			c.write(".gitattributes", "*.png binary")
			c.write(".git/info/exclude", "*.o\n*.tmp")
			c.write(".git/info/attributes", "*.x diff=x")
			c.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 0")
			for _, path := range []string{
				".claude/settings.json", ".gitattributes", ".git/info/exclude",
				".git/info/attributes", ".git/config",
			} {
				c.chmod(path, 0o600)
			}
			c.chmod(".git/hooks/pre-commit", 0o700)
		},
	}
}

// later are things that a user may do after Init: each is done to a clone that
// was never set up as well.
func later() map[string]func(*clone) {
	return map[string]func(*clone){
		"nothing": func(*clone) {},
		"more keys": func(c *clone) {
			c.git("config", "cortex.embedModel", "small")
			c.git("config", "alias.co", "checkout")
		},
		"a driver's name": func(c *clone) { c.git("config", "merge.cortex-projection.name", "pages") },
		"a comment": func(c *clone) {
			c.edit(".git/config", func(s string) string {
				if !strings.HasSuffix(s, "\n") {
					s += "\n"
				}
				return "# first\n" + s + "# last\n"
			})
		},
		"a file beside": func(c *clone) {
			c.write(".git/info/grafts", "")
			c.write(".claude/agents.md", "mine\n")
		},
	}
}

// TestExactRemovalOfAll has every state before Init and every change after it:
// Uninstall leaves what there would be had Init never run.
func TestExactRemovalOfAll(t *testing.T) {
	for was, prepare := range earlier() {
		for then, change := range later() {
			if was != "nothing" && then != "nothing" && !testrun.Full() {
				continue // an ordinary run takes each by itself
			}
			for _, inits := range []int{1, 2} {
				if inits == 2 && was != then && !testrun.Full() {
					continue
				}
				t.Run(fmt.Sprintf("%s, then %s, init %d", was, then, inits), func(t *testing.T) {
					t.Parallel()
					twin, c := newClone(t, nil), newClone(t, nil)
					for _, c := range []*clone{twin, c} {
						prepare(c)
					}
					c.do(Init, options())
					for _, c := range []*clone{twin, c} {
						change(c)
					}
					if inits == 2 {
						c.do(Init, options())
					}
					c.do(Uninstall, options())
					if diff := cmp.Diff(twin.state(), c.state()); diff != "" {
						t.Errorf("after uninstall (-never set up +now):\n%s", diff)
					}
				})
			}
		}
	}
}

// TestSettingsOfAgents: a comment, a byte order mark or another edit of a file of
// the agent keeps our part of it from being taken out no more than it keeps the
// rest in. Where it does, the file is named.
func TestSettingsOfAgents(t *testing.T) {
	const settings = "{\n  \"model\": \"opus\"\n}\n"
	for name, c := range map[string]struct {
		before string // "" is no file
		edit   func(string) string
		want   string
		left   bool
	}{
		"a comment": {
			settings, func(s string) string { return "// mine\n" + s },
			"// mine\n" + settings, false,
		},
		"a comment inside": {
			settings,
			func(s string) string { return strings.Replace(s, "{", "{ /* {\" */", 1) },
			strings.Replace(settings, "{", "{ /* {\" */", 1), false,
		},
		"a byte order mark": {
			settings, func(s string) string { return "\ufeff" + s }, "\ufeff" + settings,
			false,
		},
		"a trailing comma": {
			settings,
			func(s string) string { return strings.TrimSuffix(s, "\n}\n") + ",\n}\n" },
			"{\n  \"model\": \"opus\",\n}\n", false,
		},
		"a comment in a new file": {"", func(s string) string { return "// mine\n" + s }, "// mine\n{}\n", false},
		"a mark in a new file":    {"", func(s string) string { return "\ufeff" + s }, "", false},
		"half a file":             {settings, func(s string) string { return s[:len(s)/2] }, "", true},
		"a key, an empty file": {
			" \n",
			func(s string) string { return strings.Replace(s, "{", "{\n  \"model\": \"opus\",", 1) }, settings, false,
		},
		"another final line": {
			strings.TrimSuffix(settings, "\n"), func(s string) string { return s + "\n" },
			settings, false,
		},
		"without the final line": {
			settings, func(s string) string { return strings.TrimSuffix(s, "\n") },
			strings.TrimSuffix(settings, "\n"), false,
		},
		"a comment after our hook": {
			settings,
			func(s string) string { return strings.Replace(s, "\n}", " // last\n}", 1) },
			"{\n  \"model\": \"opus\" // last\n}\n", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clone := newClone(t, nil)
			if c.before != "" {
				clone.write(".claude/settings.json", c.before)
			}
			before := clone.files()
			clone.do(Init, options())
			clone.edit(".claude/settings.json", c.edit)
			edited := clone.files()[".claude/settings.json"]
			steps, err := Uninstall(t.Context(), clone.open(), options())
			if err != nil {
				t.Fatal(err)
			}
			after := clone.files()
			i := slices.IndexFunc(steps, func(s Step) bool { return s.Path == ".claude/settings.json" })
			if left := steps[i].Action == "left"; left != c.left || left != (steps[i].Why != "") {
				t.Errorf("%+v", steps[i])
			}
			if c.left {
				c.want = edited
			}
			if got := after[".claude/settings.json"]; got != c.want {
				t.Errorf("left %q, want %q", got, c.want)
			}
			delete(before, ".claude/settings.json")
			delete(after, ".claude/settings.json")
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("the rest (-before +after):\n%s", diff)
			}
			if !c.left {
				return
			}
			// Once a person has mended the file, the rest can be taken out too.
			clone.write(".claude/settings.json", c.before)
			if actions := clone.do(Uninstall, options()); slices.Contains(slices.Collect(maps.Values(actions)),
				"left") {
				t.Errorf("again: %v", actions)
			}
		})
	}
}
