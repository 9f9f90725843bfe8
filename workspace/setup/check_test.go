package setup

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/outcome"
)

// TestCheck: what is broken after Init is found, and mended by fix.
func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(*clone)
		want []string // what is wrong
		left []string // what is still wrong after mending
	}{
		"hooks": {func(c *clone) { dropHook(c) }, []string{"git hook pre-commit"}, nil},
		"drivers": {
			func(c *clone) { c.git("config", "--unset", "merge.cortex-memory.driver") },
			[]string{"merge drivers"},
			nil,
		},
		"gitattributes": {func(c *clone) { remove(c, ".gitattributes") }, []string{"gitattributes"}, nil},
		"exclude":       {func(c *clone) { remove(c, ".git/info/exclude") }, []string{"briefing excluded"}, nil},
		"agent hooks": {
			func(c *clone) { c.write(".claude/settings.json", "{}\n") },
			[]string{"claude-code hooks"},
			nil,
		},
		"agent rules": {func(c *clone) { remove(c, ".claude/rules/cortex.md") }, []string{"claude-code hooks"}, nil},
		"bad settings": {
			func(c *clone) { c.write(".claude/settings.json", "{") },
			[]string{"claude-code hooks"},
			[]string{"claude-code hooks"},
		},
		"other drivers": {
			func(c *clone) { appendTo(c, ".git/info/attributes", "*.md merge=union\n") },
			[]string{"merge attributes"},
			nil,
		},
		"a briefing": {func(c *clone) {
			c.write(workspace.BriefingFile, "x")
			c.git("add", "-f",
				workspace.BriefingFile)
		}, []string{"briefing"}, []string{"briefing"}},
		"a failed hook": {func(c *clone) {
			c.open().Diary.Beat(c.Context(), "stop", 0, outcome.Because(outcome.Failed, os.ErrPermission))
		}, []string{"last hooks"}, []string{"last hooks"}},
		"manual landing": {func(c *clone) { dropHook(c); c.write(workspace.ConfigPath, "land: manual\n") }, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t, nil)
			clone.do(Init, options())
			c.harm(clone)
			wrong := func(fix bool) (all, open []string) {
				checks, err := Check(t.Context(), clone.open(), options(), fix)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range checks {
					if !c.OK {
						all = append(all, c.Name)
						if c.Wrong == "" || c.Hint == "" {
							t.Errorf("it does not say what is wrong and what to type: %+v", c)
						}
					}
					if !c.OK && !c.Fixed {
						open = append(open, c.Name)
					}
				}
				return all, open
			}
			if all, _ := wrong(false); !slices.Equal(all, c.want) {
				t.Errorf("wrong: %v, want %v", all, c.want)
			}
			if _, open := wrong(true); len(c.left) > 0 != (len(open) > 0) {
				t.Errorf("after mending: %v, want %v", open, c.left)
			}
			if all, _ := wrong(false); !slices.Equal(all, c.left) {
				t.Errorf("still wrong: %v, want %v", all, c.left)
			}
		})
	}
}

// hook returns how git comes to call the pre-commit hook.
func hook(c *clone) gitops.HookState {
	c.Helper()
	states, err := c.open().Repo.Hooks().States(c.Context(), nil, options().Binary)
	if err != nil || states[0].Name != "pre-commit" {
		c.Fatal(states, err)
	}
	return states[0]
}

// dropHook makes git forget the pre-commit hook.
func dropHook(c *clone) {
	c.Helper()
	if h := hook(c); h.Way == gitops.ByConfig {
		c.git("config", "--remove-section", h.Path)
	} else {
		remove(c, ".git/hooks/pre-commit")
	}
}

func remove(c *clone, path string) {
	c.Helper()
	if err := os.Remove(filepath.Join(c.dir, path)); err != nil {
		c.Fatal(err)
	}
}

func appendTo(c *clone, path, text string) {
	c.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, path))
	if err != nil {
		c.Fatal(err)
	}
	c.write(path, string(data)+text)
}
