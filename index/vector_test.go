package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
	"github.com/google/go-cmp/cmp"
)

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

func TestVectorDot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	check := func(row []byte, v []float32) {
		t.Helper()
		q, want := newQueryVector(v), int64(0)
		for i := range row {
			want += int64(int8(row[i])) * int64(q.numbers[i])
		}
		if got := q.dot(row); int64(got) != want {
			t.Errorf("%d numbers: %d, want %d", len(row), got, want)
		}
	}
	for _, n := range []int{0, 1, 7, 8, 9, 64, 100, 256, 1024} {
		for range 20 {
			row, v := make([]byte, n), make([]float32, n)
			for i := range n {
				row[i], v[i] = byte(r.Uint32()), float32(r.NormFloat64())
			}
			check(row, v)
		}
	}
	for _, extreme := range []byte{127, 0x81} { // the longest vectors, all at an end of the range
		for _, sign := range []float32{1, -1} {
			v := make([]float32, embed.MaxDims)
			for i := range v {
				v[i] = sign
			}
			check(bytes.Repeat([]byte{extreme}, embed.MaxDims), v)
		}
	}
}

// Quantised cosines are within a hundredth of exact ones.
func TestVectorQuantised(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	blob := strings.Repeat("a", 40)
	for range 200 {
		a, b := make([]float32, 64), make([]float32, 64)
		for i := range a {
			a[i] = float32(r.NormFloat64())
			b[i] = float32(r.NormFloat64()) + a[i]/2
		}
		record, query := newVectorRecord(blob, a), newQueryVector(b)
		if got, want := query.similarity(record, 40), exactCosine(a, b); math.Abs(float64(got-want)) > 0.01 {
			t.Fatalf("%v, exactly %v", got, want)
		}
	}
	zero := newVectorRecord(blob, make([]float32, 64))
	query := newQueryVector(make([]float32, 64))
	if s := query.similarity(zero, 40); s != 0 {
		t.Errorf("of nothing to nothing: %v", s)
	}
}

func exactCosine(a, b []float32) float32 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
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

func openVectors(t testing.TB, s *shelf, e embed.Model) *Vectors {
	t.Helper()
	v := s.index.Vectors(e)
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func fill(t testing.TB, v *Vectors, view View) (done, left int) {
	t.Helper()
	done, left, err := v.Update(context.Background(), view, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return done, left
}

// all are the similarities of a view to a text.
func all(t testing.TB, s *shelf, v *Vectors, text string) []float32 {
	t.Helper()
	x := &search{index: s.index, query: &query.Query{}}
	x.folded = s.index.fold(s.view.Items)
	got, lacking, err := x.similarities(context.Background(), v, text)
	if err != nil || lacking != 0 {
		t.Fatal(lacking, err)
	}
	return got
}

func TestVectorStore(t *testing.T) {
	s := manyMemories(t, 200)
	e := &hashEmbedder{dims: 16}
	v := openVectors(t, s, e)
	if done, left, err := v.Update(context.Background(), s.view, 150, nil); done != 150 || left != 50 || err != nil {
		t.Fatal(done, left, err)
	}
	var progress []int
	if _, _, err := v.Update(context.Background(), s.view, 0, func(done, _ int) { progress = append(progress, done) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{50}, progress); diff != "" {
		t.Error(diff)
	}
	want := all(t, s, v, "text")
	if len(e.texts) != 201 {
		t.Errorf("%d texts embedded", len(e.texts))
	}
	again := openVectors(t, s, &hashEmbedder{dims: 16})
	if done, left := fill(t, again, s.view); done != 0 || left != 0 {
		t.Errorf("a second process embedded %d, left %d", done, left)
	}
	if diff := cmp.Diff(want, all(t, s, again, "text")); diff != "" {
		t.Errorf("a second process sees others:\n%s", diff)
	}
}

// Whatever happens to the file, vectors are the same in the end, and nothing
// damaged is used.
func TestVectorStoreDamaged(t *testing.T) {
	s := manyMemories(t, 60)
	v := openVectors(t, s, &hashEmbedder{dims: 8})
	fill(t, v, s.view)
	want := all(t, s, v, "text")
	good, err := os.ReadFile(v.path())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 1))
	for i := range 200 {
		data := bytes.Clone(good)
		switch i % 4 {
		case 0:
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		case 1:
			data = data[:r.IntN(len(data))]
		case 2:
			at := r.IntN(len(data))
			clear(data[at:min(len(data), at+100)])
		case 3:
			data = append(data, data[len(data)-r.IntN(200):]...)
		}
		if err := cachefile.Replace(v.path(), data); err != nil {
			t.Fatal(err)
		}
		damaged := openVectors(t, s, &hashEmbedder{dims: 8})
		fill(t, damaged, s.view)
		if diff := cmp.Diff(want, all(t, s, damaged, "text")); diff != "" {
			t.Fatalf("damage %d: -want +got:\n%s", i, diff)
		}
		after := openVectors(t, s, &hashEmbedder{dims: 8})
		if done, left := fill(t, after, s.view); done != 0 || left != 0 {
			t.Fatalf("damage %d is not mended: %d embedded again, %d left", i, done, left)
		}
	}
}

// Writers exclude each other and lose nothing; who does not get the lock says
// what is left.
func TestVectorStoreWriters(t *testing.T) {
	s := manyMemories(t, 300)
	var group sync.WaitGroup
	for k := range 6 {
		group.Go(func() {
			part := View{Items: s.view.Items[k*50 : (k+1)*50]}
			for {
				v := s.index.Vectors(&hashEmbedder{dims: 8})
				_, left, err := v.Update(context.Background(), part, 0, nil)
				_ = v.Close()
				if err != nil {
					t.Error(err)
				}
				if left == 0 {
					return
				}
			}
		})
	}
	group.Wait()
	if left := openVectors(t, s, &hashEmbedder{dims: 8}).missing(s.view.Items); len(left) != 0 {
		t.Errorf("%d are missing", len(left))
	}
}

// A busy lock, no folder, a model of other dimensions, waste.
func TestVectorStoreCorners(t *testing.T) {
	s := manyMemories(t, 70)
	v := openVectors(t, s, &hashEmbedder{dims: 8})
	lock, ok, err := v.lock()
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if done, left := fill(t, openVectors(t, s, &hashEmbedder{dims: 8}), s.view); done != 0 || left != 70 {
		t.Errorf("beside a writer: embedded %d, left %d", done, left)
	}
	_ = lock.Close()
	fill(t, v, s.view)
	if done, _ := fill(t, openVectors(t, s, &hashEmbedder{dims: 12}), s.view); done != 70 {
		t.Errorf("with other dimensions: embedded %d", done)
	}
	broken := &hashEmbedder{dims: 16, fail: errors.New("no such host")}
	if _, left, err := openVectors(t, s, broken).Update(context.Background(), s.view, 0, nil); err == nil || left != 70 {
		t.Errorf("left %d, %v", left, err)
	}
	inMemory := Open(Options{})
	for _, it := range s.view.Items {
		m, _ := s.index.Catalog().Memory(t.Context(), it.Blob)
		inMemory.Catalog().Add(it.Blob, it.Path, memory.Format(m))
	}
	w := inMemory.Vectors(&hashEmbedder{dims: 8})
	if done, left := fill(t, w, s.view); done != 70 || left != 0 {
		t.Errorf("without folder: embedded %d, left %d", done, left)
	}
	for i := range 2 * keptModels {
		writeFile(t, s.index.path("vectors", fmt.Sprintf("old%d", i)), nil)
	}
	forgetModels(s.index.path("vectors"))
	if files, _ := os.ReadDir(s.index.path("vectors")); len(files) != keptModels+1 {
		t.Errorf("%d files are kept", len(files))
	}
}

// A file that is half waste is written anew.
func TestVectorStoreWaste(t *testing.T) {
	s := manyMemories(t, 10)
	v := openVectors(t, s, &hashEmbedder{dims: 8})
	fill(t, v, View{Items: s.view.Items[:9]})
	data, err := os.ReadFile(v.path())
	if err != nil {
		t.Fatal(err)
	}
	size := 40 + 4 + 8 + 4
	for range wasteFrom {
		data = append(data, data[len(data)-size:]...)
	}
	if err := cachefile.Replace(v.path(), data); err != nil {
		t.Fatal(err)
	}
	w := openVectors(t, s, &hashEmbedder{dims: 8})
	fill(t, w, s.view)
	info, err := os.Stat(v.path())
	if err != nil || info.Size() != int64(len(vectorHeader("hash", 8, 40))+10*size) {
		t.Errorf("%v, %v", info.Size(), err)
	}
}

// TestVectorPurge forgets memories that are gone once they are the most.
func TestVectorPurge(t *testing.T) {
	s := manyMemories(t, 2*wasteFrom+20)
	v := openVectors(t, s, &hashEmbedder{dims: 8})
	fill(t, v, s.view)
	for _, c := range []struct{ kept, gone int }{
		{2*wasteFrom - 9, 0},            // a few are gone
		{wasteFrom + 20, 0},             // less than half
		{wasteFrom + 5, wasteFrom + 15}, // more than half
		{5, wasteFrom},                  // and again
		{1, 0},                          // of what is left, a few
	} {
		view := View{Items: s.view.Items[:c.kept]}
		gone, err := v.Purge(view)
		if err != nil || gone != c.gone {
			t.Errorf("of %d memories %d vectors were forgotten, want %d: %v", c.kept, gone, c.gone, err)
		}
		if left := v.missing(view.Items); len(left) > 0 {
			t.Errorf("%d vectors of %d memories are missing", len(left), c.kept)
		}
	}
	w := openVectors(t, s, &hashEmbedder{dims: 8})
	if n := len(w.missing(s.view.Items)); n != len(s.view.Items)-5 {
		t.Errorf("%d are missing, want all but 5", n)
	}
}

func TestVectorFusion(t *testing.T) {
	keyword := []scored{{1, 10}, {2, 8}, {3, 2}}
	vector := []scored{{3, 0.9}, {1, 0.5}, {4, 0.1}}
	for _, c := range []struct {
		fusion Fusion
		alpha  float64
		want   []scored
	}{
		{FuseScores, 0, []scored{{1, 1}, {2, 0.75}, {3, 0}}},
		{FuseScores, 1, []scored{{3, 1}, {1, 0.5}, {4, 0}}},
		{FuseScores, 0.5, []scored{{1, 0.75}, {3, 0.5}, {2, 0.375}, {4, 0}}},
		{FuseScores, 7, []scored{{3, 1}, {1, 0.5}, {4, 0}}}, // alpha is cut to 0–1
		{"", 0, []scored{{1, 1}, {2, 0.75}, {3, 0}}},
		{FuseRanks, 0.5, []scored{
			{1, 0.5/61 + 0.5/62}, {3, 0.5/63 + 0.5/61}, {2, 0.5 / 62.0}, {4, 0.5 / 63.0},
		}},
	} {
		got := c.fusion.fuse(keyword, vector, c.alpha)
		near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(scored{}), near); diff != "" {
			t.Errorf("%q at %v (-want +got):\n%s", c.fusion, c.alpha, diff)
		}
	}
	if got := FuseScores.fuse(nil, nil, 0.5); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	same := []scored{{5, 1}, {2, 1}, {9, 1}} // equals keep the order of items, and one rank
	for _, f := range []Fusion{FuseScores, FuseRanks} {
		got := f.fuse(same, same, 0.5)
		if got[0].item != 2 || got[2].item != 9 || got[0].score != got[2].score {
			t.Errorf("%s of equals: %v", f, got)
		}
	}
}

func TestVectorAgreement(t *testing.T) {
	list := func(items ...int32) (out []scored) {
		for i, it := range items {
			out = append(out, scored{it, float64(100 - i)})
		}
		return out
	}
	ten := list(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	for _, c := range []struct {
		vector []scored
		want   float64
	}{
		{ten, 0.3},
		{nil, 0.01},
		{list(9, 20, 21), 0.01},
		{list(20, 9, 8, 7), 0.3 * 2 / 9},
		{list(20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 1, 2, 3), 0.01}, // beyond the first ten
	} {
		if got := agreement(ten, c.vector); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.vector, got, c.want)
		}
	}
}
