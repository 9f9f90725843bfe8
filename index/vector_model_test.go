package index

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"flag"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var makeModel = flag.Bool("make-model", false, "write testdata/model anew from the project's own text")

// TestVectorModelMake writes the model folder that the tests of vectors use. It
// is made of the project's own text: positive pointwise mutual information of
// words near each other, factorised (Levy and Goldberg 2014, "Neural word
// embedding as implicit matrix factorization").
func TestVectorModelMake(t *testing.T) {
	if !*makeModel {
		t.Skip("run with -make-model to write it anew")
	}
	makeModelFolder(t, filepath.Join("testdata", "model"), projectTexts(t), 3000, 64)
}

// projectTexts are the paragraphs of documents and comments of the project.
func projectTexts(t *testing.T) []string {
	t.Helper()
	var texts []string
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../docs/*/*.md", "../*/*.go", "../cmd/*/*.go", "../templates/*/*", "../templates/*/*/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				continue // a folder
			}
			texts = append(texts, strings.Split(string(data), "\n\n")...)
		}
	}
	return texts
}

// makeModelFolder trains dims dimensions for the words most often in texts and
// writes them as model2vec does, quantised to int8.
func makeModelFolder(t testing.TB, dir string, texts []string, words, dims int) {
	t.Helper()
	m := countWords(texts, words)
	table := m.factorise(dims)
	vocab := map[string]int{"[PAD]": 0, "[UNK]": 1}
	for _, w := range m.words {
		vocab[w] = len(vocab)
	}
	data := make([]byte, 2*dims) // of the two special tokens
	weights := make([]float32, 2)
	largest := 0.0
	for _, x := range table {
		largest = max(largest, math.Abs(x))
	}
	for i, w := range m.words {
		for _, x := range table[i*dims : (i+1)*dims] {
			data = append(data, byte(int8(math.Round(x/largest*127))))
		}
		weights = append(weights, m.weight(w))
	}
	var raw []byte
	for _, w := range weights {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(w))
	}
	writeFile(t, filepath.Join(dir, "model.safetensors"), tensorsFile(
		tensorOf{"embeddings", "I8", []int{len(weights), dims}, data},
		tensorOf{"weights", "F32", []int{len(weights)}, raw},
	))
	text, err := json.Marshal(map[string]any{
		"version": "1.0", "normalizer": map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab},
	})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "tokenizer.json"), text)
	writeFile(t, filepath.Join(dir, "config.json"), []byte(`{"normalize": true, "embedding_dtype": "int8"}`+"\n"))
}

// cooccurrence counts words and pairs of them near each other.
type cooccurrence struct {
	words []string
	count map[string]int
	total int
	rows  []map[int]float64
}

func countWords(texts []string, limit int) *cooccurrence {
	const window = 6
	c := &cooccurrence{count: map[string]int{}}
	split := make([][]string, len(texts))
	border := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	for i, text := range texts {
		for _, w := range strings.FieldsFunc(strings.ToLower(text), border) {
			if len(w) <= 24 && len(w) > 1 {
				split[i] = append(split[i], w)
				c.count[w]++
				c.total++
			}
		}
	}
	for w, n := range c.count {
		if n >= 3 {
			c.words = append(c.words, w)
		}
	}
	slices.SortFunc(c.words, func(a, b string) int { return cmp.Or(c.count[b]-c.count[a], cmp.Compare(a, b)) })
	c.words = c.words[:min(limit, len(c.words))]
	at := map[string]int{}
	for i, w := range c.words {
		at[w] = i
	}
	c.rows = make([]map[int]float64, len(c.words))
	for i := range c.rows {
		c.rows[i] = map[int]float64{}
	}
	for _, words := range split {
		for i, w := range words {
			a, ok := at[w]
			for k := i + 1; ok && k < min(len(words), i+1+window); k++ {
				if b, ok := at[words[k]]; ok && a != b {
					c.rows[a][b] += 1 / float64(k-i)
					c.rows[b][a] += 1 / float64(k-i)
				}
			}
		}
	}
	return c
}

// weight is smooth inverse frequency (Arora et al. 2017).
func (c *cooccurrence) weight(w string) float32 {
	const a = 1e-3
	return float32(a / (a + float64(c.count[w])/float64(c.total)))
}

// factorise turns counts into positive pointwise mutual information and
// returns the leading eigenvectors, each times the root of its eigenvalue, by
// subspace iteration from a random start (Halko et al. 2011).
func (c *cooccurrence) factorise(dims int) []float64 {
	n, extra := len(c.rows), dims+16
	type cell struct {
		at    int
		value float64
	}
	sums, all := make([]float64, n), 0.0
	for i, row := range c.rows {
		for _, k := range slices.Sorted(maps.Keys(row)) {
			sums[i] += row[k]
		}
		all += sums[i]
	}
	cells := make([][]cell, n)
	for i, row := range c.rows {
		for _, k := range slices.Sorted(maps.Keys(row)) {
			if v := math.Log(row[k] * all / (sums[i] * sums[k])); v > 0 {
				cells[i] = append(cells[i], cell{k, v})
			}
		}
	}
	multiply := func(x []float64) []float64 { // n × extra
		y := make([]float64, len(x))
		for i, row := range cells {
			to := y[i*extra : (i+1)*extra]
			for _, e := range row {
				for k, v := range x[e.at*extra : (e.at+1)*extra] {
					to[k] += e.value * v
				}
			}
		}
		return y
	}
	random := rand.New(rand.NewPCG(11, 13))
	x := make([]float64, n*extra)
	for i := range x {
		x[i] = random.NormFloat64()
	}
	var values []float64
	for range 8 {
		orthonormalise(x, n, extra)
		x = multiply(x)
	}
	values = lengths(x, n, extra)
	orthonormalise(x, n, extra)
	out := make([]float64, n*dims)
	for i := range n {
		for k := range dims {
			out[i*dims+k] = x[i*extra+k] * math.Sqrt(values[k])
		}
	}
	return out
}

// orthonormalise makes the columns of x orthogonal and of length 1.
func orthonormalise(x []float64, n, width int) {
	for k := range width {
		for range 2 {
			for j := range k {
				dot := 0.0
				for i := range n {
					dot += x[i*width+k] * x[i*width+j]
				}
				for i := range n {
					x[i*width+k] -= dot * x[i*width+j]
				}
			}
		}
		length := 0.0
		for i := range n {
			length += x[i*width+k] * x[i*width+k]
		}
		for i := range n {
			x[i*width+k] /= math.Sqrt(length) + 1e-12
		}
	}
}

func lengths(x []float64, n, width int) []float64 {
	out := make([]float64, width)
	for i := range n {
		for k := range width {
			out[k] += x[i*width+k] * x[i*width+k]
		}
	}
	for k := range out {
		out[k] = math.Sqrt(out[k])
	}
	return out
}

// tensorOf is one array of a safetensors file.
type tensorOf struct {
	name, kind string
	shape      []int
	data       []byte
}

// tensorsFile writes a safetensors file.
func tensorsFile(list ...tensorOf) []byte {
	header := map[string]any{}
	var body []byte
	for _, t := range list {
		header[t.name] = map[string]any{"dtype": t.kind, "shape": t.shape, "data_offsets": []int{len(body), len(body) + len(t.data)}}
		body = append(body, t.data...)
	}
	text, _ := json.Marshal(header)
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), body...)
}
