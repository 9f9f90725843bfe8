package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/internal/forgetest"
)

// TestLogin: a login that the hub accepts is kept by git, and the hub is named for cortex; any other is not.
func TestLogin(t *testing.T) {
	s := newScene(t)
	keep := filepath.Join(s.store, "passwords")
	s.file(t, "gitconfig", fmt.Sprintf("[credential]\n\thelper = store --file=%s\n", filepath.ToSlash(keep)))
	config := filepath.Join(s.store, "gitconfig")
	s.environ = append(forgetest.Environ(t.TempDir()), "GIT_CONFIG_GLOBAL="+config)
	knows := func(user, password string) {
		s.file(t, "passwords", strings.Replace(s.web.URL, "://", "://"+user+":"+password+"@", 1)+"\n")
	}
	knows("alice", "wrong")
	s.do(t, 1, "login", s.web.URL)
	if said := s.wrote.String(); !strings.Contains(said, "does not accept your password") {
		t.Errorf("a wrong password: %s", said)
	}
	if got, err := forgetest.TryGit(t, s.store, "config", "--file", config, "cortex.hub.url"); err == nil {
		t.Errorf("after a wrong password the hub is %s", got)
	}
	knows("alice", "pw-alice")
	s.do(t, 0, "login", s.web.URL)
	if got := forgetest.Git(t, s.store, "config", "--file", config, "cortex.hub.url"); got != s.web.URL {
		t.Errorf("the hub is %s, not %s", got, s.web.URL)
	}
	if said := s.wrote.String(); !strings.Contains(said, "lets you read 2 repositories") {
		t.Errorf("a right password: %s", said)
	}
	s.do(t, 0, "login") // at the same hub again
	s.do(t, 1, "login", "http://hub.example.org")
	s.do(t, 2, "login", "a", "b")
}
