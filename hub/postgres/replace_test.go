package postgres

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/pgtest"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
)

// rows lists all that the database holds of a repository, with memories by the names of their files instead of by
// numbers: two that hold the same differ in nothing else.
func (s *Store) rows(t *testing.T, key string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := s.write(t.Context(), func(tx pgx.Tx) error {
		var id int32
		if err := tx.QueryRow(t.Context(), `select id from hub.repo where key = $1`, key).Scan(&id); err != nil {
			return err
		}
		c := &replacing{Store: s, tx: tx, repo: id}
		heads, err := c.readHeads(t.Context())
		if err != nil {
			return err
		}
		names := map[uint32]string{}
		for _, h := range heads {
			names[h.doc] = hex.EncodeToString([]byte(h.blob))
			h.doc = 0
			out["head "+hex.EncodeToString([]byte(h.blob))] = fmt.Sprintf("%+v", h)
		}
		rows, err := tx.Query(t.Context(), `select term, data from `+s.table("post")+` where repo = $1`, id)
		if err != nil {
			return err
		}
		var term, data []byte
		_, err = pgx.ForEachRow(rows, []any{&term, &data}, func() error {
			r, err := unpack(string(term), data, nil)
			list := []string{}
			for _, p := range r.list {
				forms := map[string]uint32{}
				for _, w := range p.exact {
					forms[r.forms[w.form]] = w.freq
				}
				list = append(list, fmt.Sprintf("%s[%d %d %v]", names[p.doc], p.stem, p.title, forms))
			}
			slices.Sort(list)
			out["term "+string(term)] = fmt.Sprint(list)
			return err
		})
		if err != nil {
			return err
		}
		texts, err := tx.Query(t.Context(), `select oid, data from hub.blob where repo = $1`, id)
		if err != nil {
			return err
		}
		_, err = pgx.ForEachRow(texts, []any{&term, &data}, func() error {
			out["text "+hex.EncodeToString(term)] = string(data)
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// titles are some of a few hundred titles that share words.
func titles(r *rand.Rand) (out []string) {
	subjects := []string{"proxy", "queue", "GitHub token", "cache", "uploads"}
	ends := []string{"fails", "waits", "is slow"}
	for range r.IntN(12) {
		out = append(out, fmt.Sprintf("the %s %s in case %d", subjects[r.IntN(5)], ends[r.IntN(3)], r.IntN(20)))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestReplacedOrRebuilt: whatever a repository held before, and wherever taking something in was killed, its
// rows are in the end those of one that is new.
func TestReplacedOrRebuilt(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		s := open(t, server.Database(t))
		r := rand.New(rand.NewPCG(3, 4))
		last := put(t, s, "followed", "the proxy fails at first")
		for round := range testrun.Rounds(12, 60) {
			held := titles(r)
			want := s.rows(t, last.Key())
			next, texts := repository("followed", held...)
			statement, at := 0, r.IntN(9)
			s.testing.step = func(string) error {
				if statement++; statement > at {
					return errKilled
				}
				return nil
			}
			err := s.Learn(t.Context(), next, texts)
			if err == nil {
				err = s.Save(next)
			}
			s.testing.step = nil
			if errors.Is(err, errKilled) {
				got := s.rows(t, last.Key())
				learned := func(name, _ string) bool { return strings.HasPrefix(name, "text") && want[name] == "" }
				maps.DeleteFunc(got, learned)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("round %d: killed before statement %d, something was half written:\n%s", round, at, diff)
				}
				if err = s.Learn(t.Context(), next, texts); err == nil {
					err = s.Save(next)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			last = next
			anew := put(t, s, fmt.Sprintf("anew%d", round), held...)
			if diff := cmp.Diff(s.rows(t, anew.Key()), s.rows(t, last.Key())); diff != "" {
				t.Fatalf("round %d (-new +followed):\n%s", round, diff)
			}
		}
		if err := s.Save(&hub.Repo{RepoRef: last.RepoRef}); err != nil {
			t.Fatal(err)
		}
		if got := s.rows(t, last.Key()); len(got) > 0 {
			t.Errorf("a repository without files has %v", got)
		}
	})
}

// TestTextsLacking: a repository is not saved with memories whose texts nobody learned.
func TestTextsLacking(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		s := open(t, server.Database(t))
		r, _ := repository("a", "the proxy fails")
		if err := s.Save(r); err == nil {
			t.Error("a memory without a text was saved")
		}
		if got, err := s.Load(); err != nil || len(got) > 0 {
			t.Error(got, err)
		}
	})
}

var errKilled = errors.New("the process was killed")

// TestGenerations: what the next version of the analyser makes of texts is made beside what is there, for each
// repository at a time, and again where the older program saved something since.
func TestGenerations(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		dsn := server.Database(t)
		old := open(t, dsn)
		r := put(t, old, "a", "the proxy fails", "the queue waits")
		next := &Store{
			pool: old.pool, org: old.org, now: clock, generation: generation + 1,
			known: map[string]stored{}, held: map[string]int64{}, spare: sync.Pool{New: func() any { return &hits{} }},
		}
		if err := migrate(t.Context(), next.pool, next.generation); err != nil {
			t.Fatal(err)
		}
		for _, titles := range [][]string{nil, {"the queue waits", "uploads are slow"}} {
			if titles != nil {
				r = put(t, old, "a", titles...)
			}
			if _, err := next.Load(); err != nil {
				t.Fatal(err)
			}
			got := next.rows(t, r.Key())
			// Texts that the older program deleted leave postings of memories that are nowhere.
			maps.DeleteFunc(got, func(_, row string) bool { return strings.HasPrefix(row, "[[") })
			if diff := cmp.Diff(old.rows(t, r.Key()), got); diff != "" {
				t.Errorf("-this generation +the next:\n%s", diff)
			}
		}
		if err := migrate(t.Context(), next.pool, generation+2); err != nil {
			t.Fatal(err)
		}
		if _, err := next.Load(); err != nil {
			t.Errorf("the generation before the last is gone: %v", err)
		}
		pgtest.Exec(t, dsn, fmt.Sprintf("do $$ begin assert to_regclass('hub.post_%d') is null; end $$", generation))
	})
}

// TestGeneration says when what the analyser makes of a text has changed: raise generation then, and take the
// new sum here.
func TestGeneration(t *testing.T) {
	m := memory.New(memory.Gotcha, "The GitHub token in src/app/main.go rotates", "parseHTTPRequest2 fails "+
		"--no-verify; cafés and 語学 are running 🚀, it isn't snake_case: v1.2.3, C++ and foo@example.org.", start)
	m.Tags, m.Entities, m.Files = []string{"web"}, []string{"GitHub"}, []string{"src/app/main.go"}
	var ranker index.Ranker
	d := ranker.Document("", m)
	sum := sha1.New()
	fmt.Fprintln(sum, generation, d.Lengths())
	for f := range index.Fields {
		for term, freq := range d.Terms(index.Field(f)) {
			fmt.Fprintln(sum, f, term, freq)
		}
	}
	if got, want := hex.EncodeToString(sum.Sum(nil)), "511382c0df049a03dc48015723202a7bbc29c862"; got != want {
		t.Errorf("the sum of generation %d is %s, not %s", generation, got, want)
	}
}
