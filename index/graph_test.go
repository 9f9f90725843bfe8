package index

import (
	"context"
	"testing"

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
	g, err := s.index.Graph(context.Background(), s.view, true)
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
				out = append(out, r.Node.Head.Title)
			}
		}
		return out
	}
	if got := titles(g.Related(b.ID, 1), 1); len(got) != 3 || got[0] != "A" || got[1] != "C" {
		t.Errorf("around B are %q, want A (superseded, similar, same file), C (refines, same session), D (the same name)", got)
	}
	if got := g.Related(e.ID, 3); len(got) != 0 {
		t.Errorf("around E are %v", got)
	}
	if got := g.Related("0000000000000000", 1); got != nil {
		t.Errorf("around nothing are %v", got)
	}
	ties := map[string]bool{}
	for _, r := range g.Related(b.ID, 1) {
		for _, tie := range r.Ties {
			ties[tie.Rel] = true
		}
	}
	for _, rel := range []string{"supersedes", "refines", RelSession, RelFile, RelEntity, RelSimilar} {
		if !ties[rel] {
			t.Errorf("no tie by %s", rel)
		}
	}
	twins := newShelf(t, newCorpus(3).memories(100)...)
	for range 30 { // words that all of them share are not compared by
		twins.put(t, memo(memory.Learned, "Twin "+string(rune('a'+len(twins.ids)%26))+string(rune('a'+len(twins.ids)/26)), "plain common words that every twin says"), Landed)
	}
	if tg, err := twins.index.Graph(context.Background(), twins.view, true); err != nil || len(tg.Related(twins.ids["Twin wd"], 1)) < similarKept {
		t.Errorf("a twin has %d relatives, %v", len(tg.Related(twins.ids["Twin wd"], 1)), err)
	}
	part := g.Around(c.ID, 1)
	if _, ok := part.Find(e.ID); ok {
		t.Error("E is around C")
	}
	for _, edge := range part.Edges {
		if edge.From >= len(part.Nodes) || edge.To >= len(part.Nodes) {
			t.Fatalf("edge %+v of %d nodes", edge, len(part.Nodes))
		}
	}
}

// TestSimilarPairs: the pairs found by rare words are those that comparing all
// with all finds, but for what is over the limits.
func TestSimilarPairs(t *testing.T) {
	c := newCorpus(9)
	var signatures [][]uint32
	for range 40 {
		m := c.memory()
		signatures = append(signatures, memory.Signature(m.Title, m.Text), memory.Signature(m.Title, m.Text[:2*len(m.Text)/3]))
	}
	found := map[[2]int]float64{}
	for _, s := range similarPairs(signatures) {
		if _, twice := found[[2]int{s.a, s.b}]; twice || s.a >= s.b {
			t.Errorf("%+v is there twice or the wrong way round", s)
		}
		if s.jaccard != memory.Jaccard(signatures[s.a], signatures[s.b]) || s.jaccard < similarFrom {
			t.Errorf("%+v has not that similarity", s)
		}
		found[[2]int{s.a, s.b}] = s.jaccard
	}
	for i := 0; i < len(signatures); i += 2 {
		if found[[2]int{i, i + 1}] < 0.5 {
			t.Errorf("%d and %d are not similar", i, i+1)
		}
	}
}
