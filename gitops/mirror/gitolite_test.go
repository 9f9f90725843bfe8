package mirror

import (
	"errors"
	"testing"

	"github.com/git-cortex/cortex/internal/forgetest"

	"github.com/google/go-cmp/cmp"
)

// TestGitolite: a forge with rights of its own says who may read, and what is pushed to it by
// whom it lets is what a fetch brings.
func TestGitolite(t *testing.T) {
	g := forgetest.StartGitolite(t)
	rights := map[string][]string{
		"one": {"RW+ = alice", "R = bob hub"}, "two": {"RW+ = alice", "R = hub"},
	}
	g.Rights(t, rights)
	m := open(t, Options{Credential: func(string) Credential { return Credential{"hub", forgetest.Password("hub")} }})
	work := forgetest.Work(t)
	tips := map[string]string{}
	for _, repo := range []string{"one", "two"} {
		tips[repo] = forgetest.Commit(t, work, map[string]string{Folder + "/a.md": "a of " + repo})
		forgetest.Git(t, work, "push", "-q", g.AddressOf("alice", repo), "HEAD")
	}
	if out, err := forgetest.TryGit(t, work, "push", g.AddressOf("bob", "one"), "HEAD:refs/heads/bob"); err == nil {
		t.Errorf("bob may push: %s", out)
	}

	mayRead := func(user, password, repo string) error {
		t.Helper()
		tip, err := m.LsRemote(t.Context(), g.Address(repo), Credential{user, password})
		if err == nil && tip.OID != tips[repo] {
			t.Errorf("%s is told of %v in %s", user, tip, repo)
		}
		return err
	}
	for _, c := range []struct {
		user, repo string
		want       error
	}{
		{"alice", "one", nil},
		{"alice", "two", nil},
		{"bob", "one", nil},
		{"bob", "two", ErrDenied},
		{"eve", "one", ErrDenied},
		{"eve", "two", ErrDenied},
		{"alice", "absent", ErrDenied},
	} {
		if err := mayRead(c.user, forgetest.Password(c.user), c.repo); !errors.Is(err, c.want) {
			t.Errorf("%s reads %s: %v, want %v", c.user, c.repo, err, c.want)
		}
	}
	for _, user := range []string{"alice", ""} {
		if err := mayRead(user, "wrong", "one"); !errors.Is(err, ErrDenied) {
			t.Errorf("with a wrong password: %v", err)
		}
	}

	repo := add(t, m, g.Address("one"))
	first := fetch(t, m, repo)
	all := changes(t, m, repo, "", first.OID)
	if missing, err := m.missing(t.Context(), repo, []string{all.Files[0].New}); err != nil || len(missing) != 1 {
		t.Errorf("blobs were fetched before they were read: %v", err)
	}
	if got := read(t, m, repo, all); got[Folder+"/a.md"] != "a of one" {
		t.Errorf("%v", got)
	}
	tips["one"] = forgetest.Commit(t, work, map[string]string{Folder + "/a.md": "", Folder + "/b.md": "b"})
	forgetest.Git(t, work, "push", "-q", g.AddressOf("alice", "one"), "HEAD")
	second := fetch(t, m, repo)
	if diff := cmp.Diff([]string{"-a.md", "+b.md"}, kinds(changes(t, m, repo, first.OID, second.OID))); diff != "" {
		t.Error(diff)
	}

	rights["one"] = []string{"RW+ = alice"}
	g.Rights(t, rights)
	if err := mayRead("bob", forgetest.Password("bob"), "one"); !errors.Is(err, ErrDenied) {
		t.Errorf("a right that was taken away: %v", err)
	}
	if _, err := m.Fetch(t.Context(), repo); !errors.Is(err, ErrDenied) {
		t.Errorf("the hub itself may not read any more: %v", err)
	}
	if got := changes(t, m, repo, "", second.OID); len(got.Files) != 1 {
		t.Errorf("what was known is gone: %v", got)
	}
}
