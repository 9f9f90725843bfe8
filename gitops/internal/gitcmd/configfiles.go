package gitcmd

import (
	"path/filepath"
	"slices"
	"strings"
)

// ConfigIncludes reports whether the configuration in an environment includes files,
// which are not among [ConfigFiles].
func ConfigIncludes(environ []string) bool {
	return slices.ContainsFunc(environ, func(v string) bool {
		name, key, _ := strings.Cut(v, "=")
		return strings.HasPrefix(name, "GIT_CONFIG_KEY_") && strings.HasPrefix(strings.ToLower(key), "include")
	})
}

// ConfigFiles are the files in which git looks for the configuration of a
// repository in an environment. They need not be there, and may include others.
func ConfigFiles(gitDir, commonDir string, environ []string) []string {
	home, config := LookupEnv(environ, "HOME"), LookupEnv(environ, "XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	files := []string{
		filepath.Join(commonDir, "config"), filepath.Join(gitDir, "config.worktree"),
		filepath.Join(home, ".gitconfig"), filepath.Join(config, "git", "config"), "/etc/gitconfig",
	}
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
		if f := LookupEnv(environ, name); f != "" {
			files = append(files, f)
		}
	}
	return files
}
