package hub_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops/mirror"
	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/hub/files"
	"github.com/git-cortex/cortex/hub/postgres"
	"github.com/git-cortex/cortex/internal/forgetest"
	"github.com/git-cortex/cortex/internal/pgtest"
	"github.com/git-cortex/cortex/memory"
)

// yard is a repository whose memories are committed by several people.
type yard struct{ work, bare string }

func newYard(t *testing.T, root, name string) (*yard, hub.RepoRef) {
	t.Helper()
	y := &yard{work: forgetest.Work(t), bare: forgetest.Bare(t, root, name+".git")}
	return y, hub.RepoRef{Forge: "f", Name: name, URL: "file://" + filepath.ToSlash(y.bare)}
}

// commit writes memories in the name of somebody and pushes them.
func (y *yard) commit(t *testing.T, author string, memories ...*memory.Memory) {
	t.Helper()
	for _, m := range memories {
		path := filepath.Join(y.work, filepath.FromSlash(mirror.Folder), string(m.ID)+".md")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, memory.Format(m), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	forgetest.Git(t, y.work, "add", "-A")
	forgetest.Git(t, y.work, "commit", "-q", "-m", "change", "--author="+author)
	forgetest.Git(t, y.work, "push", "-q", y.bare, "main")
}

func note(title string) *memory.Memory {
	return memory.New(memory.Gotcha, title, "What was seen: "+title+".", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
}

const (
	ann = "Ann <ann@example.org>"
	bob = "Bob <bob@example.org>"
)

// purgatory is a store of which two processes have a hub each.
type purgatory struct {
	one, other station
	holds      func(t *testing.T, text string) bool // whether the text is anywhere in the store
}

// TestPurge: what is purged is in no answer and nowhere in the store, and does not come in again: not by rebuild, not
// in another version, not from another repository.
func TestPurge(t *testing.T) {
	purged(t, func(t *testing.T, refs []hub.RepoRef) purgatory {
		t.Helper()
		dir := t.TempDir()
		in := func(read files.Read, now func() time.Time) (hub.Store, error) {
			store, err := files.Open(dir, read, now)
			t.Cleanup(func() { store.Close() })
			return store, err
		}
		return purgatory{newStationIn(t, refs, in), newStationIn(t, nil, in), func(t *testing.T, text string) bool {
			t.Helper()
			return isBelow(t, dir, text)
		}}
	})
}

func TestPurgeInPostgres(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		purged(t, func(t *testing.T, refs []hub.RepoRef) purgatory {
			t.Helper()
			dsn := server.Database(t)
			in := func(_ files.Read, now func() time.Time) (hub.Store, error) {
				store, err := postgres.Open(t.Context(), postgres.Options{DSN: dsn, Now: now})
				t.Cleanup(func() { store.Close() })
				return store, err
			}
			return purgatory{newStationIn(t, refs, in), newStationIn(t, nil, in), func(t *testing.T, text string) bool {
				t.Helper()
				count := `select (select count(*) from hub.blob where position('%[1]s'::bytea in data) > 0)
					+ (select count(*) from hub.word where term = '%[1]s')
					+ (select count(*) from hub.post_2 where term = '%[1]s' or position('%[1]s'::bytea in data) > 0)`
				return pgtest.Number(t, dsn, fmt.Sprintf(count, text)) > 0
			}}
		})
	})
}

// isBelow reports whether a file of a folder holds a text.
func isBelow(t *testing.T, dir, text string) (found bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		found = found || bytes.Contains(data, []byte(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func purged(t *testing.T, open func(*testing.T, []hub.RepoRef) purgatory) {
	t.Helper()
	root := t.TempDir()
	one, first := newYard(t, root, "one")
	two, second := newYard(t, root, "two")
	leaked, hers := note("the zanzibar token is in the log"), note("care for the queue of ann")
	one.commit(t, ann, leaked, hers)
	one.commit(t, bob, note("care for the cache"))
	two.commit(t, bob, note("care for the login"))
	p := open(t, []hub.RepoRef{first, second})
	sweep := func(s station) {
		t.Helper()
		if err := s.Sweep(t.Context(), true); err != nil {
			t.Fatal(err)
		}
	}
	sweep(p.one)
	sweep(p.other)
	if len(p.other.finds(t, "zanzibar")) != 1 || !p.holds(t, "zanzibar") {
		t.Fatal("what is to be purged is not there")
	}

	ask := hub.Purge{Text: "zanzibar token", By: "op", Why: "a leak", DryRun: true}
	if cert, err := p.one.Purge(t.Context(), ask); err != nil || len(cert.Files) != 1 || len(p.one.finds(t, "zanzibar")) != 1 {
		t.Fatalf("a dry run: %+v, %v", cert, err)
	}
	ask.DryRun = false
	cert, err := p.one.Purge(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	path := mirror.Folder + "/" + string(leaked.ID) + ".md"
	if len(cert.Files) != 1 || cert.Files[0].Path != path || cert.By != "op" || cert.Why != "a leak" || cert.Tombs != 3 ||
		strings.Contains(fmt.Sprintf("%+v", cert), "zanzibar") {
		t.Errorf("the certificate says %+v", cert)
	}
	seen := 0
	for _, left := range cert.Left {
		if left.Where == "one" && left.Sure {
			seen++
		}
	}
	if seen != 2 || len(cert.Left) < 4 {
		t.Errorf("left: %+v", cert.Left)
	}
	sweep(p.other) // reads what the first process did
	absent := func(when string) {
		t.Helper()
		for _, s := range []station{p.one, p.other} {
			if got := s.finds(t, "zanzibar"); got != nil {
				t.Errorf("%s: %q is found", when, got)
			}
			if got := s.finds(t, "care"); len(got) == 0 {
				t.Errorf("%s: nothing else is found", when)
			}
		}
		if p.holds(t, "zanzibar") {
			t.Errorf("%s: the store holds the text", when)
		}
		for key, r := range p.one.Repos() {
			if d, err := p.one.Differences(t.Context(), key); err != nil || len(d) > 0 {
				t.Errorf("%s: %s differs from git: %v, %v", when, r.Name, d, err)
			}
		}
	}
	absent("after the purge")
	for key := range p.one.Repos() {
		if err := p.one.Rebuild(key); err != nil {
			t.Fatal(err)
		}
	}
	sweep(p.one)
	sweep(p.other)
	absent("after a rebuild")

	changed := *leaked
	changed.Tags = []string{"another"}
	one.commit(t, bob, &changed)
	two.commit(t, bob, leaked)
	sweep(p.one)
	sweep(p.other)
	absent("after another version and a copy")

	// Offboarding: what ann committed goes, and what she commits later does not come in.
	if _, err := p.one.Purge(t.Context(), hub.Purge{Author: "ANN@example.org"}); err != nil {
		t.Fatal(err)
	}
	two.commit(t, ann, note("care for the harbour of ann"))
	sweep(p.one)
	sweep(p.other)
	absent("after the purge of an author")
	for _, s := range []station{p.one, p.other} {
		if diff := cmp.Diff([]int{0, 2}, []int{len(s.finds(t, "ann")), len(s.finds(t, "care"))}); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := p.one.Purge(t.Context(), hub.Purge{Text: "nowhere at all"}); err == nil {
		t.Error("a text that is nowhere was purged")
	}
}
