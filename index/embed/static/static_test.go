package static

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const smallTokenizer = `{"pre_tokenizer": {"type": "BertPreTokenizer"}, "model": {"type": "WordPiece", "unk_token": "[UNK]",
	"vocab": {"[UNK]": 0, "east": 1, "north": 2, "both": 3}}}`

func floats(list ...float32) []byte {
	var out []byte
	for _, x := range list {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func modelFolder(t testing.TB, config string, list ...namedTensor) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	writeFile(t, filepath.Join(dir, "tokenizer.json"), []byte(smallTokenizer))
	writeFile(t, filepath.Join(dir, "config.json"), []byte(config))
	writeFile(t, filepath.Join(dir, "model.safetensors"), formatTensors(list))
	return dir
}

func openModel(t testing.TB, dir string) *Model {
	t.Helper()
	m, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func TestEmbedStatic(t *testing.T) {
	table := namedTensor{"embeddings", tensor{"F32", []int{4, 2}, floats(9, 9, 2, 0, 0, 4, 1, 1)}}
	for _, c := range []struct {
		name, config string
		tensors      []namedTensor
		want         [][]float32 // of "east north", "both", "unheard of", "east east north"
	}{
		{"mean", `{"normalize": false}`, []namedTensor{table}, [][]float32{{1, 2}, {1, 1}, {0, 0}, {4.0 / 3, 4.0 / 3}}},
		{"normalised", `{"normalize": true}`, []namedTensor{table}, [][]float32{{0.4472136, 0.8944272}, {0.70710677, 0.70710677}, {0, 0}, {0.70710677, 0.70710677}}},
		{"weights", `{}`, []namedTensor{table, {"weights", tensor{"F32", []int{4}, floats(1, 0.5, 2, 1)}}}, [][]float32{{0.5, 4}, {1, 1}, {0, 0}, {2.0 / 3, 8.0 / 3}}},
		{
			"mapping", `{}`,
			[]namedTensor{
				{"embeddings", tensor{"F32", []int{2, 2}, floats(3, 0, 0, 3)}},
				{"mapping", tensor{"I64", []int{4}, []byte{
					0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0,
				}}},
			},
			[][]float32{{1.5, 1.5}, {0, 0}, {0, 0}, {1, 2}}, // both has a row that is not there
		},
		{"sentence-transformers", `{}`, []namedTensor{{"embedding.weight", table.tensor}}, [][]float32{{1, 2}, {1, 1}, {0, 0}, {4.0 / 3, 4.0 / 3}}},
	} {
		m := openModel(t, modelFolder(t, c.config, c.tensors...))
		got, err := m.Embed(context.Background(), []string{"east north", "both", "unheard of", "east east north"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if m.Dims() != 2 || !strings.HasPrefix(m.Name(), "static:model:") {
			t.Errorf("%s: %s with %d dimensions", c.name, m.Name(), m.Dims())
		}
	}
}

// Models are published in folders of several shapes.
func TestEmbedStaticPublished(t *testing.T) {
	table := tensor{"F32", []int{4, 2}, floats(9, 9, 2, 0, 0, 4, 1, 1)}
	zero := modelFolder(t, `{}`, namedTensor{"0", table})
	below := modelFolder(t, `{}`, namedTensor{"embedding.weight", table})
	for _, name := range []string{"model.safetensors", "tokenizer.json"} {
		data, err := os.ReadFile(filepath.Join(below, name))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(below, "0_StaticEmbedding", name), data)
		if err := os.Remove(filepath.Join(below, name)); err != nil {
			t.Fatal(err)
		}
	}
	for shape, dir := range map[string]string{"tensor 0": zero, "subfolder": below} {
		m := openModel(t, dir)
		got, err := m.Embed(t.Context(), []string{"east north"})
		if diff := cmp.Diff([][]float32{{1, 2}}, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", shape, err, diff)
		}
		if !strings.HasPrefix(m.Name(), "static:model:") {
			t.Errorf("%s: named %s", shape, m.Name())
		}
	}
}

func TestEmbedStaticRefuses(t *testing.T) {
	table := namedTensor{"embeddings", tensor{"F32", []int{4, 2}, floats(9, 9, 2, 0, 0, 4, 1, 1)}}
	for name, dir := range map[string]string{
		"nothing":     t.TempDir(),
		"no table":    modelFolder(t, `{}`, namedTensor{"other", table.tensor}),
		"few rows":    modelFolder(t, `{}`, namedTensor{"embeddings", tensor{"F32", []int{2, 2}, floats(1, 2, 3, 4)}}),
		"flat":        modelFolder(t, `{}`, namedTensor{"embeddings", tensor{"F32", []int{4}, floats(1, 2, 3, 4)}}),
		"integers":    modelFolder(t, `{}`, namedTensor{"embeddings", tensor{"I32", []int{4, 1}, floats(1, 2, 3, 4)}}),
		"few weights": modelFolder(t, `{}`, table, namedTensor{"weights", tensor{"F32", []int{1}, floats(1)}}),
		"few places":  modelFolder(t, `{}`, table, namedTensor{"mapping", tensor{"I8", []int{1}, []byte{0}}}),
		"bad config":  modelFolder(t, `{`, table),
	} {
		if m, err := Open(dir); err == nil {
			t.Errorf("%s: taken", name)
			_ = m.Close()
		} else if !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: the error does not name the folder: %v", name, err)
		}
	}
}

// Somebody may truncate a model while it is mapped: an error, not a fault that
// ends the process.
func TestEmbedStaticTruncated(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("models are read, not mapped")
	}
	const rows, dims = 4, 4096
	dir := modelFolder(t, `{}`, namedTensor{"embeddings", tensor{"F32", []int{rows, dims}, make([]byte, 4*rows*dims)}})
	m := openModel(t, dir)
	if err := os.Truncate(filepath.Join(dir, "model.safetensors"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Embed(context.Background(), []string{"both"}); !errors.Is(err, mapped.ErrChanged) {
		t.Errorf("got %v", err)
	}
}

// The name of a model tells its content, not its place.
func TestEmbedStaticFingerprint(t *testing.T) {
	table := func(x float32) namedTensor {
		return namedTensor{"embeddings", tensor{"F32", []int{4, 2}, floats(9, 9, 2, 0, 0, 4, 1, x)}}
	}
	a, b, c := openModel(t, modelFolder(t, `{}`, table(1))), openModel(t, modelFolder(t, `{}`, table(1))), openModel(t, modelFolder(t, `{}`, table(2)))
	if a.Name() != b.Name() || a.Name() == c.Name() {
		t.Errorf("%s %s %s", a.Name(), b.Name(), c.Name())
	}
}

// The model of testdata is of the project's own words: neighbours of a word are
// of its subject.
func TestEmbedProjectModel(t *testing.T) {
	m := openModel(t, filepath.Join("..", "..", "testdata", "model"))
	texts := []string{"lock file", "another process holds the lock", "search ranking of queries", "the user's shell hooks"}
	v, err := m.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	near, far := cosine(v[0], v[1]), max(cosine(v[0], v[2]), cosine(v[0], v[3]))
	if near <= far {
		t.Errorf("%q is %.2f to %q, but %.2f to another", texts[0], near, texts[1], far)
	}
}

func cosine(a, b []float32) float32 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// benchText is of the words that the large model of the benchmarks knows.
const benchText = `Why did we choose the lock for the index the writer takes a snapshot of every segment before merge and the
reader never waits for retry or timeout since a queue of worker batches is flushed on rename after fsync of journal and manifest
so that search query parser finds session token config test error file build commit branch cache review plan hook version schema`

// bigModelFolder has the size of the models people use: 30,000 × 256.
func bigModelFolder(b *testing.B) string {
	dir := b.TempDir()
	var vocab strings.Builder
	for i, w := range append([]string{"[UNK]"}, strings.Fields(benchText)...) {
		fmt.Fprintf(&vocab, "%q:%d,", strings.ToLower(w), i)
	}
	for i := range 29000 {
		fmt.Fprintf(&vocab, "%q:%d,", fmt.Sprintf("w%d", i), i+500)
	}
	writeFile(b, filepath.Join(dir, "tokenizer.json"), []byte(`{"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
		"model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {`+strings.TrimSuffix(vocab.String(), ",")+`}}}`))
	writeFile(b, filepath.Join(dir, "config.json"), []byte(`{"normalize": true}`))
	data := make([]byte, 4*30000*256)
	for i := range 30000 * 256 {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(i%17)-8))
	}
	writeFile(b, filepath.Join(dir, "model.safetensors"), formatTensors([]namedTensor{{"embeddings", tensor{"F32", []int{30000, 256}, data}}}))
	return dir
}

// BenchmarkEmbedQueryCold opens a model and embeds one query, as every process
// that searches does.
func BenchmarkEmbedQueryCold(b *testing.B) {
	dir := bigModelFolder(b)
	for b.Loop() {
		m, err := Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.Embed(context.Background(), []string{"why did we choose the lock for the index"}); err != nil {
			b.Fatal(err)
		}
		_ = m.Close()
	}
}

// BenchmarkEmbedQuery embeds one query with a model that is open.
func BenchmarkEmbedQuery(b *testing.B) {
	m := openModel(b, bigModelFolder(b))
	for b.Loop() {
		if _, err := m.Embed(context.Background(), []string{"why did we choose the lock for the index"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEmbedMemory embeds one memory of 800 bytes.
func BenchmarkEmbedMemory(b *testing.B) {
	m := openModel(b, bigModelFolder(b))
	text := strings.Repeat(benchText+"\n", 2)
	for b.Loop() {
		if _, err := m.Embed(context.Background(), []string{text}); err != nil {
			b.Fatal(err)
		}
	}
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
