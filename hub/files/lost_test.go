package files_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/git-cortex/cortex/hub"
)

// web is the repository acme/web of the hub.
func (s *scene) web() *hub.Repo {
	for _, r := range s.Repos() {
		if r.Name == "acme/web" {
			return r
		}
	}
	return nil
}

// holdsOf is how many memories acme/web answers with.
func (s *scene) holdsOf(t *testing.T, want int, when string) {
	t.Helper()
	a, err := s.Search(t.Context(), hub.Caller{Forge: "test", Credentials: hub.Credentials{Secret: "bob"}},
		hub.Question{Text: "queue", Limit: 100})
	if err != nil || a.Total != want {
		t.Errorf("%s: %d memories are found, want %d, %v", when, a.Total, want, err)
	}
}

// TestLoss: a push that takes most memories of a repository away counts, is noted, and can be undone for seven days.
func TestLoss(t *testing.T) {
	s := newScene(t)
	var all []string
	for i := range 6 {
		all = append(all, fmt.Sprintf("queue %d runs full", i))
	}
	look := func() {
		t.Helper()
		if err := s.Sweep(t.Context(), true); err != nil {
			t.Fatal(err)
		}
	}
	s.mirror.push("acme/web", all...)
	look()
	if s.web().Lost != nil { // two of two went, which is too few
		t.Errorf("lost: %+v", s.web().Lost)
	}
	s.mirror.push("acme/web", all[:3]...)
	look()
	if s.web().Lost != nil { // half is not most
		t.Errorf("lost: %+v", s.web().Lost)
	}
	s.mirror.push("acme/web", all...)
	look()
	before := s.web().OID
	s.mirror.push("acme/web", all[0])
	look()
	s.holdsOf(t, 1, "after the push")
	if l := s.web().Lost; l == nil || l.Gone != 5 || l.Had != 6 || l.Commit != before || s.mirror.held != before {
		t.Fatalf("lost: %+v, held: %s", l, s.mirror.held)
	}
	if err := s.Restore(t.Context(), s.web().Key()); err != nil {
		t.Fatal(err)
	}
	s.holdsOf(t, 6, "restored")
	look()
	s.holdsOf(t, 6, "restored, and looked at again")
	if !s.web().Outdated() {
		t.Error("what is restored is not called stale")
	}
	if err := s.Restore(t.Context(), s.web().Key()); !errors.Is(err, hub.ErrNotLost) {
		t.Errorf("restored twice: %v", err)
	}
	s.mirror.push("acme/web", all[0], all[1])
	look()
	s.holdsOf(t, 2, "the branch moved on")
	if s.web().Outdated() || s.web().Lost == nil {
		t.Errorf("after the branch moved on: %+v", s.web())
	}
	s.now = s.now.Add(7 * 24 * time.Hour)
	look()
	if err := s.Restore(t.Context(), s.web().Key()); !errors.Is(err, hub.ErrNotLost) || s.mirror.held != "" {
		t.Errorf("after seven days: %v, held %s", err, s.mirror.held)
	}
}

// TestRestoredForSevenDays: what was restored ends by itself.
func TestRestoredForSevenDays(t *testing.T) {
	s := newScene(t)
	s.mirror.push("acme/web", "queue a", "queue b", "queue c", "queue d")
	if err := s.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	s.mirror.push("acme/web", "queue a")
	if err := s.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if err := s.Restore(t.Context(), s.web().Key()); err != nil {
		t.Fatal(err)
	}
	s.holdsOf(t, 4, "restored")
	s.now = s.now.Add(7 * 24 * time.Hour)
	if err := s.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	s.holdsOf(t, 1, "seven days later")
}

// TestPoison: a repository that the store cannot take in is parked after eight tries, others go on, and an event tries
// it again.
func TestPoison(t *testing.T) {
	s := newScene(t)
	poison := errors.New("poison")
	s.store.fail = func(r *hub.Repo) error {
		if r.Name == "acme/web" {
			return poison
		}
		return nil
	}
	s.mirror.push("acme/web", "queue a")
	s.mirror.push("acme/api", "queue b")
	for range 10 {
		s.now = s.now.Add(2 * time.Hour)
		if err := s.Sweep(t.Context(), false); err != nil {
			t.Fatal(err)
		}
	}
	if r := s.web(); r.State != hub.Parked || r.Tries != 8 || r.Says == "" {
		t.Errorf("the poison is %s after %d tries: %s", r.State, r.Tries, r.Says)
	}
	a, err := s.Search(t.Context(), hub.Caller{Forge: "test", Credentials: hub.Credentials{Secret: "alice"}},
		hub.Question{Text: "queue"})
	if err != nil || a.Total != 2 || len(a.Stale) != 1 { // "tests need a running queue" of before is answered
		t.Errorf("%d are found, %q stale, %v", a.Total, a.Stale, err)
	}
	s.store.fail = nil
	if !s.Nudge(hub.RepoRef{Forge: "test", Name: "acme/web"}) {
		t.Fatal("an event is of no repository")
	}
	if err := s.Sweep(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if r := s.web(); r.State != hub.Ready || r.Tries != 0 {
		t.Errorf("after an event the poison is %s after %d tries", r.State, r.Tries)
	}
}
