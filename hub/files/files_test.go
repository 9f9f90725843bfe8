package files_test

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/hub/files"
	"github.com/git-cortex/cortex/hub/forge"
	"github.com/git-cortex/cortex/memory"
)

// branches is a mirror without git: the files of each repository at its newest commit and before.
type branches struct {
	at      map[string]string            // commit by address
	commits map[string]map[string]string // texts by commit and path
	held    string
	err     error
}

func (b *branches) Fetch(_ context.Context, url string) (string, string, error) {
	return "refs/heads/main", b.at[url], b.err
}

func (b *branches) Changes(_ context.Context, _, from, to string) ([]hub.Change, bool, error) {
	was, known := b.commits[from]
	var out []hub.Change
	for path, text := range b.commits[to] {
		if was[path] != text {
			out = append(out, hub.Change{Path: path, Blob: blobOf(text)})
		}
	}
	for path := range was {
		if _, ok := b.commits[to][path]; !ok {
			out = append(out, hub.Change{Path: path})
		}
	}
	return out, !known, b.err
}

func (b *branches) Read(_ context.Context, _ string, blobs []string, yield func(string, []byte) error) error {
	for _, files := range b.commits {
		for _, text := range files {
			if !slices.Contains(blobs, blobOf(text)) {
				continue
			}
			if err := yield(blobOf(text), []byte(text)); err != nil {
				return err
			}
		}
	}
	return b.err
}

func (b *branches) Hold(_ context.Context, _, oid string) error {
	b.held = oid
	return b.err
}

func (b *branches) Drop(context.Context, string) error { return nil }

func (b *branches) Authors(context.Context, string, string) (map[string][]string, error) {
	return nil, b.err
}

func (b *branches) Held(context.Context, string, []string) ([]string, error) { return nil, b.err }

func (b *branches) Keep(context.Context, string, string) error { return nil }

func blobOf(text string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
	return hex.EncodeToString(sum[:])
}

// push makes memories with these titles the content of a repository.
func (b *branches) push(name string, titles ...string) {
	held := map[string]string{}
	for _, title := range titles {
		m := memory.New(memory.Gotcha, title, "It was seen that "+title+" and what to do about it.",
			time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
		held[".cortex/memories/"+string(m.ID)+".md"] = string(memory.Format(m))
	}
	commit := fmt.Sprintf("%s-%d", name, len(b.commits)+1)
	b.commits[commit] = held
	b.at["https://forge.test/"+name] = commit
}

// people is a forge at which each secret reads some repositories.
type people struct {
	reads map[string][]string
	err   error
	asked int
}

func (p *people) Readable(_ context.Context, c hub.Credentials, ask []hub.RepoRef) ([]hub.RepoRef, string, error) {
	p.asked++
	names, ok := p.reads[c.Secret]
	if !ok {
		return nil, "", errors.Join(p.err, hub.ErrDenied)
	}
	var out []hub.RepoRef
	for _, ref := range ask {
		if slices.Contains(names, ref.Name) {
			out = append(out, ref)
		}
	}
	return out, "", p.err
}

func (p *people) Event(func(string) string, []byte, []byte) (hub.RepoRef, error) {
	return hub.RepoRef{}, hub.ErrForged
}

// failing is a store that does not learn what it is told to.
type failing struct {
	*files.Store
	fail func(r *hub.Repo) error
}

func (f *failing) Learn(ctx context.Context, r *hub.Repo, texts map[string][]byte) error {
	if f.fail != nil && f.fail(r) != nil {
		return f.fail(r)
	}
	return f.Store.Learn(ctx, r, texts)
}

// scene is a hub over three repositories, of which alice reads all and bob one.
type scene struct {
	*hub.Hub
	store  *failing
	mirror *branches
	forge  *people
	now    time.Time
	dir    string
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{
		mirror: &branches{at: map[string]string{}, commits: map[string]map[string]string{}},
		forge: &people{reads: map[string][]string{
			"alice": {"acme/web", "acme/api", "acme/secret"}, "bob": {"acme/web"}, "eve": {},
		}},
		now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
		dir: t.TempDir(),
	}
	s.mirror.push("acme/web", "the proxy drops large uploads", "tests need a running queue")
	s.mirror.push("acme/api", "the proxy drops large uploads", "the proxy caches errors for a minute")
	s.mirror.push("acme/secret", "the proxy password rotates on Mondays")
	s.open(t)
	for _, name := range []string{"acme/web", "acme/api", "acme/secret"} {
		if err := s.Add(hub.RepoRef{Forge: "test", Name: name, URL: "https://forge.test/" + name}); err != nil {
			t.Fatal(err)
		}
	}
	s.sweep(t)
	return s
}

// open opens the hub as a process that starts does.
func (s *scene) open(t *testing.T) {
	t.Helper()
	clock := func() time.Time { return s.now }
	store, err := files.Open(s.dir, s.mirror.Read, clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	s.store = &failing{Store: store}
	forges := map[string]hub.Forge{"test": forge.NewCache(s.forge, clock)}
	s.Hub, err = hub.Open(s.store, s.mirror, hub.Options{Forges: forges, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
}

func (s *scene) sweep(t *testing.T) {
	t.Helper()
	if err := s.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
}

func (s *scene) ask(secret, text string) (*hub.Answer, error) {
	c := hub.Caller{Forge: "test", Credentials: hub.Credentials{Secret: secret}}
	return s.Search(context.Background(), c, hub.Question{Text: text})
}

// found lists the hits of a caller: titles with the repositories that hold them, best first.
func (s *scene) found(t *testing.T, secret, text string) []string {
	t.Helper()
	a, err := s.ask(secret, text)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, f := range a.Found {
		line := f.Memory.Title
		for _, p := range f.Places {
			line += " @" + p.Repository
			if p.Stale {
				line += " stale"
			}
		}
		out = append(out, line)
	}
	return out
}

func (s *scene) want(t *testing.T, secret, text string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), s.found(t, secret, text)); diff != "" {
		t.Errorf("%s finds for %q (-want +got):\n%s", secret, text, diff)
	}
}

func TestCallersAreAnsweredFromWhatTheyMayRead(t *testing.T) {
	s := newScene(t)
	s.want(t, "bob", "proxy", "the proxy drops large uploads @acme/web")
	s.want(t, "eve", "proxy")
	if got := s.found(t, "alice", "proxy"); len(got) != 3 {
		t.Errorf("alice finds %q", got)
	}
	s.want(t, "alice", "uploads", "the proxy drops large uploads @acme/api @acme/web")
	if _, err := s.ask("nobody", "proxy"); !errors.Is(err, hub.ErrDenied) {
		t.Errorf("a stranger is told %v", err)
	}
	a, err := s.ask("bob", "proxy")
	if err != nil || a.View != 2 || a.Total != 1 || a.Repos != 1 {
		t.Errorf("bob is told of %+v, %v", a, err)
	}
}

// TestScoresOfTheGranted: what bob may not read changes no score of his.
func TestScoresOfTheGranted(t *testing.T) {
	s := newScene(t)
	before, err := s.ask("bob", "proxy uploads queue")
	if err != nil {
		t.Fatal(err)
	}
	s.mirror.push("acme/secret", "proxy proxy proxy", "uploads of the queue", "queue")
	s.sweep(t)
	after, err := s.ask("bob", "proxy uploads queue")
	if err != nil {
		t.Fatal(err)
	}
	for i := range before.Found {
		if before.Found[i].Score != after.Found[i].Score {
			t.Errorf("score of %q was %v and is %v",
				before.Found[i].Memory.Title, before.Found[i].Score, after.Found[i].Score)
		}
	}
}

func TestWhatMovesIsFollowed(t *testing.T) {
	s := newScene(t)
	s.mirror.push("acme/web", "tests need a running queue", "certificates expire in May")
	here, none := hub.RepoRef{Forge: "test", Name: "ACME/web"}, hub.RepoRef{Forge: "test", Name: "acme/none"}
	if !s.Nudge(here) || s.Nudge(none) {
		t.Error("an event is taken for another repository")
	}
	if err := s.Sweep(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	s.want(t, "bob", "certificates", "certificates expire in May @acme/web")
	s.want(t, "bob", "uploads")
}

func TestAnErrorIsNoState(t *testing.T) {
	s := newScene(t)
	s.mirror.err = errors.New("the network is down")
	s.sweep(t)
	s.want(t, "bob", "uploads", "the proxy drops large uploads @acme/web stale")
	s.mirror.err = hub.ErrGone
	s.sweep(t)
	s.want(t, "bob", "uploads")
	s.mirror.err = nil
	s.sweep(t)
	s.want(t, "bob", "uploads", "the proxy drops large uploads @acme/web")
}

// TestGone: what a repository held goes when its forge says twice, a day apart, that it is gone.
func TestGone(t *testing.T) {
	s := newScene(t)
	key := hub.RepoRef{Forge: "test", Name: "acme/web"}.Key()
	s.mirror.err = hub.ErrGone
	for range 3 {
		s.sweep(t)
		if r := s.Repos()[key]; len(r.Files) != 2 || r.Shown() {
			t.Fatalf("files after %s: %d", r.Says, len(r.Files))
		}
		s.now = s.now.Add(8 * time.Hour)
	}
	s.sweep(t)
	if r := s.Repos()[key]; len(r.Files) != 0 {
		t.Errorf("a day later there are %d files", len(r.Files))
	}
}

func TestRevokedWithinFiveMinutes(t *testing.T) {
	s := newScene(t)
	s.want(t, "bob", "uploads", "the proxy drops large uploads @acme/web")
	s.forge.reads["bob"] = nil
	s.now = s.now.Add(4 * time.Minute)
	s.want(t, "bob", "uploads", "the proxy drops large uploads @acme/web")
	s.now = s.now.Add(time.Minute)
	s.want(t, "bob", "uploads")
	s.now = s.now.Add(time.Hour)
	s.forge.err = errors.New("the forge is down")
	if _, err := s.ask("bob", "uploads"); !errors.Is(err, hub.ErrUnavailable) {
		t.Errorf("with the forge down: %v", err)
	}
	s.forge.err = nil
	delete(s.forge.reads, "bob")
	if _, err := s.ask("bob", "uploads"); !errors.Is(err, hub.ErrDenied) {
		t.Errorf("with a revoked token: %v", err)
	}
}

func TestGrantsAreKept(t *testing.T) {
	s := newScene(t)
	for range 3 {
		s.want(t, "bob", "uploads", "the proxy drops large uploads @acme/web")
	}
	if s.forge.asked != 1 {
		t.Errorf("the forge was asked %d times", s.forge.asked)
	}
}

// TestRestart: a process that starts answers as the last one did, also without the index.
func TestRestart(t *testing.T) {
	s := newScene(t)
	want := s.found(t, "alice", "proxy")
	s.open(t)
	s.want(t, "alice", "proxy", want...)
	if err := os.RemoveAll(filepath.Join(s.dir, "index")); err != nil {
		t.Fatal(err)
	}
	s.open(t)
	s.want(t, "alice", "proxy", want...)
}

func TestMemory(t *testing.T) {
	s := newScene(t)
	a, err := s.ask("alice", "password")
	if err != nil || len(a.Found) != 1 {
		t.Fatalf("%v, %v", a, err)
	}
	blob := a.Found[0].Item.Blob
	for secret, want := range map[string]bool{"alice": true, "bob": false, "eve": false} {
		c := hub.Caller{Forge: "test", Credentials: hub.Credentials{Secret: secret}}
		f, err := s.Memory(t.Context(), c, blob)
		if err != nil || (f != nil) != want {
			t.Errorf("%s gets %v, %v", secret, f, err)
		}
	}
}

// TestClaim: a repository that somebody works on is left to them.
func TestClaim(t *testing.T) {
	s := newScene(t)
	store, err := files.Open(s.dir, s.mirror.Read, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	key := hub.RepoRef{Forge: "test", Name: "acme/web"}.Key()
	other := hub.RepoRef{Forge: "test", Name: "acme/api"}.Key()
	claimed, release, err := store.Claim([]string{key, other})
	if err != nil || claimed != key {
		t.Fatal(claimed, err)
	}
	if again, _, err := store.Claim([]string{key}); again != "" || err != nil {
		t.Fatal(again, err)
	}
	next, end, err := store.Claim([]string{key, other})
	if err != nil || next != other {
		t.Fatal(next, err)
	}
	end()
	s.mirror.push("acme/web", "certificates expire in May")
	s.sweep(t)
	s.want(t, "bob", "certificates")
	release()
	s.sweep(t)
	s.want(t, "bob", "certificates", "certificates expire in May @acme/web")
}
