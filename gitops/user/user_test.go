package user_test

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops/user"
	"github.com/git-cortex/cortex/internal/forgetest"
)

// open returns git with a home of its own, whose configuration has this text.
func open(t *testing.T, text string, more ...string) *user.Git {
	t.Helper()
	home := t.TempDir()
	file := filepath.Join(home, "gitconfig")
	text += "[credential]\n\thelper = store --file=" + filepath.ToSlash(home) + "/passwords\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	environ := append(forgetest.Environ(home), "GIT_CONFIG_GLOBAL="+file)
	g, err := user.Open(append(environ, more...))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestNoRepository: the settings of a repository are nobody's, also in its folder.
func TestNoRepository(t *testing.T) {
	dir := forgetest.Work(t)
	forgetest.Git(t, dir, "config", "cortex.hub.url", "https://evil.example.org")
	forgetest.Git(t, dir, "config", "cortex.hub.forge", "evil")
	t.Chdir(dir)
	want := map[string]string{"cortex.hub.url": "https://hub.example.org"}
	g := open(t, "[cortex \"hub\"]\n\turl = https://hub.example.org\n", "GIT_DIR="+filepath.Join(dir, ".git"))
	got, err := g.Settings(t.Context(), "cortex.hub.")
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	g = open(t, "", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=cortex.hub.url", "GIT_CONFIG_VALUE_0=https://hub.example.org")
	got, err = g.Settings(t.Context(), "cortex.hub.")
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestSet(t *testing.T) {
	g := open(t, "")
	if err := g.Set(t.Context(), "cortex.hub.url", "https://hub.example.org"); err != nil {
		t.Fatal(err)
	}
	got, err := g.Settings(t.Context(), "cortex.hub.")
	if err != nil || got["cortex.hub.url"] != "https://hub.example.org" {
		t.Error(got, err)
	}
}

func TestLogin(t *testing.T) {
	g, at := open(t, ""), &url.URL{Scheme: "https", Host: "hub.example.org:7420"}
	if l, err := g.Login(t.Context(), at, false); !errors.Is(err, user.ErrNoLogin) {
		t.Errorf("before: %v, %v", l, err)
	}
	alice := user.Login{User: "alice", Secret: "pw=alice"}
	if err := g.Approve(t.Context(), at, alice); err != nil {
		t.Fatal(err)
	}
	got, err := g.Login(t.Context(), at, false)
	if diff := cmp.Diff(alice, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	other := &url.URL{Scheme: "https", Host: "hub.example.org"}
	if l, err := g.Login(t.Context(), other, false); !errors.Is(err, user.ErrNoLogin) {
		t.Errorf("another port: %v, %v", l, err)
	}
	if err := g.Reject(t.Context(), at, alice); err != nil {
		t.Fatal(err)
	}
	if l, err := g.Login(t.Context(), at, false); !errors.Is(err, user.ErrNoLogin) {
		t.Errorf("after: %v, %v", l, err)
	}
}
