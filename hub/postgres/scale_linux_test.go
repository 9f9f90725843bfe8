package postgres

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/git-cortex/cortex/gitops/mirror"
	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/forgetest"
	"github.com/git-cortex/cortex/internal/pgtest"
	"github.com/git-cortex/cortex/memory"
)

// scaleMemories is how many memories a repository of the benchmarks has.
const scaleMemories = 500

// scaleRepos is how many repositories the benchmarks have: 4, or what CORTEX_HUB_REPOS says.
func scaleRepos() int {
	n, _ := strconv.Atoi(os.Getenv("CORTEX_HUB_REPOS"))
	return max(n, 4)
}

// scaleCopies is how often each of them is copied within the database, with other ids, so that a million memories are
// there in minutes: 1, which is none, or what CORTEX_HUB_COPIES says.
func scaleCopies() int {
	n, _ := strconv.Atoi(os.Getenv("CORTEX_HUB_COPIES"))
	return max(n, 1)
}

// copied are repositories and their copies: the same texts and words as other memories.
func copied(b *testing.B, s *Store, repos []*hub.Repo) []*hub.Repo {
	b.Helper()
	out := slices.Clone(repos)
	for n := range scaleCopies() - 1 {
		var from, to []int32
		for _, r := range repos {
			other := *r
			other.Name = fmt.Sprintf("%s-%d", r.Name, n)
			if err := s.Save(&hub.Repo{RepoRef: other.RepoRef}); err != nil {
				b.Fatal(err)
			}
			out, from, to = append(out, &other), append(from, s.known[r.Key()].id), append(to, s.known[other.Key()].id)
		}
		if err := s.write(b.Context(), func(tx pgx.Tx) error { return copyRows(b.Context(), s, tx, from, to, n) }); err != nil {
			b.Fatal(err)
		}
	}
	return out
}

// copyRows copies all that is found of repositories. The ids of memories end in n then.
func copyRows(ctx context.Context, s *Store, tx pgx.Tx, from, to []int32, n int) error {
	if _, err := tx.Exec(ctx, "set local statement_timeout = 0"); err != nil {
		return err
	}
	for _, table := range []string{s.table("post") + " (term, data, ", "hub.blob (oid, data, "} {
		name, columns, _ := strings.Cut(table, " (")
		_, err := tx.Exec(ctx, fmt.Sprintf(`insert into %s org, repo) select %s t.org, m.b from %s t
			join unnest($1::int[], $2::int[]) m (a, b) on m.a = t.repo order by m.b`, table, columns, name), from, to)
		if err != nil {
			return err
		}
	}
	for i, id := range from {
		c := s.replacing(tx, id, 0)
		heads, err := c.readHeads(ctx)
		for i := range heads {
			was := heads[i].facts.ID
			heads[i].facts.ID = memory.ID(fmt.Sprintf("%s%05d", was[:len(was)-5], n))
		}
		if c.repo, c.heads = to[i], heads; err == nil {
			err = c.putHeads(ctx, 1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// meter measures processor time of this process and of a server.
type meter struct {
	server   string // its process
	hub, sql time.Duration
}

func startMeter(b *testing.B, server string) *meter {
	b.Helper()
	return &meter{server: server, hub: used(), sql: busy(server)}
}

// serverOf is the process of the server that a store is kept in.
func serverOf(b *testing.B, s *Store) string {
	b.Helper()
	var one int
	conn, err := s.pool.Acquire(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Release()
	if err := conn.QueryRow(b.Context(), "select pg_backend_pid()").Scan(&one); err != nil {
		b.Fatal(err)
	}
	return statOf(fmt.Sprintf("/proc/%d/stat", one))[1]
}

// statOf are the fields of a file of /proc, from the state of the process on; two where it has ended.
func statOf(name string) []string {
	data, _ := os.ReadFile(name)
	_, rest, _ := strings.Cut(string(data), ") ")
	return append(strings.Fields(rest), "", "")
}

// busy is the processor time of the processes of a server that still run.
func busy(server string) (sum time.Duration) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		fields := statOf(name)
		if fields[1] != server {
			continue
		}
		for _, ticks := range fields[11:13] {
			n, _ := strconv.Atoi(ticks)
			sum += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return sum
}

// used is the processor time of this process.
func used() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// stop is the time since.
func (m *meter) stop(b *testing.B) (hub, sql time.Duration) {
	b.Helper()
	return used() - m.hub, busy(m.server) - m.sql
}

// BenchmarkScale takes repositories in and searches them, for the tables of docs/hub.md:
//
//	CORTEX_HUB_REPOS=200 go test ./hub/postgres -run - -bench Scale -benchtime 200x
func BenchmarkScale(b *testing.B) {
	server := pgtest.All(b)[len(pgtest.All(b))-1]
	dsn := server.Database(b)
	s := open(b, dsn)
	process := serverOf(b, s)
	l := newLarge(b, 29, "../../docs")
	var repos []*hub.Repo
	var hubTime, sqlTime time.Duration
	for n := range scaleRepos() / scaleCopies() {
		r, texts := l.repo(n, scaleMemories)
		if err := s.Save(&hub.Repo{RepoRef: r.RepoRef}); err != nil {
			b.Fatal(err)
		}
		m := startMeter(b, process)
		if err := s.Learn(b.Context(), r, texts); err != nil {
			b.Fatal(err)
		}
		if err := s.Save(r); err != nil {
			b.Fatal(err)
		}
		hub, sql := m.stop(b)
		hubTime, sqlTime, repos = hubTime+hub, sqlTime+sql, append(repos, r)
	}
	all := float64(len(repos) * scaleMemories)
	repos = copied(b, s, repos)
	pgtest.Exec(b, dsn, "vacuum analyze")
	bytes := pgtest.Number(b, dsn, `select sum(pg_total_relation_size(c.oid))::bigint from pg_class c
		where relnamespace = 'hub'::regnamespace and relkind = 'r'`)
	fmt.Printf("PostgreSQL %s, %d memories of %d repositories taken in: %.0f a second and core, %.3f ms of the hub, %.3f ms of the "+
		"server; %.0f bytes of disk each of %d repositories\n", server.Version, int(all), int(all)/scaleMemories, all/(hubTime+sqlTime).Seconds(),
		hubTime.Seconds()*1000/all, sqlTime.Seconds()*1000/all, float64(bytes)/float64(len(repos)*scaleMemories), len(repos))
	questions := l.questions(1000)
	for _, n := range []int{1, 30, 200, 2000} {
		if n > len(repos) {
			continue
		}
		b.Run(fmt.Sprint("search/repositories=", n), func(b *testing.B) {
			in := repos[:n]
			search := func(i int) {
				if _, err := s.Search(b.Context(), in, query.Parse(questions[i%len(questions)], clock()), 10); err != nil {
					b.Fatal(err)
				}
			}
			search(999)
			m := startMeter(b, process)
			b.ResetTimer()
			for i := range b.N {
				search(i)
			}
			hub, sql := m.stop(b)
			b.ReportMetric(hub.Seconds()*1000/float64(b.N), "ms-hub/op")
			b.ReportMetric(sql.Seconds()*1000/float64(b.N), "ms-server/op")
		})
	}
}

// rebuildRepos is how many repositories BenchmarkRebuild reads.
const rebuildRepos = 8

// BenchmarkRebuild has a hub read repositories from git as if for the first time: fetching, reading files, judging
// them, and taking them in. Git's own time counts too.
//
//	go test ./hub/postgres -run - -bench Rebuild -benchtime 3x
func BenchmarkRebuild(b *testing.B) {
	server := pgtest.All(b)[len(pgtest.All(b))-1]
	s := open(b, server.Database(b))
	l := newLarge(b, 30, "../../docs")
	mirrors, err := mirror.Open(b.Context(), b.TempDir(), mirror.Options{
		Environ: forgetest.Environ(b.TempDir()), Protocols: []string{"file"},
	})
	if err != nil {
		b.Fatal(err)
	}
	h, err := hub.Open(s, hub.Mirrored{Mirror: mirrors}, hub.Options{Now: clock})
	if err != nil {
		b.Fatal(err)
	}
	var keys []string
	for n := range rebuildRepos {
		r, texts := l.repo(n, scaleMemories)
		files := map[string]string{}
		for path, f := range r.Files {
			files[path] = string(texts[f.Blob])
		}
		work, bare := forgetest.Work(b), forgetest.Bare(b, b.TempDir(), "one.git")
		forgetest.Commit(b, work, files)
		forgetest.Git(b, work, "push", "-q", bare, "HEAD:main")
		ref := hub.RepoRef{Forge: "test", Name: r.Name, URL: "file://" + bare}
		if err := h.Add(ref); err != nil {
			b.Fatal(err)
		}
		keys = append(keys, ref.Key())
	}
	process := serverOf(b, s)
	if err := h.Sweep(b.Context(), true); err != nil {
		b.Fatal(err)
	}
	m, git := startMeter(b, process), usedByChildren()
	b.ResetTimer()
	for range b.N {
		for _, key := range keys {
			if err := h.Rebuild(key); err != nil {
				b.Fatal(err)
			}
		}
		if err := h.Sweep(b.Context(), true); err != nil {
			b.Fatal(err)
		}
	}
	own, sql := m.stop(b)
	git = usedByChildren() - git
	all := float64(b.N * rebuildRepos * scaleMemories)
	b.ReportMetric(own.Seconds()*1000/all, "ms-hub/memory")
	b.ReportMetric(sql.Seconds()*1000/all, "ms-server/memory")
	b.ReportMetric(git.Seconds()*1000/all, "ms-git/memory")
	b.ReportMetric(all/(own+sql+git).Seconds(), "memories/s-and-core")
}

// usedByChildren is the processor time of git.
func usedByChildren() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
