package gitops

import "context"

// Config is what cortex reads of the user's git configuration: cortex.*,
// merge.cortex-*.*, user.name, user.email and remote.*.url, all scopes. Keys
// are as git prints them, section and variable in lower case.
type Config struct {
	settings []Setting
}

// Setting is one line of configuration. Scope is git's word for where it
// stands: system, global, local, worktree or command.
type Setting struct{ Scope, Key, Value string }

// Config reads the configuration with one git process.
func (r *Repo) Config(ctx context.Context) (*Config, error) { panic("TODO") }

// Value is the effective value of key: the last one set; "" when unset.
func (c *Config) Value(key string) string { panic("TODO") }

// LocalValue is like Value, but ignores what is set outside this repository.
func (c *Config) LocalValue(key string) string { panic("TODO") }

// Bool reads key as git does: true, yes, on, 1 and a bare key are true.
func (c *Config) Bool(key string) bool { panic("TODO") }

// Settings are all lines whose key starts with prefix, in the order of git.
func (c *Config) Settings(prefix string) []Setting { panic("TODO") }

// User is the committer as configured; either may be "".
func (c *Config) User() (name, mail string) { panic("TODO") }

// Remotes are the names of the remotes that have a URL, sorted.
func (c *Config) Remotes() []string { panic("TODO") }

// SetConfig sets key in the repository's own configuration (shared by its worktrees).
func (r *Repo) SetConfig(ctx context.Context, key, value string) error { panic("TODO") }

// UnsetConfig removes every value of key from the repository's own
// configuration. An unset key is fine.
func (r *Repo) UnsetConfig(ctx context.Context, key string) error { panic("TODO") }

// UnsetSection removes a whole section, such as "cortex", from the
// repository's own configuration. An absent section is fine.
func (r *Repo) UnsetSection(ctx context.Context, section string) error { panic("TODO") }
