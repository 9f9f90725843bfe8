package gitcmd

import (
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
)

// Config holds the values that cortex reads from the user's git configuration: cortex.*,
// merge.cortex-*.*, hook.cortex-*.*, core.hooksPath, core.ignoreCase, core.precomposeUnicode, user.name,
// user.email and remote.*.url, from all scopes. Keys are as git prints them, section and variable in lower case.
type Config struct{ settings []Setting }

// Setting is one line of configuration. Scope is git's word for where it
// stands: system, global, local, worktree or command.
type Setting struct{ Scope, Key, Value string }

// Config reads the configuration that is in force, or with "--file" and a path that
// file alone.
func (g *Runner) Config(ctx context.Context, file ...string) (*Config, error) {
	out, err := g.ConfigLines(ctx, file...)
	if err != nil {
		return nil, err
	}
	return ParseConfig(out), nil
}

// ConfigArgs are the arguments by which [Runner.ConfigLines] asks git.
func ConfigArgs(file ...string) []string {
	return append(append([]string{"config"}, file...),
		"--show-scope", "-z", "--get-regexp",
		`^(cortex\.|merge\.cortex-|hook\.(cortex-|pre-commit\.|post-commit\.)|`+
			`core\.(hookspath|ignorecase|precomposeunicode)$|user\.(name|email)$|remote\..*\.url$)`,
	)
}

// ConfigLines is the configuration as git prints it, for [ParseConfig].
func (g *Runner) ConfigLines(ctx context.Context, file ...string) ([]byte, error) {
	// 1: nothing matches
	return g.Run(ctx, Command{Doing: "reading git's configuration", Args: ConfigArgs(file...), None: []int{1}})
}

// ParseConfig reads what [Runner.ConfigLines] returned.
func ParseConfig(out []byte) *Config {
	c := new(Config)
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, has := strings.Cut(fields[i+1], "\n")
		if !has {
			value = "true" // a bare key
		}
		c.settings = append(c.settings, Setting{fields[i], key, value})
	}
	return c
}

// Value is the effective value of key: the last one set; "" when unset.
func (c *Config) Value(key string) string {
	return c.last(key, func(Setting) bool { return true })
}

// Values are all values of key, in the order of git.
func (c *Config) Values(key string) []string {
	var found []string
	for _, s := range c.settings {
		if s.Key == key {
			found = append(found, s.Value)
		}
	}
	return found
}

// LocalValue is like Value, but ignores what is set outside this repository.
func (c *Config) LocalValue(key string) string {
	return c.last(key, func(s Setting) bool { return slices.Contains([]string{"local", "worktree"}, s.Scope) })
}

func (c *Config) last(key string, want func(Setting) bool) string {
	for _, s := range slices.Backward(c.settings) {
		if s.Key == key && want(s) {
			return s.Value
		}
	}
	return ""
}

// Bool reads key as git does: true, yes, on, a number but 0, and a bare key
// are true.
func (c *Config) Bool(key string) bool {
	switch strings.ToLower(c.Value(key)) {
	case "", "false", "no", "off", "0":
		return false
	}
	return true
}

// Settings are all lines whose key starts with prefix, in the order of git.
func (c *Config) Settings(prefix string) []Setting {
	found := lists.Where(c.settings, func(s Setting) bool { return strings.HasPrefix(s.Key, prefix) })
	return found
}

// User is the committer as configured; either may be "".
func (c *Config) User() (name, mail string) { return c.Value("user.name"), c.Value("user.email") }

// Remotes are the names of the remotes that have a URL, sorted.
func (c *Config) Remotes() []string {
	names := lists.Map(c.Settings("remote."), func(s Setting) string {
		return strings.TrimSuffix(strings.TrimPrefix(s.Key, "remote."), ".url")
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// Hosted are the remotes that are reached over a network, where branches may
// be merged by a server that knows nothing of this clone's merge drivers. A
// folder or a bundle on this machine is none.
func (c *Config) Hosted() []string {
	var names []string
	for _, s := range c.Settings("remote.") {
		if isHosted(s.Value) {
			names = append(names, strings.TrimSuffix(strings.TrimPrefix(s.Key, "remote."), ".url"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// isHosted reads a URL as git does: "scheme://…", or "host:path" with no slash
// before the colon; what is left is a path. "C:\x" and "C:/x" are paths.
func isHosted(url string) bool {
	if scheme, _, ok := strings.Cut(url, "://"); ok {
		return scheme != "file" && !strings.Contains(scheme, "/")
	}
	host, _, ok := strings.Cut(url, ":")
	return ok && len(host) > 1 && !strings.ContainsAny(host, `/\`)
}
