package forge

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/git-cortex/cortex/gitops/mirror"
	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/internal/forgetest"

	"github.com/google/go-cmp/cmp"
)

// remote answers for each address with an error.
type remote map[string]error

func (r remote) LsRemote(_ context.Context, url string, _ mirror.Credential) (mirror.Tip, error) {
	return mirror.Tip{}, r[url]
}

func TestPlain(t *testing.T) {
	r := remote{
		"yes": nil, "empty": mirror.ErrEmpty, "denied": mirror.ErrDenied, "gone": mirror.ErrGone, "moved": mirror.ErrMoved,
		"ssh": mirror.ErrAddress, "user": mirror.ErrUnknownUser, "down": mirror.ErrUnreachable, "odd": errors.New("odd"),
	}
	p := NewPlain("p", r)
	for _, c := range []struct {
		ask, want []string
		err       error
	}{
		{[]string{"yes", "empty", "denied", "gone", "moved", "ssh"}, []string{"yes", "empty"}, nil},
		{[]string{"denied", "gone"}, nil, nil},
		{[]string{"user", "denied"}, nil, hub.ErrDenied},
		{[]string{"user", "yes"}, []string{"yes"}, nil},
		{[]string{"yes", "down"}, nil, ErrUnavailable},
		{[]string{"odd", "yes"}, nil, ErrUnavailable},
		{nil, nil, nil},
	} {
		ask := []hub.RepoRef{{Forge: "another", URL: "yes"}}
		for _, url := range c.ask {
			ask = append(ask, hub.RepoRef{Forge: "p", URL: url})
		}
		granted, _, err := p.Readable(t.Context(), hub.Credentials{}, ask)
		var got []string
		for _, g := range granted {
			got = append(got, g.URL)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || !errors.Is(err, c.err) {
			t.Errorf("%v: %v\n%s", c.ask, err, diff)
		}
	}
}

// TestGitolite: with a real forge a push sends a signed webhook that names its repository, and
// what each user may read is what the forge says, also after a right was taken away.
func TestGitolite(t *testing.T) {
	g := forgetest.StartGitolite(t)
	rights := map[string][]string{"one": {"RW+ = alice", "R = bob"}, "two": {"RW+ = alice"}}
	g.Rights(t, rights)
	m, err := mirror.Open(t.Context(), t.TempDir(), mirror.Options{
		Environ: forgetest.Environ(t.TempDir()), Protocols: []string{"http"},
	})
	if err != nil {
		t.Fatal(err)
	}
	const secret = "a secret of the hook"
	plain := NewPlain("p", m)
	events := make(chan hub.RepoRef, 8)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, MaxBody))
		if err != nil {
			t.Error(err)
		}
		ref, err := plain.Event(r.Header.Get, body, []byte(secret))
		if err != nil {
			t.Error(err)
		}
		if _, err := plain.Event(r.Header.Get, append(body, ' '), []byte(secret)); !errors.Is(err, hub.ErrForged) {
			t.Errorf("another body: %v", err)
		}
		events <- ref
	}))
	defer receiver.Close()
	g.Hook(t, "one", receiver.URL, secret)

	work := forgetest.Work(t)
	forgetest.Commit(t, work, map[string]string{mirror.Folder + "/a.md": "a"})
	for _, repo := range []string{"one", "two"} {
		forgetest.Git(t, work, "push", "-q", g.AddressOf("alice", repo), "HEAD")
	}
	if diff := cmp.Diff(hub.RepoRef{Forge: "p", Name: "one"}, <-events); diff != "" || len(events) != 0 {
		t.Errorf("%d more events\n%s", len(events), diff)
	}

	c := &clock{at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	cache := NewCache(plain, c.now)
	ask := []hub.RepoRef{
		{Forge: "p", Name: "one", URL: g.Address("one")},
		{Forge: "p", Name: "two", URL: g.Address("two")},
		{Forge: "p", Name: "absent", URL: g.Address("absent")},
	}
	reads := func(user, password, want string, wantErr error) {
		t.Helper()
		got, _, err := cache.Readable(t.Context(), hub.Credentials{User: user, Secret: password}, ask)
		if ids(got) != want || !errors.Is(err, wantErr) {
			t.Errorf("%s: %q, %v, want %q, %v", user, ids(got), err, want, wantErr)
		}
	}
	reads("alice", forgetest.Password("alice"), "one two ", nil)
	reads("bob", forgetest.Password("bob"), "one ", nil)
	reads("eve", forgetest.Password("eve"), "", nil)
	reads("alice", "wrong", "", hub.ErrDenied)
	rights["one"] = []string{"RW+ = alice"}
	g.Rights(t, rights)
	reads("bob", forgetest.Password("bob"), "one ", nil)
	c.at = c.at.Add(TTL)
	reads("bob", forgetest.Password("bob"), "", nil)
	reads("alice", forgetest.Password("alice"), "one two ", nil)
}
