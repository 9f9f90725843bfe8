package gitcmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// ErrNoGit is a system without git.
var ErrNoGit = errors.New("git is not installed or not on PATH")

// Find resolves the git binary to an absolute path: named if that is given, else
// the first in the PATH of env. Relative entries of PATH are passed over, so that a
// repository cannot plant a git of its own.
func Find(env []string, named string) (string, error) {
	if named != "" {
		if !usable(named) {
			return "", fmt.Errorf("%w: %s", ErrNoGit, named)
		}
		return named, nil
	}
	name := "git"
	if runtime.GOOS == "windows" {
		name = "git.exe"
	}
	for _, dir := range filepath.SplitList(LookupEnv(env, "PATH")) {
		if path := filepath.Join(dir, name); usable(path) {
			return path, nil
		}
	}
	return "", ErrNoGit
}

func usable(path string) bool { return filepath.IsAbs(path) && Executable(path) }

// Executable reports whether path is a file that can be run.
func Executable(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return false
	}
	return runtime.GOOS == "windows" || info.Mode()&0o111 != 0
}

// Exists reports whether something, also a link that leads nowhere, is at a path.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// LookupEnv returns the value of name, "" when unset. As in exec, the last wins.
func LookupEnv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		key, value, _ := strings.Cut(env[i], "=")
		if key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

// Env is the environment of git children: the caller's, without what leads
// to another repository or changes what git prints, and with our own rules.
func Env(env []string, hook bool) []string {
	kept := make([]string, 0, len(env)+8)
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if !scrubbed(name, hook) {
			kept = append(kept, kv)
		}
	}
	return append(kept,
		"LC_ALL=C",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", // git before 2.44 knows no GIT_NO_LAZY_FETCH
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_PAGER=cat",
	)
}

// scrubbed follows `git rev-parse --local-env-vars`, and adds tracing, which
// would end up in our error messages.
func scrubbed(name string, hook bool) bool {
	if !strings.HasPrefix(name, "GIT_") {
		return ofWording(name)
	}
	if slices.Contains(handedToHooks(), name) {
		return !hook
	}
	settings := strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
	return !settings && !slices.Contains(ofUser(), name)
}

// ofWording reports whether a variable changes the words of git, or says where it runs.
func ofWording(name string) bool {
	return slices.Contains([]string{"LC_ALL", "LANGUAGE", "PWD", "OLDPWD"}, name)
}

// handedToHooks are variables by which git tells a hook where it runs.
func handedToHooks() []string {
	return []string{
		"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_CONFIG_PARAMETERS",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	}
}

// Usual is an environment of git without what says nothing of where the repository is, nor of its
// configuration; not ok if something in it does, such as GIT_DIR in a hook of a linked worktree.
func Usual(environ []string) (usual []string, ok bool) {
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		if name == "GIT_INDEX_FILE" || strings.HasPrefix(name, "GIT_AUTHOR_") {
			continue
		}
		if slices.Contains(handedToHooks(), name) {
			return nil, false
		}
		usual = append(usual, v)
	}
	return usual, true
}

// ofUser are variables of git that a user sets for all repositories.
func ofUser() []string {
	return []string{
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT",
		"GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL",
		"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
		"GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_SSL_CAINFO", "GIT_PROXY_COMMAND",
	}
}

// Committer is the environment that names the writer of a ref or a commit, "Name <mail>", so
// that git looks up nothing.
func Committer(ident string) []string {
	name, mail, _ := strings.Cut(ident, " <")
	return []string{"GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + strings.TrimSuffix(mail, ">")}
}

// Inside is a run of git in a git directory itself, which it names: a user's
// safe.bareRepository may forbid git to find one there by itself.
func Inside(gitDir, ident string, args []string) Command {
	return Command{Args: args, Dir: gitDir, Env: append(Committer(ident), "GIT_DIR="+gitDir)}
}

// Quote makes s one word of a POSIX shell.
func Quote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
