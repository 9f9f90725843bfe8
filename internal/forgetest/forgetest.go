// Package forgetest gives tests a real forge: gitolite behind HTTP with passwords, rights for
// each user, and real pushes; and git's own HTTP server without rights.
//
// Call [StartGitolite], or [Serve] for a folder of bare repositories. Nothing is installed: a
// test is skipped, with a word, where gitolite is missing.
package forgetest

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Environ is an environment for git that nothing of the host reaches.
func Environ(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "HOME=" + home,
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=ann", "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
}

// Git runs git in a folder and returns what it prints, trimmed. A failure ends the test.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := TryGit(t, dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// TryGit is [Git] for a command that may fail.
func TryGit(t testing.TB, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, Environ(t.TempDir())
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// Work makes a repository with a working tree, on branch main, in a new folder.
func Work(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	Git(t, dir, "init", "-q", "-b", "main")
	return dir
}

// Bare makes a bare repository that serves partial clones, and returns its folder.
func Bare(t testing.TB, root, name string) string {
	t.Helper()
	dir := filepath.Join(root, name)
	Git(t, root, "init", "-q", "--bare", "-b", "main", dir)
	serveAll(t, dir)
	return dir
}

func serveAll(t testing.TB, dir string) {
	t.Helper()
	Git(t, dir, "config", "uploadpack.allowFilter", "true")
	Git(t, dir, "config", "uploadpack.allowAnySHA1InWant", "true")
}

// Commit writes files and deletes those that are "", commits all of it, and returns the commit.
func Commit(t testing.TB, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if text == "" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
	Git(t, dir, "add", "-A")
	Git(t, dir, "commit", "-q", "--allow-empty", "-m", "change")
	return Git(t, dir, "rev-parse", "HEAD")
}

// Serve serves the bare repositories below root over HTTP to everyone, with git's own server.
// Each request passes through before first, which answers it by itself if it returns true.
func Serve(t testing.TB, root string, before func(http.ResponseWriter, *http.Request) bool) *httptest.Server {
	t.Helper()
	backend := filepath.Join(Git(t, root, "--exec-path"), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip("git-http-backend is missing: it comes with git on most systems")
	}
	handler := &cgi.Handler{
		Path: backend, Env: append(Environ(root), "GIT_PROJECT_ROOT="+root, "GIT_HTTP_EXPORT_ALL=1"),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before == nil || !before(w, r) {
			handler.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// Gitolite is a running gitolite.
type Gitolite struct {
	URL string // of its HTTP server

	home string
}

// Password is that of a user of [Gitolite].
func Password(user string) string { return user + "-password" }

// StartGitolite starts a gitolite without repositories. It runs as whoever runs the test.
func StartGitolite(t testing.TB) *Gitolite {
	t.Helper()
	if _, err := exec.LookPath("gitolite"); err != nil {
		t.Skip("gitolite is missing: install the package gitolite3 to test with a real forge")
	}
	g := &Gitolite{home: t.TempDir()}
	g.run(t, "setup", "-a", "admin")
	shell := filepath.Join(g.run(t, "query-rc", "GL_BINDIR"), "gitolite-shell")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if user == "" || password != Password(user) {
			w.Header().Set("WWW-Authenticate", `Basic realm="gitolite"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler := &cgi.Handler{Path: shell, Env: append(g.environ(),
			"GITOLITE_HTTP_HOME="+g.home, "GIT_PROJECT_ROOT="+filepath.Join(g.home, "repositories"),
			"GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER="+user, "REQUEST_URI="+r.RequestURI)}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	g.URL = server.URL
	return g
}

func (g *Gitolite) environ() []string { return Environ(g.home) }

func (g *Gitolite) run(t testing.TB, args ...string) string {
	t.Helper()
	cmd := exec.Command("gitolite", args...)
	cmd.Env, cmd.Dir = g.environ(), g.home
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("gitolite %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

// Rights sets who may do what, by repository: lines such as "RW+ = alice" and "R = bob".
// Repositories that are not there yet are made.
func (g *Gitolite) Rights(t testing.TB, rights map[string][]string) {
	t.Helper()
	var conf strings.Builder
	for repo, lines := range rights {
		fmt.Fprintf(&conf, "repo %s\n    %s\n", repo, strings.Join(lines, "\n    "))
	}
	file := filepath.Join(g.home, ".gitolite", "conf", "gitolite.conf")
	if err := os.WriteFile(file, []byte(conf.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	g.run(t, "compile")
	for repo := range rights {
		Git(t, g.folder(repo), "symbolic-ref", "HEAD", "refs/heads/main")
		serveAll(t, g.folder(repo))
	}
}

func (g *Gitolite) folder(repo string) string {
	return filepath.Join(g.home, "repositories", repo+".git")
}

// Address is where git finds a repository.
func (g *Gitolite) Address(repo string) string { return g.URL + "/" + repo + ".git" }

// AddressOf is [Gitolite.Address] with the name and password of a user, to push to.
func (g *Gitolite) AddressOf(user, repo string) string {
	return strings.Replace(g.Address(repo), "://", "://"+user+":"+Password(user)+"@", 1)
}

// Hook has each push to a repository send a webhook to an address, signed with a secret.
func (g *Gitolite) Hook(t testing.TB, repo, url, secret string) {
	t.Helper()
	for _, tool := range []string{"curl", "openssl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is missing: the hook of this test calls it")
		}
	}
	script := fmt.Sprintf(`#!/bin/sh
body='{"repository":{"name":"%s"}}'
sum=$(printf %%s "$body" | openssl dgst -sha256 -hmac '%s' | sed 's/.* //')
exec curl -sS -H "X-Cortex-Signature: sha256=$sum" --data-binary "$body" '%s'
`, repo, secret, url)
	file := filepath.Join(g.folder(repo), "hooks", "post-receive")
	if err := os.WriteFile(file, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
}
