package index

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/index/embed/static"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

var retrievalSets = flag.String("sets", "", "measure fusion on the retrieval sets in this folder (docs.jsonl, queries.jsonl, qrels.tsv each)")

// retrievalSet is a set of documents and judged queries.
type retrievalSet struct {
	name    string
	shelf   *shelf
	ref     map[string]string // by blob
	texts   []string
	queries []jsonDocument
	grades  map[string]map[string]int
}

type jsonDocument struct{ ID, Title, Text string }

func readJSONL(t *testing.T, name string) (out []jsonDocument) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var d jsonDocument
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

func readSet(t *testing.T, dir string) *retrievalSet {
	t.Helper()
	s := &retrievalSet{name: filepath.Base(dir), shelf: newShelf(t), ref: map[string]string{}, grades: map[string]map[string]int{}}
	for _, d := range readJSONL(t, filepath.Join(dir, "docs.jsonl")) {
		if d.Title+d.Text == "" {
			continue
		}
		title := d.Title
		if title == "" {
			title = memory.OneLine(d.Text)
			if r := []rune(title); len(r) > 60 {
				title = string(r[:60])
			}
		}
		if d.Text == "" {
			d.Text = title
		}
		m := memory.New(memory.Learned, title, d.Text, testNow)
		m.Source.Ref = d.ID
		s.shelf.put(t, m, Landed)
		s.ref[s.shelf.view.Items[len(s.shelf.view.Items)-1].Blob] = d.ID
		s.texts = append(s.texts, title+"\n"+d.Text)
	}
	update(t, s.shelf.index, s.shelf.view)
	s.queries = readJSONL(t, filepath.Join(dir, "queries.jsonl"))
	file, err := os.Open(filepath.Join(dir, "qrels.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var query, doc string
		grade := 1
		if n, _ := fmt.Sscan(lines.Text(), &query, &doc, &grade); n >= 2 && grade > 0 {
			if s.grades[query] == nil {
				s.grades[query] = map[string]int{}
			}
			s.grades[query][doc] = grade
		}
	}
	return s
}

// ndcg is nDCG@10 of the documents of a query.
func (s *retrievalSet) ndcg(query string, got []string) float64 {
	grades := s.grades[query]
	gain, ideal := 0.0, 0.0
	for i, id := range got[:min(10, len(got))] {
		gain += float64(grades[id]) / math.Log2(float64(i+2))
	}
	var best []int
	for _, g := range grades {
		best = append(best, g)
	}
	slices.SortFunc(best, func(a, b int) int { return cmp.Compare(b, a) })
	for i, g := range best[:min(10, len(best))] {
		ideal += float64(g) / math.Log2(float64(i+2))
	}
	return gain / ideal
}

// TestVectorSets measures, for each set, what vectors change: those of the
// model of testdata/model, which knows nothing of the subjects, and those of a
// model trained on the documents of the set.
func TestVectorSets(t *testing.T) {
	if *retrievalSets == "" {
		t.Skip("run with -sets DIR to measure")
	}
	dirs, err := filepath.Glob(filepath.Join(*retrievalSets, "*", "docs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		set := readSet(t, filepath.Dir(d))
		own := filepath.Join(t.TempDir(), "own")
		makeModelFolder(t, own, set.texts, 4000, 100)
		measureSet(t, set, "foreign", filepath.Join("testdata", "model"))
		measureSet(t, set, "own", own)
	}
}

func measureSet(t *testing.T, set *retrievalSet, name, folder string) {
	m, err := static.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	v := set.shelf.index.Vectors(m)
	defer v.Close()
	if _, _, err := v.Update(context.Background(), set.shelf.view.Blobs(), 0, nil); err != nil {
		t.Fatal(err)
	}
	base := set.run(t, nil)
	for _, c := range []struct {
		name string
		VectorSearch
	}{
		{"default", VectorSearch{}},
		{"scores 0.05", VectorSearch{Alpha: 0.05}},
		{"scores 0.1", VectorSearch{Alpha: 0.1}},
		{"scores 0.3", VectorSearch{Alpha: 0.3}},
		{"vectors alone", VectorSearch{Alpha: 1}},
	} {
		c.Vectors = v
		got := set.run(t, &c.VectorSearch)
		low, high := bootstrap(base, got)
		t.Logf("%-14s %-8s %-14s %.4f  %+5.2f  [%+.2f, %+.2f]", set.name, name, c.name, mean(got), 100*(mean(got)-mean(base)), 100*low, 100*high)
	}
}

// run is nDCG@10 of every query.
func (s *retrievalSet) run(t *testing.T, vectors *VectorSearch) []float64 {
	var out []float64
	for _, q := range s.queries {
		if len(s.grades[q.ID]) == 0 {
			continue
		}
		var got []string
		for _, it := range searchWith(t, s.shelf, q.Text, vectors).first(10) {
			got = append(got, s.ref[it.Blob])
		}
		out = append(out, s.ndcg(q.ID, got))
	}
	return out
}

// searchWith ranks a query with vectors, as [Index.Search] does, but for what
// that does when nothing is found.
func searchWith(t testing.TB, shelf *shelf, text string, vectors *VectorSearch) *search {
	t.Helper()
	from := &stored{index: shelf.index, folded: shelf.index.fold(shelf.view.Items)}
	s := &search{
		ranker: &shelf.index.ranker, source: from, place: from.placeVector,
		asked: query.Parse(text, testNow), opt: SearchOptions{Limit: 10},
	}
	s.leaning, s.query = lean(from, &s.asked)
	if err := s.rank(context.Background()); err != nil {
		t.Fatal(err)
	}
	if vectors != nil {
		s.opt.Vector = vectors
		if asked := s.askVectors(t.Context()); asked != nil {
			if _, err := s.fuseVectors(t.Context(), &words.Analyser{}, asked); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.trim()
	return s
}

func (s *search) first(n int) (out []*Item) {
	for _, f := range s.found[:min(n, len(s.found))] {
		out = append(out, s.source.Item(f.Item))
	}
	return out
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(max(1, len(list)))
}

// bootstrap is the interval that holds the mean difference of pairs in 95 of
// 100 draws.
func bootstrap(a, b []float64) (low, high float64) {
	random := rand.New(rand.NewPCG(1, 2))
	means := make([]float64, 1000)
	for i := range means {
		for range a {
			k := random.IntN(len(a))
			means[i] += (b[k] - a[k]) / float64(len(a))
		}
	}
	slices.Sort(means)
	return means[25], means[974]
}
