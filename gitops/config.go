package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Config is what cortex reads of the user's git configuration: cortex.*,
// merge.cortex-*.*, hook.cortex-*.*, core.hooksPath, user.name, user.email and remote.*.url,
// from all scopes. Keys are as git prints them, section and variable in lower case.
type Config struct{ settings []Setting }

// Setting is one line of configuration. Scope is git's word for where it
// stands: system, global, local, worktree or command.
type Setting struct{ Scope, Key, Value string }

// Config reads the configuration as it is now, with one git process.
func (r *Repo) Config(ctx context.Context) (*Config, error) { return r.git.config(ctx) }

// Settings is the configuration as it was when it was first read: for what does
// not change while the repository is open. A failure is not remembered.
func (r *Repo) Settings(ctx context.Context) (*Config, error) { return r.settings.read(ctx, r.git) }

// settings is a configuration that is read once.
type settings struct {
	mu     sync.Mutex
	config *Config
}

func (s *settings) read(ctx context.Context, git *runner) (*Config, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.config == nil {
		s.config, err = git.config(ctx)
	}
	return s.config, err
}

func (g *runner) config(ctx context.Context) (*Config, error) {
	out, err := g.run(ctx, command{args: []string{
		"config", "--show-scope", "-z", "--get-regexp",
		`^(cortex\.|merge\.cortex-|hook\.(cortex-|pre-commit\.|post-commit\.)|core\.hookspath$|user\.(name|email)$|remote\..*\.url$)`,
	}})
	if err != nil && exitCode(err) != 1 { // 1: nothing matches
		return nil, fmt.Errorf("reading git's configuration: %w", err)
	}
	c := new(Config)
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, has := strings.Cut(fields[i+1], "\n")
		if !has {
			value = "true" // a bare key
		}
		c.settings = append(c.settings, Setting{fields[i], key, value})
	}
	return c, nil
}

// Value is the effective value of key: the last one set; "" when unset.
func (c *Config) Value(key string) string {
	return c.last(key, func(Setting) bool { return true })
}

// LocalValue is like Value, but ignores what is set outside this repository.
func (c *Config) LocalValue(key string) string {
	return c.last(key, func(s Setting) bool { return s.Scope == "local" || s.Scope == "worktree" })
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
	var found []Setting
	for _, s := range c.settings {
		if strings.HasPrefix(s.Key, prefix) {
			found = append(found, s)
		}
	}
	return found
}

// User is the committer as configured; either may be "".
func (c *Config) User() (name, mail string) { return c.Value("user.name"), c.Value("user.email") }

// Remotes are the names of the remotes that have a URL, sorted.
func (c *Config) Remotes() []string {
	var names []string
	for _, s := range c.Settings("remote.") {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(s.Key, "remote."), ".url"))
	}
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

// LocalConfig writes the repository's own configuration, which its worktrees
// share. Reading is [Repo.Config]. It is for any number of goroutines.
type LocalConfig struct{ git *runner }

// LocalConfig returns the repository's own configuration. It costs nothing.
func (r *Repo) LocalConfig() LocalConfig { return LocalConfig{r.git} }

// Set gives key one value.
func (c LocalConfig) Set(ctx context.Context, key, value string) error {
	if err := c.write(ctx, "--replace-all", key, value); err != nil {
		return fmt.Errorf("setting %s: %w", key, err)
	}
	return nil
}

// Unset removes every value of key. An unset key is fine.
func (c LocalConfig) Unset(ctx context.Context, key string) error {
	err := c.write(ctx, "--unset-all", key)
	if err != nil && exitCode(err) != 5 { // 5: not set
		return fmt.Errorf("unsetting %s: %w", key, err)
	}
	return nil
}

// RemoveSection removes a whole section, such as "cortex". An absent one is fine.
func (c LocalConfig) RemoveSection(ctx context.Context, section string) error {
	err := c.write(ctx, "--remove-section", section)
	var ge *GitError
	if errors.As(err, &ge) && strings.Contains(strings.ToLower(ge.Stderr), "no such section") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("removing the section %s: %w", section, err)
	}
	return nil
}

// write runs git config. git does not wait for another that is writing the file,
// so this does.
func (c LocalConfig) write(ctx context.Context, args ...string) error {
	for try := 0; ; try++ {
		_, err := c.git.run(ctx, command{args: append([]string{"config", "--local"}, args...)})
		var ge *GitError
		if try == maxTries || !errors.As(err, &ge) || !strings.Contains(ge.Stderr, "could not lock config file") {
			return err
		}
		pause(ctx, time.Duration(1+try)*5*time.Millisecond)
	}
}

// ConfigMentions reports whether git's configuration may hold a word, in lower
// case, without the process that asking git costs: true as well where a file
// includes others, which only git can follow.
func (r *Repo) ConfigMentions(word string) bool {
	for _, name := range r.configFiles() {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		data = bytes.ToLower(data)
		if bytes.Contains(data, []byte(word)) || bytes.Contains(data, []byte("[include")) {
			return true
		}
	}
	return lookupEnv(r.git.environ, "GIT_CONFIG_COUNT") != ""
}

// configFiles are the files in which git looks for its configuration. They need
// not be there.
func (r *Repo) configFiles() []string {
	home, config := lookupEnv(r.git.environ, "HOME"), lookupEnv(r.git.environ, "XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	files := []string{
		filepath.Join(r.CommonDir, "config"), filepath.Join(r.GitDir, "config.worktree"),
		filepath.Join(home, ".gitconfig"), filepath.Join(config, "git", "config"), "/etc/gitconfig",
	}
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
		if f := lookupEnv(r.git.environ, name); f != "" {
			files = append(files, f)
		}
	}
	return files
}
