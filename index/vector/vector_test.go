package vector

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
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
	"github.com/google/go-cmp/cmp"
)

// hashModel makes vectors that say nothing: numbers drawn by a hash of the text.
type hashModel struct {
	dims  int
	fail  error
	texts []string
	calls int
}

func (e *hashModel) Name() string { return "hash" }
func (e *hashModel) Dims() int    { return e.dims }

func (e *hashModel) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if e.fail != nil {
		return nil, e.fail
	}
	e.texts = append(e.texts, texts...)
	e.calls++
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

// stock is memories that are embedded.
type stock struct {
	dir   string
	blobs []string
	texts map[string]string
}

func newStock(t testing.TB, n int) *stock {
	t.Helper()
	s := &stock{dir: filepath.Join(t.TempDir(), "vectors"), texts: map[string]string{}}
	for i := range n {
		text := fmt.Sprintf("text of memory %d", i)
		sum := sha1.Sum([]byte(text))
		blob := hex.EncodeToString(sum[:])
		s.blobs = append(s.blobs, blob)
		s.texts[blob] = text
	}
	return s
}

func (s *stock) open(t testing.TB, m embed.Model) *Store {
	t.Helper()
	v := Open(Options{Dir: s.dir, Model: m, Text: s.text})
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func (s *stock) text(_ context.Context, blob string) (string, bool) {
	text, ok := s.texts[blob]
	return text, ok
}

// view is a view of all memories.
func (s *stock) view() View {
	places := map[string]int32{}
	for i, blob := range s.blobs {
		places[blob] = int32(i)
	}
	return View{
		Size: len(s.blobs), Blob: func(at int32) string { return s.blobs[at] },
		Place: func(blob string) int32 {
			if at, ok := places[blob]; ok {
				return at
			}
			return -1
		},
	}
}

func update(t testing.TB, v *Store, blobs []string) (done, left int) {
	t.Helper()
	done, left, err := v.Update(context.Background(), blobs, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return done, left
}

// all are the similarities of all memories to a text.
func (s *stock) all(t testing.TB, v *Store, text string) []float32 {
	t.Helper()
	got, lacking, err := v.Ask(context.Background(), text, 0).Similar(context.Background(), s.view())
	if err != nil || lacking != 0 {
		t.Fatal(lacking, err)
	}
	return got
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
		record, query := newRecord(blob, a), newQueryVector(b)
		if got, want := query.similarity(record, 40), exactCosine(a, b); math.Abs(float64(got-want)) > 0.01 {
			t.Fatalf("%v, exactly %v", got, want)
		}
	}
	zero := newRecord(blob, make([]float32, 64))
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

func TestVectorStore(t *testing.T) {
	s := newStock(t, 200)
	e := &hashModel{dims: 16}
	v := s.open(t, e)
	if done, left, err := v.Update(context.Background(), s.blobs, 150, nil); done != 150 || left != 50 || err != nil {
		t.Fatal(done, left, err)
	}
	var progress []int
	if _, _, err := v.Update(context.Background(), s.blobs, 0, func(done, _ int) { progress = append(progress, done) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{50}, progress); diff != "" {
		t.Error(diff)
	}
	want := s.all(t, v, "text")
	if len(e.texts) != 201 {
		t.Errorf("%d texts embedded", len(e.texts))
	}
	again := s.open(t, &hashModel{dims: 16})
	if done, left := update(t, again, s.blobs); done != 0 || left != 0 {
		t.Errorf("a second process embedded %d, left %d", done, left)
	}
	if diff := cmp.Diff(want, s.all(t, again, "text")); diff != "" {
		t.Errorf("a second process sees others:\n%s", diff)
	}
}

// Whatever happens to the file, vectors are the same in the end, and nothing
// damaged is used.
func TestVectorStoreDamaged(t *testing.T) {
	s := newStock(t, 60)
	v := s.open(t, &hashModel{dims: 8})
	update(t, v, s.blobs)
	want := s.all(t, v, "text")
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
		damaged := s.open(t, &hashModel{dims: 8})
		update(t, damaged, s.blobs)
		if diff := cmp.Diff(want, s.all(t, damaged, "text")); diff != "" {
			t.Fatalf("damage %d: -want +got:\n%s", i, diff)
		}
		after := s.open(t, &hashModel{dims: 8})
		if done, left := update(t, after, s.blobs); done != 0 || left != 0 {
			t.Fatalf("damage %d is not mended: %d embedded again, %d left", i, done, left)
		}
	}
}

// Writers exclude each other and lose nothing; who does not get the lock says
// what is left.
func TestVectorStoreWriters(t *testing.T) {
	s := newStock(t, 300)
	var group sync.WaitGroup
	for k := range 6 {
		group.Go(func() {
			part := s.blobs[k*50 : (k+1)*50]
			for {
				v := s.open(t, &hashModel{dims: 8})
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
	if left := s.open(t, &hashModel{dims: 8}).missing(s.blobs); len(left) != 0 {
		t.Errorf("%d are missing", len(left))
	}
}

// A busy lock, no folder, a model of other dimensions, waste.
func TestVectorStoreCorners(t *testing.T) {
	s := newStock(t, 70)
	v := s.open(t, &hashModel{dims: 8})
	lock, ok, err := v.lock()
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if done, left := update(t, s.open(t, &hashModel{dims: 8}), s.blobs); done != 0 || left != 70 {
		t.Errorf("beside a writer: embedded %d, left %d", done, left)
	}
	_ = lock.Close()
	update(t, v, s.blobs)
	if done, _ := update(t, s.open(t, &hashModel{dims: 12}), s.blobs); done != 70 {
		t.Errorf("with other dimensions: embedded %d", done)
	}
	broken := &hashModel{dims: 16, fail: errors.New("no such host")}
	if _, left, err := s.open(t, broken).Update(context.Background(), s.blobs, 0, nil); err == nil || left != 70 {
		t.Errorf("left %d, %v", left, err)
	}
	w := Open(Options{Model: &hashModel{dims: 8}, Text: s.text})
	if done, left := update(t, w, s.blobs); done != 70 || left != 0 {
		t.Errorf("without folder: embedded %d, left %d", done, left)
	}
	for i := range 2 * keptModels {
		if err := os.WriteFile(filepath.Join(s.dir, fmt.Sprintf("old%d", i)), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	forgetModels(s.dir)
	if files, _ := os.ReadDir(s.dir); len(files) != keptModels+1 {
		t.Errorf("%d files are kept", len(files))
	}
}

// A file that is half waste is written anew.
func TestVectorStoreWaste(t *testing.T) {
	s := newStock(t, 10)
	v := s.open(t, &hashModel{dims: 8})
	update(t, v, s.blobs[:9])
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
	w := s.open(t, &hashModel{dims: 8})
	update(t, w, s.blobs)
	info, err := os.Stat(v.path())
	if err != nil || info.Size() != int64(len(formatHeader("hash", 8, 40))+10*size) {
		t.Errorf("%v, %v", info.Size(), err)
	}
}

// TestVectorPurge forgets memories that are gone once they are the most.
func TestVectorPurge(t *testing.T) {
	s := newStock(t, 2*wasteFrom+20)
	v := s.open(t, &hashModel{dims: 8})
	update(t, v, s.blobs)
	for _, c := range []struct{ kept, gone int }{
		{2*wasteFrom - 9, 0},            // a few are gone
		{wasteFrom + 20, 0},             // less than half
		{wasteFrom + 5, wasteFrom + 15}, // more than half
		{5, wasteFrom},                  // and again
		{1, 0},                          // of what is left, a few
	} {
		view := s.blobs[:c.kept]
		gone, err := v.Purge(view)
		if err != nil || gone != c.gone {
			t.Errorf("of %d memories %d vectors were forgotten, want %d: %v", c.kept, gone, c.gone, err)
		}
		if left := v.missing(view); len(left) > 0 {
			t.Errorf("%d vectors of %d memories are missing", len(left), c.kept)
		}
	}
	w := s.open(t, &hashModel{dims: 8})
	if n := len(w.missing(s.blobs)); n != len(s.blobs)-5 {
		t.Errorf("%d are missing, want all but 5", n)
	}
}

// TestBatch hands the model 64 texts at once.
func TestBatch(t *testing.T) {
	s, m := newStock(t, 150), &hashModel{dims: 4}
	v := Open(Options{Dir: s.dir, Model: m, Text: s.text})
	if done, left, err := v.Update(t.Context(), s.blobs, 0, nil); err != nil || done != 150 || left != 0 || m.calls != 3 {
		t.Errorf("%d done, %d left, %d calls, want 3: %v", done, left, m.calls, err)
	}
	_ = v.Close()
	again := Open(Options{Dir: s.dir, Model: m, Text: s.text})
	if n := len(again.missing(s.blobs)); n != 0 {
		t.Errorf("%d were not written", n)
	}
	_ = again.Close()
}
