package forge

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-cortex/cortex/hub"

	"github.com/google/go-cmp/cmp"
)

// clock is one that goes only when it is told to.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// TestCacheOfList: what a forge lists holds for the time of the cache and no longer.
func TestCacheOfList(t *testing.T) {
	const path = "/user/repos?per_page=100"
	f := startFake(t, map[string]fakePage{path: {githubFirst, `"a"`, ""}})
	h, err := GitHub(Options{Name: "hub", URL: f.URL})
	if err != nil {
		t.Fatal(err)
	}
	c := &clock{at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	cache := NewCache(h, c.now)
	cred := hub.Credentials{Secret: "tok"}
	readable := func() (int, error) {
		got, _, err := cache.Readable(t.Context(), cred, refs("hub", "1", "2"))
		return len(got), err
	}
	step := func(what string, want int, wantErr error, asked ...string) {
		t.Helper()
		got, err := readable()
		if got != want || !errors.Is(err, wantErr) {
			t.Errorf("%s: %d, %v, want %d, %v", what, got, err, want, wantErr)
		}
		if diff := cmp.Diff(asked, f.asked); diff != "" {
			t.Errorf("%s:\n%s", what, diff)
		}
		f.asked = nil
	}
	step("first", 1, nil, path)
	c.at = c.at.Add(TTL - time.Second)
	f.status = 503
	step("the forge is down, within the time", 1, nil)
	c.at = c.at.Add(time.Second)
	step("the forge is down, after it", 0, ErrUnavailable, path+" unchanged")
	f.status = 0
	step("the forge is back", 1, nil, path+" unchanged")
	f.pages[path] = fakePage{`[]`, `"b"`, ""} // the right is taken away
	c.at = c.at.Add(TTL - time.Nanosecond)
	step("revoked, within the time", 1, nil)
	c.at = c.at.Add(time.Nanosecond)
	step("revoked, after it", 0, nil, path, path)
	f.pages[path] = fakePage{githubFirst, `"a"`, ""}
	c.at = c.at.Add(TTL)
	step("granted again", 1, nil, path)
	c.at = c.at.Add(TTL)
	f.status = 401
	step("the token is void", 0, hub.ErrDenied, path+" unchanged")
	if len(cache.callers) != 0 {
		t.Error("the grants of a void token are kept")
	}
	f.status = 503
	step("void, then down", 0, ErrUnavailable, path)
	for caller := range cache.callers {
		t.Errorf("%q is remembered", caller)
	}
}

// asker is a forge without a list that counts what it is asked.
type asker struct {
	hub.Forge

	mu      sync.Mutex
	asked   []string
	granted map[string]bool
	err     error
	calls   atomic.Int32
	hold    chan struct{}
}

func (a *asker) Readable(_ context.Context, _ hub.Credentials, ask []hub.RepoRef) ([]hub.RepoRef, string, error) {
	a.calls.Add(1)
	if a.hold != nil {
		<-a.hold
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, ids(ask))
	var granted []hub.RepoRef
	for _, r := range ask {
		if a.granted[r.ID] && a.err == nil {
			granted = append(granted, r)
		}
	}
	return granted, "", a.err
}

// TestCacheOfAsking: of a forge without a list each repository is asked for once in the time.
func TestCacheOfAsking(t *testing.T) {
	a := &asker{granted: map[string]bool{"1": true, "3": true}}
	c := &clock{at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	cache := NewCache(a, c.now)
	ann, bob := hub.Credentials{User: "ann", Secret: "x"}, hub.Credentials{User: "ann", Secret: "y"}
	step := func(what string, cred hub.Credentials, ask []hub.RepoRef, want string, asked ...string) {
		t.Helper()
		got, _, err := cache.Readable(t.Context(), cred, ask)
		if ids(got) != want || !errors.Is(err, a.err) {
			t.Errorf("%s: %q, %v, want %q", what, ids(got), err, want)
		}
		if diff := cmp.Diff(asked, a.asked); diff != "" {
			t.Errorf("%s:\n%s", what, diff)
		}
		a.asked = nil
	}
	step("first", ann, refs("p", "1", "2"), "1name/1 ", "1name/1 2name/2 ")
	c.at = c.at.Add(TTL / 2)
	step("one more", ann, refs("p", "1", "2", "3"), "1name/1 3name/3 ", "3name/3 ")
	step("known", ann, refs("p", "3", "2"), "3name/3 ")
	step("another password", bob, refs("p", "1"), "1name/1 ", "1name/1 ")
	a.err = ErrUnavailable
	if got, _, err := cache.Readable(t.Context(), ann, refs("p", "1")); err != nil || len(got) != 1 {
		t.Errorf("down, known: %v, %v", got, err)
	}
	if got, _, err := cache.Readable(t.Context(), ann, refs("p", "1", "4")); !errors.Is(err, ErrUnavailable) {
		t.Errorf("down, not known: %v, %v", got, err)
	}
	a.err, a.asked = nil, nil
	c.at = c.at.Add(TTL / 2)
	step("the first answer is too old, and with it what came later", ann, refs("p", "1", "3"), "1name/1 3name/3 ", "1name/1 3name/3 ")
}

// TestOnceAtATime: callers that come together ask once.
func TestOnceAtATime(t *testing.T) {
	a := &asker{granted: map[string]bool{"1": true}, hold: make(chan struct{})}
	cache := NewCache(a, time.Now)
	var callers sync.WaitGroup
	for range 20 {
		callers.Go(func() {
			got, _, err := cache.Readable(t.Context(), hub.Credentials{Secret: "x"}, refs("p", "1"))
			if err != nil || len(got) != 1 {
				t.Error(got, err)
			}
		})
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := cache.Readable(gone, hub.Credentials{Secret: "x"}, refs("p", "1")); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that gave up: %v", err)
	}
	close(a.hold)
	callers.Wait()
	if n := a.calls.Load(); n != 1 {
		t.Errorf("the forge was asked %d times", n)
	}
}

// TestManyCallers: the memory of a cache is bounded, and it keeps no token.
func TestManyCallers(t *testing.T) {
	c := &clock{at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	cache := NewCache(&asker{}, c.now)
	for i := range maxCallers + 10 {
		cred := hub.Credentials{User: string(rune('a' + i%26)), Secret: time.Duration(i).String()}
		if _, _, err := cache.Readable(t.Context(), cred, refs("p", "1")); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(cache.callers); n == 0 || n > maxCallers {
		t.Errorf("%d callers are remembered", n)
	}
	for caller := range cache.callers {
		if len(caller) != 64 {
			t.Fatalf("%q is no sum", caller)
		}
	}
}
