package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/embed/static"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/index/vector"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
	"github.com/google/go-cmp/cmp"
)

// synonyms is a model that knows car and automobile to be one thing, and every
// other word of the list as something of its own.
func synonyms(t *testing.T, words ...string) *static.Model {
	t.Helper()
	vocab := map[string]int{"[UNK]": 0, "car": 1, "automobile": 2}
	for i, w := range words {
		vocab[w] = 3 + i
	}
	dims := len(vocab)
	data := make([]byte, dims*dims)
	for i := range dims {
		data[i*dims+i] = 100
	}
	data[2*dims+2], data[2*dims+1] = 0, 100
	text, err := json.Marshal(map[string]any{
		"normalizer": map[string]any{"type": "BertNormalizer"}, "pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model": map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "vocab": vocab},
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "synonyms")
	writeFile(t, filepath.Join(dir, "tokenizer.json"), text)
	writeFile(t, filepath.Join(dir, "model.safetensors"), tensorsFile(tensorOf{"embeddings", "I8", []int{dims, dims}, data}))
	return staticModel(t, dir)
}

func staticModel(t testing.TB, dir string) *static.Model {
	t.Helper()
	m, err := static.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func (s *search) titles(ctx context.Context) (out []string) {
	var places []int32
	for _, f := range s.found[:min(50, len(s.found))] {
		places = append(places, f.Item)
	}
	found, _ := s.source.Memories(ctx, places, true)
	for _, m := range found {
		out = append(out, m.Title)
	}
	return out
}

// garage is a shelf of memories that share no word, and one of cars.
func garage(t *testing.T) (*shelf, *static.Model) {
	t.Helper()
	words := strings.Fields("apple bread chair dance eagle flute grape horse igloo jelly knife lemon mango nurse olive pearl queen robot sugar tiger")
	var ms []*memory.Memory
	for _, w := range words {
		ms = append(ms, memo(memory.Learned, w, w+" as ever"))
	}
	ms = append(ms,
		memo(memory.Decision, "transport", "an automobile it is"),
		memo(memory.Fix, "workshop", "the automobile was mended"),
	)
	return newShelf(t, ms...), synonyms(t, words...)
}

func TestVectorSearchFindsMeaning(t *testing.T) {
	s, m := garage(t)
	v := openVectors(t, s, m)
	for query, want := range map[string][]string{
		"car":              {"transport", "workshop"},
		"car tiger":        {"tiger", "transport", "workshop"}, // what words find comes first
		"car type:fix":     {"workshop"},
		"car -mended":      {"transport"},
		"zebra":            nil, // no model knows it
		"type:fix":         {"workshop"},
		`"automobile was"`: {"workshop"},
		"eagle":            {"eagle"},
		"car is:stale":     nil,
	} {
		got := searchWith(t, s, query, &VectorSearch{Vectors: v})
		titles := got.titles(t.Context())
		slices.Sort(titles[min(1, len(titles)):])
		if len(titles) == 2 {
			slices.Sort(titles)
		}
		if diff := cmp.Diff(want, titles); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
		if got.total != len(want) || len(got.hints) != 0 {
			t.Errorf("%s: total %d, hints %q", query, got.total, got.hints)
		}
	}
	if got := searchWith(t, s, `car "as ever"`, &VectorSearch{Vectors: v}).titles(t.Context()); slices.Contains(got, "transport") {
		t.Errorf("%q does not hold the phrase", got)
	}
	hyde := searchWith(t, s, "eagle", &VectorSearch{Vectors: v, Text: "car", Alpha: 0.9}).titles(t.Context())
	if len(hyde) != 3 || hyde[2] != "eagle" {
		t.Errorf("by a hypothetical answer: %q", hyde)
	}
}

// A least similarity replaces what stands out, in both directions.
func TestVectorSearchLeast(t *testing.T) {
	s, m := garage(t)
	v := openVectors(t, s, m)
	for least, want := range map[float64]int{0: 2, 0.1: 2, 1.5: 0} {
		if got := searchWith(t, s, "car", &VectorSearch{Vectors: v, Least: least}).titles(t.Context()); len(got) != want {
			t.Errorf("from %v on: %q, want %d", least, got, want)
		}
	}
	few := newShelf(t, memo(memory.Decision, "transport", "an automobile it is"), memo(memory.Learned, "bread", "bread as ever"))
	v = openVectors(t, few, m)
	for least, want := range map[float64]int{0: 0, 0.1: 1} { // nothing stands out of two
		if got := searchWith(t, few, "car", &VectorSearch{Vectors: v, Least: least}).titles(t.Context()); len(got) != want {
			t.Errorf("of two, from %v on: %q, want %d", least, got, want)
		}
	}
}

func TestVectorSearchSaysHow(t *testing.T) {
	s, m := garage(t)
	x := searchWith(t, s, "tiger car", nil)
	x.opt.Vector = &VectorSearch{Vectors: openVectors(t, s, m)}
	h, err := x.fuseVectors(t.Context(), &words.Analyser{}, x.askVectors(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range x.found {
		got = append(got, h.via(f.Item))
	}
	if diff := cmp.Diff([]string{"", "similar in meaning", "similar in meaning"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if h.alpha != weightLeast || (*vectorHits)(nil).via(0) != "" {
		t.Errorf("weight %v", h.alpha)
	}
}

// What shares no word with the query and is not of the kind that was asked for
// has to be more similar than the rest.
func TestVectorSearchLeans(t *testing.T) {
	s, m := garage(t)
	got := searchWith(t, s, "decisions about car", &VectorSearch{Vectors: openVectors(t, s, m)}).titles(t.Context())
	if diff := cmp.Diff([]string{"transport"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Vectors that cannot be had leave the answer as it is, and say so once.
func TestVectorSearchWithout(t *testing.T) {
	s, m := garage(t)
	want := searchWith(t, s, "tiger car", nil).titles(t.Context())
	broken := openVectors(t, s, &hashEmbedder{dims: 8, fail: errors.New("no such host")})
	got := searchWith(t, s, "tiger car", &VectorSearch{Vectors: broken})
	if diff := cmp.Diff(want, got.titles(t.Context())); diff != "" || len(got.hints) != 1 || !strings.Contains(got.hints[0], "no such host") {
		t.Errorf("hints %q, -want +got:\n%s", got.hints, diff)
	}
	big := manyMemories(t, vector.Now+1)
	got = searchWith(t, big, "lock", &VectorSearch{Vectors: openVectors(t, big, m)})
	if len(got.hints) != 1 || !strings.Contains(got.hints[0], fmt.Sprintf("%d of %d memories have no vector", vector.Now+1, vector.Now+1)) {
		t.Errorf("hints %q", got.hints)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := searchWith(t, s, "tiger", nil)
	x.opt.Vector = &VectorSearch{Vectors: openVectors(t, s, m)}
	if _, err := x.fuseVectors(ctx, &words.Analyser{}, x.askVectors(ctx)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The answer is the same whether vectors come from the file or are made now,
// and in whatever order the view is.
func TestVectorSearchDependsOnViewAlone(t *testing.T) {
	s := manyMemories(t, 60)
	v := openVectors(t, s, &hashEmbedder{dims: 32})
	queries := newCorpus(9).queries(20)
	var want []string
	for _, q := range queries {
		x := searchWith(t, s, q, &VectorSearch{Vectors: v})
		want = append(want, fmt.Sprint(x.titles(t.Context()), x.total))
	}
	if err := v.Flush(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 4))
	r.Shuffle(len(s.view.Items), func(i, j int) { s.view.Items[i], s.view.Items[j] = s.view.Items[j], s.view.Items[i] })
	e := &hashEmbedder{dims: 32}
	fromFile := openVectors(t, s, e)
	for i, q := range queries {
		x := searchWith(t, s, q, &VectorSearch{Vectors: fromFile})
		if diff := cmp.Diff(want[i], fmt.Sprint(x.titles(t.Context()), x.total)); diff != "" {
			t.Errorf("%s (-made +read):\n%s", q, diff)
		}
	}
	if len(e.texts) != len(queries) {
		t.Errorf("%d texts were embedded for %d queries", len(e.texts), len(queries))
	}
}

// A list that is noise must not hurt: of memories searched by some of their own
// words, as many are first as without vectors. With equal weights this fails.
func TestVectorSearchNoiseIsHarmless(t *testing.T) {
	c := newCorpus(21)
	ms := c.memories(200)
	s := newShelf(t, ms...)
	update(t, s.index, s.view)
	for name, e := range map[string]embed.Model{"noise": &hashEmbedder{dims: 32}, "project": staticModel(t, filepath.Join("testdata", "model"))} {
		v := openVectors(t, s, e)
		fill(t, v, s.view)
		rank := func(opt *VectorSearch) (sum float64) {
			for _, m := range ms[:40] {
				words := strings.Fields(m.Text)
				query := strings.Join([]string{words[2], words[5], words[9], words[13]}, " ")
				for i, it := range searchWith(t, s, query, opt).first(10) {
					if it.Path == m.Path() {
						sum += 1 / float64(i+1) / 40
					}
				}
			}
			return sum
		}
		keyword, fused, blind := rank(nil), rank(&VectorSearch{Vectors: v}), rank(&VectorSearch{Vectors: v, Alpha: 0.5})
		t.Logf("%s: MRR@10 %.3f by words, %.3f with vectors, %.3f with equal weight", name, keyword, fused, blind)
		if fused < keyword-0.005 {
			t.Errorf("%s: MRR@10 %.3f by words, %.3f with vectors", name, keyword, fused)
		}
	}
}

// TestFusionIsExplained: what is said of a score in which vectors had a part is
// what it was made of, down to the words.
func TestFusionIsExplained(t *testing.T) {
	s := manyMemories(t, 60)
	v := openVectors(t, s, &hashEmbedder{dims: 32})
	fused, alone := 0, 0
	for _, q := range append(newCorpus(9).queries(20), "decisions about cache index", "journal since march") {
		r, err := s.index.Search(context.Background(), s.view, query.Parse(q, testNow), SearchOptions{
			Limit: -1, Explain: true, Vector: &VectorSearch{Vectors: v, Alpha: 0.4},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Hits {
			f := h.Why.Fusion
			if f == nil {
				t.Fatalf("%q: vectors had no part in it", q)
			}
			fused++
			if got := (1-f.Alpha)*f.Words.Share + f.Alpha*f.Meaning.Share; math.Abs(got-h.Score) > 1e-9 {
				t.Errorf("%q: %s has %v, explained are %v", q, h.Memory.ID, h.Score, got)
			}
			if got := h.Why.Words * h.Why.Prior * h.Why.Lean * h.Why.Name; math.Abs(got-f.Words.Value) > 1e-9 {
				t.Errorf("%q: the words come to %v, explained are %v", q, f.Words.Value, got)
			}
			if f.Words.Greatest > f.Words.Least {
				if got := (f.Words.Value - f.Words.Least) / (f.Words.Greatest - f.Words.Least); math.Abs(got-f.Words.Share) > 1e-9 {
					t.Errorf("%q: the share of words is %v, explained are %v", q, f.Words.Share, got)
				}
			}
			if h.Why.Words == 0 {
				alone++
			}
		}
	}
	t.Logf("%d hits, %d of them by meaning alone", fused, alone)
	if fused < 100 {
		t.Errorf("only %d hits", fused)
	}
}

// hashEmbedder makes vectors that say nothing: numbers drawn by a hash of the text.
type hashEmbedder struct {
	dims  int
	fail  error
	texts []string
}

func (e *hashEmbedder) Name() string { return "hash" }
func (e *hashEmbedder) Dims() int    { return e.dims }

func (e *hashEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if e.fail != nil {
		return nil, e.fail
	}
	e.texts = append(e.texts, texts...)
	out := make([][]float32, len(texts))
	for i, text := range texts {
		h := fnv.New64a()
		_, _ = h.Write([]byte(text))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		out[i] = make([]float32, e.dims)
		for k := range out[i] {
			out[i][k] = float32(r.NormFloat64())
		}
	}
	return out, nil
}

func manyMemories(t testing.TB, n int) *shelf {
	t.Helper()
	c := newCorpus(5)
	x := Open(Options{Dir: filepath.Join(t.TempDir(), "cache")})
	t.Cleanup(func() { _ = x.Close() })
	s := &shelf{index: x, ids: map[string]memory.ID{}}
	for _, m := range c.memories(n) {
		data := memory.Format(m)
		blob := BlobID(data, false)
		x.Catalog().Add(blob, m.Path(), data)
		s.view.Items = append(s.view.Items, Item{Blob: blob, Path: m.Path(), Stage: Landed, Status: memory.StatusActive})
	}
	return s
}

func openVectors(t testing.TB, s *shelf, e embed.Model) *vector.Store {
	t.Helper()
	v := s.index.Vectors(e)
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func fill(t testing.TB, v *vector.Store, view View) (done, left int) {
	t.Helper()
	done, left, err := v.Update(context.Background(), view.Blobs(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return done, left
}
