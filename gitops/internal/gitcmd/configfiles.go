package gitcmd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ConfigState returns what the configuration of a repository depends on in an environment: the
// contents of the files in which git looks for it, and of more, and the variables that matter to
// git. ok is false where git may look at something else: a file or the environment includes
// others, or one cannot be read.
func ConfigState(gitDir, commonDir string, environ []string, more ...string) (state string, ok bool) {
	env, ok := envState(environ)
	own := []string{filepath.Join(commonDir, "config"), filepath.Join(gitDir, "config.worktree")}
	files, whole := filesState(slices.Concat(own, userFiles(environ), more))
	return env + files, ok && whole
}

// UserConfigState is [ConfigState] of the user and the machine alone, outside of any repository.
func UserConfigState(environ []string) (state string, ok bool) {
	env, ok := envState(environ)
	files, whole := filesState(userFiles(environ))
	return env + files, ok && whole && LookupEnv(environ, "HOME") != ""
}

// envState returns the variables that matter to git; not ok if one includes a file.
func envState(environ []string) (state string, ok bool) {
	ok = true
	for _, v := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "GIT_") || slices.Contains([]string{"HOME", "XDG_CONFIG_HOME"}, name) {
			state += fmt.Sprintf("%q\n", v)
		}
		ok = ok && !isInclude(name, value)
	}
	return state, ok
}

// isInclude reports whether a variable has git read its configuration from another file too.
func isInclude(name, value string) bool {
	return strings.HasPrefix(name, "GIT_CONFIG_KEY_") && strings.HasPrefix(strings.ToLower(value), "include")
}

// filesState returns the contents of files; not ok if one includes another, or cannot be read.
func filesState(names []string) (state string, ok bool) {
	ok = true
	for _, name := range names {
		data, err := os.ReadFile(name)
		state += fmt.Sprintf("%q %v\n", data, err != nil)
		unread := err != nil && !errors.Is(err, fs.ErrNotExist)
		if unread || bytes.Contains(bytes.ToLower(data), []byte("[include")) {
			ok = false
		}
	}
	return state, ok
}

// userFiles are the files in which git looks for the configuration of the user and the machine in an
// environment. They need not be there, and may include others.
func userFiles(environ []string) []string {
	home, config := LookupEnv(environ, "HOME"), LookupEnv(environ, "XDG_CONFIG_HOME")
	config = cmp.Or(config, filepath.Join(home, ".config"))
	files := []string{
		filepath.Join(home, ".gitconfig"), filepath.Join(config, "git", "config"), "/etc/gitconfig",
	}
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
		if f := LookupEnv(environ, name); f != "" {
			files = append(files, f)
		}
	}
	return files
}
