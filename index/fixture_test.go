package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
)

var testNow = time.Date(2026, 11, 20, 15, 4, 5, 0, time.UTC)

// words for made-up memories: common ones first, so that a square law over the
// list gives a vocabulary like that of real notes.
const fixtureWords = `cache index branch merge session token config test error file build commit search query parser
writer reader lock retry timeout schema version hook plan review queue worker batch stream cursor journal snapshot
segment posting analyser stemmer ranking score filter snippet stage landed pending global transcript redact secret
entropy anchor blob tree ref reflog worktree checkout rebase squash conflict driver attribute projection briefing
budget preamble decision rejection architecture preference gotcha pattern question progress context fallback
overlay checksum generation manifest rename fsync mmap fault latency throughput allocation profile goroutine channel
mutex deadlock starvation backoff jitter quota limit shard replica leader election quorum heartbeat lease tombstone`

const fixtureIdentifiers = `parseFrontmatter openSegments ErrNotRepository src/index/scan.go:42 --no-verify snake_case_name
HTTPServer utf8String C++ rm -rf node:fs GIT_INDEX_FILE v2.1.0 cmd/cortex/main.go refs/cortex/journal`

type corpus struct {
	rand  *rand.Rand
	words []string
	names []string
}

func newCorpus(seed uint64) *corpus {
	return &corpus{
		rand:  rand.New(rand.NewPCG(seed, 7)),
		words: strings.Fields(fixtureWords), names: strings.Fields(fixtureIdentifiers),
	}
}

func (c *corpus) word() string {
	if c.rand.IntN(20) == 0 {
		return c.names[c.rand.IntN(len(c.names))]
	}
	if c.rand.IntN(6) == 0 {
		return fmt.Sprintf("w%d", c.rand.IntN(20000))
	}
	f := c.rand.Float64()
	return c.words[int(f*f*float64(len(c.words)))]
}

func (c *corpus) sentence(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = c.word()
	}
	return strings.Join(out, " ")
}

// memory makes a memory of about 800 bytes.
func (c *corpus) memory() *memory.Memory {
	types := memory.Types()
	var text []string
	for range 3 + c.rand.IntN(5) {
		text = append(text, c.sentence(12+c.rand.IntN(12))+".")
	}
	m := memory.New(types[c.rand.IntN(len(types))], c.sentence(6), strings.Join(text, "\n"),
		testNow.Add(-time.Duration(c.rand.IntN(400*24))*time.Hour))
	m.Tags = []string{c.words[c.rand.IntN(20)], c.words[c.rand.IntN(len(c.words))]}
	m.Files = []string{"src/" + c.words[c.rand.IntN(len(c.words))] + ".go"}
	m.Entities = []string{c.words[c.rand.IntN(len(c.words))]}
	m.Source = memory.Source{Agent: "claude-code", Session: fmt.Sprintf("s%04d", c.rand.IntN(300)), Branch: "feature/x"}
	return m
}

func (c *corpus) memories(n int) []*memory.Memory {
	out := make([]*memory.Memory, n)
	for i := range out {
		out[i] = c.memory()
	}
	return out
}

func (c *corpus) queries(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = c.sentence(1 + c.rand.IntN(5))
	}
	return out
}

// writeTree writes memories below root and returns their paths.
func writeTree(tb testing.TB, root string, ms []*memory.Memory) []string {
	tb.Helper()
	paths := make([]string, len(ms))
	for i, m := range ms {
		paths[i] = m.Path()
		writeFile(tb, filepath.Join(root, filepath.FromSlash(m.Path())), memory.Format(m))
	}
	return paths
}

func writeFile(tb testing.TB, name string, data []byte) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		tb.Fatal(err)
	}
}

func viewOf(t *Tree) View {
	v := View{Items: make([]Item, len(t.Items))}
	for i, f := range t.Items {
		v.Items[i] = Item{Blob: f.Blob, Path: f.Path, Stage: Landed, Status: memory.StatusActive}
	}
	return v
}

func scan(tb testing.TB, x *Index, root string) *Tree {
	tb.Helper()
	t, err := x.Scan(context.Background(), root)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func find(tb testing.TB, x *Index, v View, text string, limit int) *Result {
	tb.Helper()
	r, err := x.Search(context.Background(), v, query.Parse(text, testNow), SearchOptions{Limit: limit})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func update(tb testing.TB, x *Index, v View) int {
	tb.Helper()
	n, err := x.Update(context.Background(), v)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// answer holds those parts of a [Result] that must be the same whatever the state of
// any cache.
type answer struct {
	Total int
	IDs   []memory.ID
	Score []float64
	Text  []string
}

func answers(tb testing.TB, x *Index, v View, queries []string) []answer {
	tb.Helper()
	var out []answer
	for _, q := range queries {
		r := find(tb, x, v, q, 20)
		a := answer{Total: r.Total}
		for _, h := range r.Hits {
			a.IDs = append(a.IDs, h.Memory.ID)
			a.Score = append(a.Score, h.Score)
			a.Text = append(a.Text, h.Snippet.Text)
		}
		out = append(out, a)
	}
	return out
}
