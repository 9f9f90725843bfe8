// Package settings shows the settings of a clone, each with where its value comes from, and
// changes them.
//
// Call [List] for all of them, [Find] for one, and [Change.Make] to give one a value. The
// settings of the team are in .cortex/config.yaml, which only holds what differs from the
// defaults; the user's own are in git's configuration. The table of both is keys.tsv, from
// which docs/settings.md is written.
package settings

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/policy"
)

//go:embed keys.tsv
var table string

// Where a setting is kept.
const (
	Team = "team" // .cortex/config.yaml
	Git  = "git"  // git's configuration, at any level
	User = "user" // git's configuration of the user and of the machine alone
)

// Setting is a setting, with its value in a clone.
type Setting struct {
	Key   string `json:"key"`
	Where string `json:"where"` // team, git or user: where it is kept
	Value string `json:"value"` // "" where nothing sets it and the default is no value
	// default, team, or git's word for the level: system, global, local, worktree, command
	From    string `json:"from"`
	Values  string `json:"values"`  // what it may be
	Default string `json:"default"` // in words where it is no value
	About   string `json:"about"`

	many    bool   // it may stand more than once
	pattern string // of a value in git's configuration
}

// Set reports whether anything sets it.
func (s *Setting) Set() bool { return s.From != "default" }

// Source says in words where the value comes from.
func (s *Setting) Source() string {
	named := map[string]string{"default": "the default", Team: workspace.ConfigPath}
	return cmp.Or(named[s.From], "git's configuration, "+s.From)
}

// isTable reports whether it has entries with names of their own.
func (s *Setting) isTable() bool { return s.Where == Team && strings.Contains(s.Values, ": ") }

// Errors of this package.
var (
	ErrUnknown = errors.New("unknown setting")
	ErrAgent   = errors.New("settings are changed by people alone: an agent may read them")
)

// Keys are all settings, in the order of the documentation, without values.
func Keys() []Setting {
	plain := regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`).ReplaceAllString(table, "$1")
	rows := lists.Where(strings.Split(strings.TrimSpace(plain), "\n"), func(line string) bool {
		return !strings.HasPrefix(line, "#")
	})
	return lists.Map(rows, func(row string) Setting {
		cells := strings.Split(row, "\t")
		return Setting{
			Where: cells[0],
			Key:   cells[1], Values: cells[2], Default: cells[3],
			many:    cells[4] == "many",
			pattern: cells[5],
			About:   cells[6],
			From:    "default",
		}
	})
}

// Names are the keys of all settings.
func Names() []string { return lists.Map(Keys(), func(s Setting) string { return s.Key }) }

// List is every setting with its value. Where the team's file cannot be used, the defaults hold.
func List(ctx context.Context, w *workspace.Workspace) ([]Setting, error) {
	config, err := w.Repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	ours := config.Settings("cortex.")
	standard, now := policy.Values(policy.Written(policy.Default())), policy.Values(policy.Written(w.Config))
	out := Keys()
	for i := range out {
		s := &out[i]
		if s.Where == Team {
			s.setBy(entries(standard, s.Key), s.From)
			s.setBy(entries(now, s.Key), Team)
		}
		for _, line := range lists.Where(ours, s.isLine) {
			s.setBy(line.Value, line.Scope)
		}
	}
	return out, nil
}

// setBy gives a setting another value.
func (s *Setting) setBy(value, from string) {
	if value != s.Value {
		s.Value, s.From = value, from
	}
}

// isLine reports whether a line of git's configuration sets it.
func (s *Setting) isLine(line gitops.Setting) bool {
	if s.Where == User && slices.Contains([]string{"local", "worktree"}, line.Scope) {
		return false
	}
	return strings.EqualFold(line.Key, s.Key)
}

// entries is the value of a key, or of a table "name: value, …" in the order of the names.
func entries(values map[string]string, key string) string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if rest, ok := strings.CutPrefix(name, key+"."); ok {
			found = append(found, rest+": "+values[name])
		}
	}
	return cmp.Or(values[key], strings.Join(found, ", "))
}

// near says which key was probably meant: one that begins so, or that is spelled nearly so; "" for none.
func near(key string) string {
	begins := lists.Where(Names(), func(name string) bool { return strings.HasPrefix(name, key) })
	meant := append(begins, workspace.Nearest(key, Names()))[0]
	if meant == "" {
		return ""
	}
	return fmt.Sprintf(": did you mean %s?", meant)
}

// Find is one setting, by its key in any case, or the table that key names an entry of.
func Find(ctx context.Context, w *workspace.Workspace, key string) (Setting, error) {
	all, err := List(ctx, w)
	i := slices.IndexFunc(all, func(s Setting) bool {
		return strings.EqualFold(s.Key, key) || s.isTable() && strings.HasPrefix(key, s.Key+".")
	})
	if i < 0 {
		return Setting{}, cmp.Or(err, fmt.Errorf("%w %q%s", ErrUnknown, key, near(key)))
	}
	return all[i], err
}

// Change is a setting that is to have another value, or with Unset none.
type Change struct {
	Key, Value    string
	Unset, Global bool // Global: one of git's configuration everywhere for the user, not in this clone
}

// Make makes a change, and returns the setting as it is then.
func (c *Change) Make(ctx context.Context, w *workspace.Workspace) (Setting, error) {
	if w.ByAgent() {
		return Setting{}, ErrAgent
	}
	s, err := Find(ctx, w, c.Key)
	switch {
	case err != nil:
		return s, err
	case s.Where == Team:
		c.Key = s.Key + c.Key[len(s.Key):] // as the file has it, and an entry behind it
		err = c.inTeam(w)
	default:
		err = c.inGit(ctx, w, &s)
	}
	if err == nil {
		w, err = w.Refresh(ctx)
	}
	if err != nil {
		return s, err
	}
	return Find(ctx, w, c.Key)
}

// inTeam writes into config.yaml of the working tree, which goes with its last setting.
func (c *Change) inTeam(w *workspace.Workspace) error {
	tree, err := w.Tree()
	if err != nil {
		return err
	}
	data, _, err := tree.Read(workspace.ConfigPath)
	if err != nil {
		return err
	}
	if data, err = policy.Edited(data, c.Key, c.Value, c.Unset); err != nil {
		return err
	}
	if data == nil {
		return tree.Remove(workspace.ConfigPath, ".")
	}
	_, err = tree.Write(workspace.ConfigPath, data)
	return err
}

// inGit writes into git's configuration.
func (c *Change) inGit(ctx context.Context, w *workspace.Workspace, s *Setting) error {
	level, how := "local", "--replace-all"
	if c.Global || s.Where == User {
		level = "global"
	}
	if s.many {
		how = "--add"
	}
	call := []string{"config", "--" + level, how, s.Key, c.Value}
	switch {
	case c.Unset && s.From != level:
		return fmt.Errorf("%s is not set in git's configuration, %s: its value comes from %s", s.Key, level, s.Source())
	case c.Unset:
		call = []string{"config", "--" + level, "--unset-all", s.Key}
	case !regexp.MustCompile("^(?s:" + s.pattern + ")$").MatchString(c.Value):
		return fmt.Errorf("%s: %q is not %s", s.Key, c.Value, s.Values)
	}
	_, err := w.Repo.AsUser(ctx, call...)
	return err
}
