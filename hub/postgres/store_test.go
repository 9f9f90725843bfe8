package postgres

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/internal/pgtest"
	"github.com/git-cortex/cortex/memory"
)

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return start }

func open(t testing.TB, dsn string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{DSN: dsn, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// blobOf is the name of a file with a text.
func blobOf(text string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
	return hex.EncodeToString(sum[:])
}

// repository is one that holds memories with some titles.
func repository(name string, titles ...string) (r *hub.Repo, texts map[string][]byte) {
	r = &hub.Repo{
		RepoRef: hub.RepoRef{Forge: "test", Name: name, URL: "https://forge.test/" + name},
		Ref:     "refs/heads/main", State: hub.Ready, Added: start, Files: map[string]hub.File{},
	}
	texts = map[string][]byte{}
	for i, title := range titles {
		types := []memory.Type{memory.Problem, memory.Decision, memory.Gotcha}
		m := memory.New(types[i%len(types)], title,
			"It was seen that "+title+" and what to do about it.", start.AddDate(0, 0, -7*i))
		m.Tags = []string{"tag" + fmt.Sprint(i%3)}
		text := memory.Format(m)
		blob := blobOf(string(text))
		texts[blob] = text
		r.Files[".cortex/memories/"+string(m.ID)+".md"] = hub.File{Blob: blob, ID: m.ID}
	}
	r.OID = blobOf(fmt.Sprint(titles))
	return r, texts
}

// put learns and saves.
func put(t testing.TB, s *Store, name string, titles ...string) *hub.Repo {
	t.Helper()
	r, texts := repository(name, titles...)
	if err := s.Save(&hub.Repo{RepoRef: r.RepoRef}); err != nil {
		t.Fatal(err)
	}
	if err := s.Learn(t.Context(), r, texts); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLoadWhatWasSaved(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		dsn := server.Database(t)
		s, other := open(t, dsn), open(t, dsn)
		web := put(t, s, "acme/web", "the proxy drops large uploads", "tests need a running queue")
		api := put(t, s, "acme/api", "the proxy caches errors")
		for _, from := range []*Store{s, other, open(t, dsn)} {
			got, err := from.Load()
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]*hub.Repo{web.Key(): web, api.Key(): api}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-saved +loaded:\n%s", diff)
			}
		}
		checked := *web
		checked.Checked, checked.State = start.Add(time.Hour), hub.Stale
		if err := s.Save(&checked); err != nil {
			t.Fatal(err)
		}
		got, err := other.Load()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&checked, got[web.Key()]); diff != "" {
			t.Errorf("-saved +loaded by another process:\n%s", diff)
		}
	})
}

// TestOrganisations: hubs of two organisations in one database know nothing of each other.
func TestOrganisations(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		dsn := server.Database(t)
		put(t, open(t, dsn), "acme/web", "the proxy drops large uploads")
		other, err := Open(t.Context(), Options{DSN: dsn, Organisation: "other", Now: clock})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		if got, err := other.Load(); err != nil || len(got) > 0 {
			t.Errorf("another organisation holds %v, %v", got, err)
		}
	})
}

// TestClaim: of two processes each gets a repository of its own, and nobody gets one twice.
func TestClaim(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		dsn := server.Database(t)
		one, two := open(t, dsn), open(t, dsn)
		keys := []string{put(t, one, "a", "first").Key(), put(t, one, "b", "second").Key()}
		if _, err := two.Load(); err != nil {
			t.Fatal(err)
		}
		got := map[string]func(){}
		for _, s := range []*Store{one, two} {
			key, release, err := s.Claim(keys)
			if err != nil || key == "" || got[key] != nil {
				t.Fatalf("claimed %q: %v", key, err)
			}
			got[key] = release
		}
		if key, _, err := one.Claim(keys); err != nil || key != "" {
			t.Fatalf("claimed %q: %v", key, err)
		}
		got[keys[1]]()
		if key, release, err := one.Claim(keys); err != nil || key != keys[1] {
			t.Fatalf("claimed %q: %v", key, err)
		} else {
			release()
		}
		got[keys[0]]()
	})
}

// TestSkipLocked: a process does not wait for another that is just claiming.
func TestSkipLocked(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		dsn := server.Database(t)
		s := open(t, dsn)
		keys := []string{put(t, s, "a", "first").Key(), put(t, s, "b", "second").Key()}
		tx, err := s.pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(context.Background()) }()
		_, err = tx.Exec(t.Context(), "select from hub.job where repo = $1 for update", s.known[keys[0]].id)
		if err != nil {
			t.Fatal(err)
		}
		key, release, err := s.Claim(keys)
		if err != nil || key != keys[1] {
			t.Fatalf("claimed %q: %v", key, err)
		}
		release()
	})
}

// TestLostLease: a process that was away for longer than its lease saves nothing.
func TestLostLease(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		dsn := server.Database(t)
		slow, quick := open(t, dsn), open(t, dsn)
		r := put(t, slow, "a", "first")
		if _, err := quick.Load(); err != nil {
			t.Fatal(err)
		}
		_, release, err := slow.Claim([]string{r.Key()})
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		pgtest.Exec(t, dsn, "update hub.job set leased = '-infinity'")
		key, release, err := quick.Claim([]string{r.Key()})
		if err != nil || key != r.Key() {
			t.Fatal(key, err)
		}
		defer release()
		if err := slow.Save(&hub.Repo{RepoRef: r.RepoRef}); !errors.Is(err, errLost) {
			t.Errorf("the slow process is told %v", err)
		}
		if err := quick.Save(r); err != nil {
			t.Error(err)
		}
	})
}
