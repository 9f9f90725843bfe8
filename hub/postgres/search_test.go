package postgres

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/hub/files"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/hubtest"
	"github.com/git-cortex/cortex/internal/pgtest"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
)

// corpus is memories of some repositories, in a store of each kind.
type corpus struct {
	*hubtest.Corpus
	pg    *Store
	files *files.Store
}

func newCorpus(t *testing.T, server *pgtest.Server, repos, memories int) *corpus {
	t.Helper()
	c := &corpus{Corpus: hubtest.New(29, repos, memories), pg: open(t, server.Database(t))}
	var err error
	if c.files, err = files.Open(t.TempDir(), c.Read, clock); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.files.Close() })
	c.Fill(t, c.pg)
	c.Fill(t, c.files)
	return c
}

// same compares what both stores answer.
func (c *corpus) same(t *testing.T, in, ask []*hub.Repo, text string) (hits int) {
	t.Helper()
	q := query.Parse(text, start)
	want := hubtest.Lines(c.files.Search(t.Context(), in, q, 10))
	got := hubtest.Lines(c.pg.Search(t.Context(), ask, q, 10))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%q in %d repositories (-files +postgres):\n%s", text, len(in), diff)
	}
	return len(want) - 1
}

// idsOf are the rows of repositories.
func (s *Store) idsOf(in []*hub.Repo) []int32 {
	ids := []int32{}
	for _, r := range in {
		ids = append(ids, s.known[r.Key()].id)
	}
	return ids
}

// TestContract: the store answers as `cortex search` does, whatever is granted.
func TestContract(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		c := hubtest.New(29, 14, 40)
		s := open(t, server.Database(t))
		c.Fill(t, s)
		c.Contract(t, s)
	})
}

// TestAnswers: whatever is granted, both stores answer to the bit the same; also where the policies of the
// database alone keep the rest away, and where the statements alone do.
func TestAnswers(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		c := newCorpus(t, server, 12, 12)
		hits := 0
		for _, text := range c.Questions(testrun.Rounds(90, 1000)) {
			in := c.Grants()
			hits += c.same(t, in, in, text)
			c.pg.testing.rights = c.pg.idsOf(in)
			c.same(t, in, c.Repos, text)
			c.pg.testing = faults{owner: true}
			c.pg.found.Clear() // what was found by both guards
			c.same(t, in, in, text)
			c.pg.testing = faults{}
		}
		if hits < 90 {
			t.Errorf("%d hits in all", hits)
		}
	})
}

// TestMemories: memories are found by their ids in what is granted, and nowhere else.
func TestMemories(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		c := newCorpus(t, server, 4, 12)
		for _, r := range c.Repos {
			ids := []memory.ID{"0000000000000000"}
			for _, f := range r.Files {
				ids = append(ids, f.ID)
			}
			slices.Sort(ids)
			ids = slices.Compact(ids) // two files may hold one memory
			in := c.Grants()
			want, err := c.files.Memories(t.Context(), in, ids)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.pg.Memories(t.Context(), in, ids)
			byID := cmpopts.SortSlices(func(a, b hub.Hit) bool { return a.Memory.ID < b.Memory.ID })
			if diff := cmp.Diff(want, got, byID, cmpopts.IgnoreUnexported(index.Item{}), cmpopts.EquateEmpty()); err != nil || diff != "" {
				t.Errorf("%v (-files +postgres):\n%s", err, diff)
			}
		}
	})
}

// TestFaded: what is kept of views fades on, and what is changed is seen at once.
func TestFaded(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		s := open(t, server.Database(t))
		now := start
		s.now = func() time.Time { return now }
		r := put(t, s, "a", "the proxy fails", "the proxy waits", "the proxy is slow", "the proxy is gone")
		find := func(r *hub.Repo, text string) (titles []string, effective float64) {
			t.Helper()
			got, err := s.Search(t.Context(), []*hub.Repo{r}, query.Parse(text, now), 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range got.Hits {
				titles, effective = append(titles, h.Memory.Title), effective+h.Item.Effective
			}
			slices.Sort(titles)
			return titles, effective
		}
		_, before := find(r, "proxy")
		now = now.AddDate(1, 0, 0)
		if _, after := find(r, "proxy"); after >= before {
			t.Errorf("a year later %v is %v", before, after)
		}
		r = put(t, s, "a", "the queue waits", "the proxy waits")
		if got, _ := find(r, "waits"); !slices.Equal(got, []string{"the proxy waits", "the queue waits"}) {
			t.Errorf("after a push %q is found", got)
		}
		if got, _ := find(r, "fails"); len(got) > 0 {
			t.Errorf("after a push %q is found", got)
		}
	})
}
