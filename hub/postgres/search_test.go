package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/hub/files"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/pgtest"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
)

// corpus is memories of some repositories, in a store of each kind.
type corpus struct {
	random *rand.Rand
	repos  []*hub.Repo
	texts  map[string][]byte // of all, by blob
	ids    []memory.ID
	pg     *Store
	files  *files.Store
}

func newCorpus(t *testing.T, server *pgtest.Server, repos int) *corpus {
	t.Helper()
	c := &corpus{random: rand.New(rand.NewPCG(5, 6)), texts: map[string][]byte{}, pg: open(t, server.Database(t))}
	var err error
	if c.files, err = files.Open(t.TempDir(), c.read, clock); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.files.Close() })
	for i := range repos {
		r := &hub.Repo{
			RepoRef: hub.RepoRef{Forge: "test", Name: fmt.Sprintf("acme/r%d", i)}, State: hub.Ready,
			OID: fmt.Sprint(i), Files: map[string]hub.File{},
		}
		texts := map[string][]byte{}
		for range 1 + c.random.IntN(12) {
			c.add(r, texts)
		}
		for _, store := range []hub.Store{c.pg, c.files} {
			if err := store.Save(&hub.Repo{RepoRef: r.RepoRef}); err != nil {
				t.Fatal(err)
			}
			if err := store.Learn(t.Context(), r, texts); err != nil {
				t.Fatal(err)
			}
			if err := store.Save(r); err != nil {
				t.Fatal(err)
			}
		}
		c.repos = append(c.repos, r)
	}
	return c
}

func (c *corpus) read(_ context.Context, _ string, blobs []string, yield func(string, []byte) error) error {
	for _, blob := range blobs {
		if err := yield(blob, c.texts[blob]); err != nil {
			return err
		}
	}
	return nil
}

// add writes a memory, at times one that other repositories have too, or have with another text.
func (c *corpus) add(r *hub.Repo, texts map[string][]byte) {
	words := strings.Fields("proxy uploads large GitHub github token queue retries src/app/main.go cache " +
		"login index the of waits fails drops rotate rotates monday parseHTTPRequest snake_case café 語学 --no-verify slow slowly")
	some := func(n int) string {
		var out []string
		for range n {
			out = append(out, words[c.random.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	types := memory.Types()
	m := memory.New(types[c.random.IntN(len(types))], some(3+c.random.IntN(4)), some(5+c.random.IntN(40)),
		start.AddDate(0, 0, -c.random.IntN(400)))
	m.Tags, m.Files = []string{[]string{"web", "api"}[c.random.IntN(2)]}, []string{"src/app/main.go"}
	m.Pinned, m.Contested = c.random.IntN(9) == 0, c.random.IntN(9) == 0
	if len(c.ids) > 0 {
		old := c.ids[c.random.IntN(len(c.ids))]
		switch c.random.IntN(5) {
		case 0:
			m.ID = old
		case 1:
			m.Links = []memory.Link{{Rel: memory.Supersedes, To: old}}
		case 2:
			m.Links = []memory.Link{{Rel: memory.Answers, To: old}}
		}
	}
	c.ids = append(c.ids, m.ID)
	text := memory.Format(m)
	blob := blobOf(string(text))
	texts[blob], c.texts[blob] = text, text
	r.Files[fmt.Sprintf(".cortex/memories/%d.md", c.random.IntN(1000))] = hub.File{Blob: blob, ID: m.ID}
}

// grants are some of the repositories.
func (c *corpus) grants() (in []*hub.Repo) {
	share := c.random.IntN(4)
	for _, r := range c.repos {
		if c.random.IntN(4) < share {
			in = append(in, r)
		}
	}
	return in
}

// question is a query, of all kinds in turn.
func (c *corpus) question(i int) string {
	fixed := []string{
		"proxy uploads", "github token", "git hub", "uplaods", "tokne rotates", `"large uploads"`, "proxy -queue",
		`slow -"large uploads"`, "type:decision", "proxy tag:web", "is:open", "status:superseded queue", "file:src/app",
		"since:2026-03-01 proxy", "main.go", "snake_case --no-verify", "café", "語学", "newest proxy", "is:pinned",
		"what did we decide about the cache", "nothinglikethis", "parse http request", "retrys cash", "the of",
		"last month proxy", "proxy proxy uploads large queue token cache login",
	}
	return fixed[i%len(fixed)]
}

// lines say all of an answer.
func lines(r *index.Result, err error) []string {
	if err != nil {
		return []string{err.Error()}
	}
	out := []string{fmt.Sprint(r.Total, r.View, r.Meaning, r.Hints, r.Query.Words)}
	for _, h := range r.Hits {
		it := h.Item
		out = append(out, fmt.Sprintf("%s %s %b %v %+v %s %b %b %v %v\n%s", it.Blob, it.Path, h.Score, h.Twins,
			h.Snippet, it.Status, it.Effective, it.Prior, it.Open, it.Stage, memory.Format(h.Memory)))
	}
	return out
}

// same compares what both stores answer.
func (c *corpus) same(t *testing.T, in, ask []*hub.Repo, text string) (hits int) {
	t.Helper()
	q := query.Parse(text, start)
	r, err := c.files.Search(t.Context(), in, q, 10)
	want := lines(r, err)
	got := lines(c.pg.Search(t.Context(), ask, q, 10))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%q in %d repositories (-files +postgres):\n%s", text, len(in), diff)
	}
	return len(want) - 1
}

// TestAnswers: whatever is granted, both stores answer to the bit the same; also where the policies of the
// database alone keep the rest away, and where the statements alone do.
func TestAnswers(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		c := newCorpus(t, server, 12)
		hits := 0
		for round := range testrun.Rounds(90, 1000) {
			in := c.grants()
			hits += c.same(t, in, in, c.question(round))
			c.pg.testing.rights = []int32{}
			for _, r := range in {
				c.pg.testing.rights = append(c.pg.testing.rights, c.pg.known[r.Key()].id)
			}
			c.same(t, in, c.repos, c.question(round))
			c.pg.testing = faults{owner: true}
			c.same(t, in, in, c.question(round))
			c.pg.testing = faults{}
		}
		if hits < 90 {
			t.Errorf("%d hits in all", hits)
		}
	})
}

// TestOneMemory: one memory is found by its file in what is granted, and nowhere else.
func TestOneMemory(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, server *pgtest.Server) {
		c := newCorpus(t, server, 4)
		for blob := range c.texts {
			in := c.grants()
			want, err := c.files.Memory(t.Context(), in, blob)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.pg.Memory(t.Context(), in, blob)
			if err != nil || (got == nil) != (want == nil) {
				t.Fatalf("%v, and not %v: %v", got, want, err)
			}
			if got == nil {
				continue
			}
			if diff := cmp.Diff(want.Memory, got.Memory); diff != "" || want.Item.Path != got.Item.Path {
				t.Errorf("-files +postgres:\n%s", diff)
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
