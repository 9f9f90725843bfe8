package graph

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/internal/entry"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

func TestGraph(t *testing.T) {
	link := func(rel memory.Rel, to *memory.Memory) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Links = append(m.Links, memory.Link{Rel: rel, To: to.ID}) }
	}
	in := func(session string, files ...string) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Source.Session, m.Files, m.Entities = session, files, []string{"Bluge"} }
	}
	a := memo(memory.Decision, "A", "SQLite holds the postings of the catalogue", in("s1", "index/index.go"))
	b := memo(memory.Decision, "B", "Bluge holds the postings of the catalogue", in("s2", "index/index.go"), link(memory.Supersedes, a))
	c := memo(memory.Decision, "C", "segments are mapped", in("s2"), link(memory.Refines, b))
	d := memo(memory.Fix, "D", "the lock file was unlinked", in("s3", "index/lock.go"), link(memory.RelatesTo, a),
		func(m *memory.Memory) {
			m.Links = append(m.Links, memory.Link{Rel: memory.RelatesTo, To: "0000000000000000"})
		})
	e := memo(memory.Fix, "E", "alone in the world")
	s := newShelf(t, e, d, c, b, a)
	g, err := Derive(context.Background(), s.index, s.view, Options{Similar: true, Topics: func() ([]Topic, error) {
		return []Topic{{"s2", "postings", 10}, {"s2", "mapping", 30}, {"s9", "unheard of", 1}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range g.Nodes {
		if at, ok := g.Find(memory.ID(n.Name)); n.Kind == NodeMemory && (!ok || at != i) {
			t.Errorf("%s is found at %d", n.Name, at)
		}
	}
	for _, id := range []memory.ID{a.ID, b.ID, c.ID} {
		if chain := g.Chain(id); len(chain) != 3 || chain[0] != a.ID || chain[1] != b.ID || chain[2] != c.ID {
			t.Errorf("the chain of %s is %v", id, chain)
		}
	}
	titles := func(rs []Relative, distance int) (out []string) {
		for _, r := range rs {
			if r.Distance == distance {
				m, _ := s.index.Catalog().Head(t.Context(), r.Node.Item.Blob)
				out = append(out, m.Title)
			}
		}
		return out
	}
	if got := titles(g.Related(t.Context(), b.ID, 1), 1); len(got) != 3 || got[0] != "A" || got[1] != "C" {
		t.Errorf("around B are %q, want A (superseded, similar, same file), C (refines, same session), D (the same name)", got)
	}
	if got := g.Related(t.Context(), e.ID, 3); len(got) != 0 {
		t.Errorf("around E are %v", got)
	}
	if got := g.Related(t.Context(), "0000000000000000", 1); got != nil {
		t.Errorf("around nothing are %v", got)
	}
	ties := map[string]bool{}
	for _, r := range g.Related(t.Context(), b.ID, 1) {
		for _, tie := range r.Ties {
			ties[tie.Rel] = true
		}
	}
	for _, rel := range []string{"supersedes", "refines", RelSession, RelFile, RelEntity, RelSimilar} {
		if !ties[rel] {
			t.Errorf("no tie by %s", rel)
		}
	}
	twins := newShelf(t, madeUp(3, 100)...)
	for range 30 { // words that all of them share are not compared by
		twins.put(t, memo(memory.Learned, "Twin "+string(rune('a'+len(twins.ids)%26))+string(rune('a'+len(twins.ids)/26)), "plain common words that every twin says"))
	}
	if tg, err := Derive(context.Background(), twins.index, twins.view, Options{Similar: true, Topics: func() ([]Topic, error) {
		return []Topic{{"s2", "postings", 10}, {"s2", "mapping", 30}, {"s9", "unheard of", 1}}, nil
	}}); err != nil || len(tg.Related(t.Context(), twins.ids["Twin wd"], 1)) < similarKept {
		t.Errorf("a twin has %d relatives, %v", len(tg.Related(t.Context(), twins.ids["Twin wd"], 1)), err)
	}
	part := g.Around(t.Context(), c.ID, 1)
	if _, ok := part.Find(e.ID); ok {
		t.Error("E is around C")
	}
	for _, edge := range part.Edges {
		if edge.From >= len(part.Nodes) || edge.To >= len(part.Nodes) {
			t.Fatalf("edge %+v of %d nodes", edge, len(part.Nodes))
		}
	}
}

// TestGraphTopics: a memory is in the topic that its line of the transcript
// belongs to, and a topic that holds none is not in the graph.
func TestGraphTopics(t *testing.T) {
	at := func(session string, line int) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Source.Session, m.Source.Record = session, line }
	}
	a := memo(memory.Decision, "A", "one", at("s1", 9))
	b := memo(memory.Decision, "B", "two", at("s1", 10))
	c := memo(memory.Decision, "C", "three", at("s1", 25))
	d := memo(memory.Decision, "D", "four", at("s2", 25))
	e := memo(memory.Decision, "E", "five", at("s1", 0))
	s := newShelf(t, a, b, c, d, e)
	g, err := Derive(context.Background(), s.index, s.view, Options{Topics: func() ([]Topic, error) {
		return []Topic{{"s1", "later", 30}, {"s1", "postings", 10}, {"s3", "of no memory", 1}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, edge := range g.Edges {
		if edge.Rel == RelTopic || edge.Rel == RelPart {
			from, to := g.Nodes[edge.From], g.Nodes[edge.To]
			if from.Kind == NodeMemory {
				m, _ := s.index.Catalog().Head(t.Context(), from.Item.Blob)
				from.Label = m.Title
			}
			got = append(got, from.Label+" "+edge.Rel+" "+to.title())
		}
	}
	slices.Sort(got)
	if want := []string{"B in_topic postings", "C in_topic postings", "postings part_of s1"}; !slices.Equal(got, want) {
		t.Errorf("the topics are %q, want %q", got, want)
	}
	if related := g.Related(t.Context(), b.ID, 1); len(related) != 3 || related[0].Node.Name != string(c.ID) {
		t.Errorf("around B are %v, want C first, of the same topic, and those of the same session", related)
	}
}

// TestSimilarRecall compares what banding finds with comparing all with all, at
// a thousand memories: of the five nearest of each, of the nearest one, and of
// those near enough to be merged.
func TestSimilarRecall(t *testing.T) {
	signatures, sketches := similarCorpus(1000)
	found := map[[2]int]float64{}
	for _, s := range similarPairs(sketches, signatures) {
		if _, twice := found[[2]int{s.a, s.b}]; twice || s.a >= s.b {
			t.Errorf("%+v is there twice or the wrong way round", s)
		}
		if s.jaccard != sameness.Jaccard(signatures[s.a], signatures[s.b]) || s.jaccard < sameness.Edge {
			t.Errorf("%+v has not that similarity", s)
		}
		found[[2]int{s.a, s.b}] = s.jaccard
	}
	var all, hit, first, firstHit, merge, mergeHit int
	everybody := make([]int32, len(signatures))
	for i := range everybody {
		everybody[i] = int32(i)
	}
	for i := range signatures {
		nearest := nearestOf(func(k int) []uint32 { return signatures[k] }, i, slices.Clone(everybody))
		for rank, s := range nearest {
			_, ok := found[[2]int{s.a, s.b}]
			count := func(n, of *int) {
				*of++
				if ok {
					*n++
				}
			}
			count(&hit, &all)
			if rank == 0 {
				count(&firstHit, &first)
			}
			if s.jaccard >= sameness.Candidate {
				count(&mergeHit, &merge)
			}
		}
	}
	t.Logf("found %d of %d near ones, %d of %d nearest ones, %d of %d to be merged", hit, all, firstHit, first, mergeHit, merge)
	if all < 3000 || float64(hit) < 0.9*float64(all) || float64(firstHit) < 0.97*float64(first) || merge < 100 || mergeHit < merge {
		t.Errorf("found %d of %d near ones (want 90 %%), %d of %d nearest ones (want 97 %%), %d of %d to be merged (want all)", hit, all, firstHit, first, mergeHit, merge)
	}
}

// similarCorpus is texts as a team writes them: of a few subjects, in words that
// are as frequent as words are (Zipf), a tenth of them rewritten from another.
func similarCorpus(n int) ([][]uint32, []string) {
	r := rand.New(rand.NewPCG(11, 7))
	zipf := rand.NewZipf(r, 1.1, 4, 8000)
	signatures, sketches := make([][]uint32, n), make([]string, n)
	texts := make([][]string, n)
	for i := range texts {
		subject := r.IntN(1 + n/12)
		for range 40 + r.IntN(50) {
			word := zipf.Uint64()
			if r.IntN(4) == 0 { // of the subject
				word = 10_000 + uint64(subject)*40 + uint64(r.IntN(40))
			}
			texts[i] = append(texts[i], fmt.Sprintf("w%d", word))
		}
		if i > 10 && r.IntN(10) == 0 {
			other := texts[r.IntN(i)]
			texts[i] = append(texts[i][:len(texts[i])/5], other[len(other)/5:]...)
		}
		signatures[i] = sameness.Signature(strings.Join(texts[i], " "))
		sketch := entry.SketchOf(signatures[i])
		sketches[i] = sketch.Bytes()
	}
	return signatures, sketches
}

// TestGraphCache: a graph that comes from the cache is the one that is derived,
// also where the cache is damaged, cut short, of other memories or topics.
func TestGraphCache(t *testing.T) {
	dir := t.TempDir()
	ms := madeUp(4, 60)
	s := newShelf(t, ms...)
	in := func(dir string) *index.Index {
		x := index.Open(index.Options{Dir: dir})
		for i, m := range ms {
			x.Catalog().Add(s.view.Items[i].Blob, m.Path(), memory.Format(m))
		}
		return x
	}
	open := func() *index.Index { return in(dir) }
	asked := 0
	derive := func(x *index.Index, key string, items []index.Item) *Graph {
		g, err := Derive(context.Background(), x, index.View{Items: items}, Options{Similar: true, TopicsKey: key, Topics: func() ([]Topic, error) {
			asked++
			return []Topic{{"s0001", "of topics " + key, 0}}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	want := derive(open(), "a", s.view.Items)
	same := func(what string, got *Graph) {
		t.Helper()
		if diff := cmp.Diff(want.Edges, got.Edges); diff != "" {
			t.Errorf("%s: edges differ: %s", what, diff)
		}
		if diff := cmp.Diff(want.Nodes, got.Nodes, cmp.AllowUnexported(index.Item{}), cmpopts.IgnoreFields(index.Item{}, "hint", "known", "linked")); diff != "" {
			t.Errorf("%s: nodes differ: %s", what, diff)
		}
	}
	same("from the cache", derive(open(), "a", s.view.Items))
	if asked != 1 {
		t.Errorf("topics were asked for %d times, want once: the graph was at hand", asked)
	}
	if got := derive(open(), "b", s.view.Items); asked != 2 || len(got.Nodes) == 0 {
		t.Error("other topics gave the old graph")
	}
	if got := derive(open(), "b", s.view.Items[1:]); len(got.ids) != len(want.ids)-1 {
		t.Error("other memories gave the old graph")
	}
	derive(open(), "a", s.view.Items)
	name := filepath.Join(dir, graphName)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 30 {
		data := slices.Clone(whole)
		switch at := r.IntN(len(data)); i % 3 {
		case 0:
			data = data[:at]
		case 1:
			data[at] ^= 1 << r.IntN(8)
		case 2:
			clear(data[at:min(len(data), at+512)])
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		same("from a damaged cache", derive(open(), "a", s.view.Items))
	}
	if now, _ := os.ReadFile(name); !bytes.Equal(now, whole) {
		t.Error("the cache was not mended")
	}
	same("without a cache", derive(in(""), "a", s.view.Items))
}
