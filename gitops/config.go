package gitops

import (
	"context"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops/internal/gitcache"
	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// Config holds the values that cortex reads from the user's git configuration;
// Setting is one line of it.
type (
	Config  = gitcmd.Config
	Setting = gitcmd.Setting
)

// Config reads the configuration as it is now, with one git process.
func (r *Repo) Config(ctx context.Context) (*Config, error) { return r.git.Config(ctx) }

// Settings is the configuration as it was when it was first read: for what does
// not change while the repository is open. A failure is not remembered.
func (r *Repo) Settings(ctx context.Context) (*Config, error) {
	return r.settings.read(ctx, r.git, func() *gitcache.Answers { return knownOf(r) })
}

// settings is a configuration that is read once.
type settings struct {
	mu     sync.Mutex
	config *Config
}

func (s *settings) read(ctx context.Context, git *gitcmd.Runner, look func() *gitcache.Answers) (*Config, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.config != nil {
		return s.config, nil
	}
	before := look()
	lines, ok := before.Get(gitcache.Settings)
	if !ok {
		var err error
		if lines, err = git.ConfigLines(ctx); err != nil {
			return nil, err
		}
		before.Keep(gitcache.Settings, lines)
	}
	s.config = gitcmd.ParseConfig(lines)
	return s.config, nil
}

// ConfigMentions reports whether git's configuration may hold a word, in lower
// case, without the process that asking git costs: true as well where only git can tell.
func (r *Repo) ConfigMentions(word string) bool {
	state, ok := ConfigState(r.GitDir, r.CommonDir, r.git.Environ)
	return !ok || strings.Contains(strings.ToLower(state), word)
}

// ConfigState returns what the configuration of a repository depends on in an environment: the contents of the files in
// which git looks for it, and the variables that matter to git. ok is false where git may look at something else.
func ConfigState(gitDir, commonDir string, environ []string) (state string, ok bool) {
	return gitcmd.ConfigState(gitDir, commonDir, environ)
}
