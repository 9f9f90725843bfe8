package hub_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-cortex/cortex/gitops/mirror"
	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/hub/files"
	"github.com/git-cortex/cortex/hub/postgres"
	"github.com/git-cortex/cortex/internal/forgetest"
	"github.com/git-cortex/cortex/internal/pgtest"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
)

func TestMain(m *testing.M) {
	code := testrun.InMemory(m).Run()
	pgtest.Stop()
	os.Exit(code)
}

// everyone lets everybody read everything.
type everyone struct{}

func (everyone) Readable(_ context.Context, _ hub.Credentials, ask []hub.RepoRef) ([]hub.RepoRef, string, error) {
	return ask, "", nil
}

func (everyone) Event(func(string) string, []byte, []byte) (hub.RepoRef, error) {
	return hub.RepoRef{}, hub.ErrForged
}

// model is a repository that random things happen to, and what the hub must know of it.
type model struct {
	random     *rand.Rand
	work, bare string
	step       int
}

func (m *model) folder() string { return filepath.Join(m.work, filepath.FromSlash(mirror.Folder)) }

// text is a memory that no other step writes.
func (m *model) text() string {
	subjects := []string{"retries", "cache", "queue", "login", "index"}
	title := fmt.Sprintf("The %s of step %d needs care", subjects[m.random.IntN(len(subjects))], m.step)
	at := time.Date(2026, 1, 2, 3, 4, m.step, 0, time.UTC)
	return string(memory.Format(memory.New(memory.Gotcha, title, "What was seen: "+title+".", at)))
}

// present are the memory files of the working tree.
func (m *model) present(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(m.folder(), "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		names[i] = filepath.Base(name)
	}
	return names
}

// change writes, deletes and renames some files, commits, and at times rewrites history or
// moves to another default branch. All of it is pushed.
func (m *model) change(t *testing.T) {
	t.Helper()
	m.step++
	present := m.present(t)
	files := map[string]string{}
	for range m.random.IntN(4) {
		files[fmt.Sprintf("%s/%02d.md", mirror.Folder, m.random.IntN(20))] = m.text()
	}
	if len(present) > 0 && m.random.IntN(2) == 0 {
		files[mirror.Folder+"/"+present[m.random.IntN(len(present))]] = ""
	}
	switch m.random.IntN(6) {
	case 0: // history is rewritten
		forgetest.Git(t, m.work, "update-ref", "-d", "HEAD")
	case 1: // back to an older commit
		_, _ = forgetest.TryGit(t, m.work, "reset", "-q", "--hard", "HEAD~1")
		files = map[string]string{mirror.Folder + "/back.md": m.text()}
	case 2: // a file that is no memory, and a rename
		files[mirror.Folder+"/broken.md"] = fmt.Sprintf("no memory %d", m.step)
		m.rename(t, files)
	}
	branch := forgetest.Git(t, m.work, "symbolic-ref", "--short", "HEAD")
	if m.random.IntN(8) == 0 {
		branch = fmt.Sprintf("branch%d", m.step)
		forgetest.Git(t, m.work, "symbolic-ref", "HEAD", "refs/heads/"+branch)
	}
	forgetest.Commit(t, m.work, files)
	forgetest.Git(t, m.work, "push", "-q", "-f", m.bare, "HEAD:refs/heads/"+branch)
	forgetest.Git(t, m.bare, "symbolic-ref", "HEAD", "refs/heads/"+branch)
	if m.random.IntN(3) == 0 {
		forgetest.Git(t, m.bare, "gc", "-q", "--prune=now")
	}
}

// rename gives a file that is not about to change another name.
func (m *model) rename(t *testing.T, files map[string]string) {
	t.Helper()
	for _, name := range m.present(t) {
		if _, changes := files[mirror.Folder+"/"+name]; changes {
			continue
		}
		to := fmt.Sprintf("renamed%d.md", m.step)
		if err := os.Rename(filepath.Join(m.folder(), name), filepath.Join(m.folder(), to)); err != nil {
			t.Fatal(err)
		}
		return
	}
}

// station is a hub with all that it is made of.
type station struct {
	*hub.Hub
	folder string // of its mirrors
}

// storing opens a store over mirrors.
type storing func(read files.Read, now func() time.Time) (hub.Store, error)

// newStation is a hub in a folder of its own.
func newStation(t *testing.T, refs []hub.RepoRef) station {
	t.Helper()
	return newStationIn(t, refs, func(read files.Read, now func() time.Time) (hub.Store, error) {
		store, err := files.Open(t.TempDir(), read, now)
		t.Cleanup(func() { store.Close() })
		return store, err
	})
}

func newStationIn(t *testing.T, refs []hub.RepoRef, in storing) station {
	t.Helper()
	folder := t.TempDir()
	mirrors, err := mirror.Open(t.Context(), folder, mirror.Options{
		Environ: forgetest.Environ(t.TempDir()), Protocols: []string{"file"},
	})
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC) }
	copies := hub.Mirrored{Mirror: mirrors}
	store, err := in(copies.Read, now)
	if err != nil {
		t.Fatal(err)
	}
	h, err := hub.Open(store, copies, hub.Options{Forges: map[string]hub.Forge{"f": everyone{}}, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range refs {
		if err := h.Add(ref); err != nil {
			t.Fatal(err)
		}
	}
	return station{h, folder}
}

// holds are the files of a hub, by repository and path, with their commits and branches.
func (s station) holds() map[string]any {
	all := map[string]any{}
	for _, r := range s.Repos() {
		all[r.Name] = []any{r.Ref, r.OID, r.Files}
	}
	return all
}

// unlike says how what two hubs hold differs. A repository that was read back from its file has no
// list where there was an empty one.
func unlike(want, got map[string]any) string { return cmp.Diff(want, got, cmpopts.EquateEmpty()) }

// finds are the places of all that a query finds.
func (s station) finds(t *testing.T, text string) []string {
	t.Helper()
	caller := hub.Caller{Forge: "f", Credentials: hub.Credentials{Secret: "x"}}
	answer, err := s.Search(t.Context(), caller, hub.Question{Text: text, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range answer.Found {
		line := string(f.Memory.ID)
		for _, p := range f.Places {
			line += " " + p.Repository + ":" + p.Path
		}
		lines = append(lines, line)
	}
	return lines
}

// TestFollowedOrRebuilt: whatever is pushed, a hub that followed it holds and answers the same as
// one that is made anew from git.
func TestFollowedOrRebuilt(t *testing.T) {
	followed(t, testrun.Rounds(2, 40), newStation, func() {})
}

// TestFollowedInPostgres: so does a hub in a database that ends its connections at random moments.
func TestFollowedInPostgres(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		dsn := server.Database(t)
		organisation := 0 // a new one for each hub
		kill := func() { pgtest.Exec(t, dsn, killAll) }
		followed(t, testrun.Rounds(1, 3), func(t *testing.T, refs []hub.RepoRef) station {
			t.Helper()
			organisation++
			return newStationIn(t, refs, func(_ files.Read, now func() time.Time) (hub.Store, error) {
				store, err := postgres.Open(t.Context(), postgres.Options{
					DSN: dsn, Organisation: fmt.Sprint(organisation), Now: now,
				})
				t.Cleanup(func() { store.Close() })
				return store, err
			})
		}, kill)
	})
}

const killAll = `select pg_terminate_backend(pid) from pg_stat_activity
	where datname = current_database() and pid <> pg_backend_pid()`

// followed has random things happen to a hub, and compares it with those in a folder that are made anew. What
// kill does to it while it works is of no account in the end.
func followed(t *testing.T, rounds int, open func(*testing.T, []hub.RepoRef) station, kill func()) {
	t.Helper()
	for seed := range rounds {
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		root := t.TempDir()
		var models []*model
		var refs []hub.RepoRef
		for _, name := range []string{"one", "two"} {
			m := &model{random: random, work: forgetest.Work(t), bare: forgetest.Bare(t, root, name+".git")}
			m.change(t)
			models = append(models, m)
			refs = append(refs, hub.RepoRef{Forge: "f", Name: name, URL: "file://" + filepath.ToSlash(m.bare)})
		}
		followed := open(t, refs)
		if err := followed.Sweep(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		for step := range 10 {
			m := models[random.IntN(len(models))]
			m.change(t)
			switch random.IntN(6) {
			case 0:
				lose(t, followed, m)
			case 1:
				empty(t, followed, m)
			case 2:
				damage(t, followed, m)
			}
			if random.IntN(6) == 0 {
				m.change(t) // two pushes, one look
			}
			if random.IntN(3) == 0 {
				ended := time.AfterFunc(time.Duration(random.IntN(100))*time.Millisecond, kill)
				_ = followed.Sweep(t.Context(), true)
				ended.Stop()
			}
			if err := followed.Sweep(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			if step%5 != 4 {
				continue
			}
			anew := newStation(t, refs)
			if err := anew.Sweep(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			if diff := unlike(anew.holds(), followed.holds()); diff != "" {
				t.Fatalf("seed %d, step %d (-rebuilt +followed):\n%s", seed, step, diff)
			}
			if len(anew.finds(t, "care")) == 0 {
				t.Fatalf("seed %d, step %d: nothing is found", seed, step)
			}
			for _, query := range []string{"care", "retries", "cache login"} {
				if diff := cmp.Diff(anew.finds(t, query), followed.finds(t, query)); diff != "" {
					t.Fatalf("seed %d, step %d, %q (-rebuilt +followed):\n%s", seed, step, query, diff)
				}
			}
		}
	}
}

// lose takes a repository away for one look. What the hub holds stays as it is.
func lose(t *testing.T, s station, m *model) {
	t.Helper()
	before := s.holds()
	if err := os.Rename(m.bare, m.bare+".away"); err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(m.bare+".away", m.bare); err != nil {
		t.Fatal(err)
	}
	if diff := unlike(before, s.holds()); diff != "" {
		t.Fatalf("a repository that was not reached has changed:\n%s", diff)
	}
}

// empty leaves a repository without a default branch for one look. What the hub holds stays as
// it is: an error of somebody's is not the end of all memories.
func empty(t *testing.T, s station, m *model) {
	t.Helper()
	before := s.holds()
	branch := forgetest.Git(t, m.bare, "symbolic-ref", "HEAD")
	forgetest.Git(t, m.bare, "symbolic-ref", "HEAD", "refs/heads/nothing")
	if err := s.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	forgetest.Git(t, m.bare, "symbolic-ref", "HEAD", branch)
	if diff := unlike(before, s.holds()); diff != "" {
		t.Fatalf("a repository without a default branch has changed:\n%s", diff)
	}
}

// damage cuts what the mirror of a repository holds. The look after the next has made it anew.
func damage(t *testing.T, s station, m *model) {
	t.Helper()
	key := mirror.Key("file://" + filepath.ToSlash(m.bare))
	packs, err := filepath.Glob(filepath.Join(s.folder, key+".git", "objects", "pack", "*.pack"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pack := range packs {
		if err := os.Chmod(pack, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(pack, 20); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
}
