// Package static makes vectors of texts on this machine, with a model that needs neither
// a server nor a network: a table of one vector for each token.
//
// Call [Open] with the folder of a model, such as those of model2vec. What the package
// promises: the same text has the same vector on every machine, and a model that asks for
// something unknown here is refused.
package static

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/embed/static/internal/tokenizer"
	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/internal/lists"
)

// Limits of a model folder. What model2vec itself reads of a text is the first
// 512 tokens.
const (
	maxModel      = 8 << 30 // bytes of model.safetensors
	maxConfig     = 1 << 20
	maxTextTokens = 512
	maxTokenChars = 32 // a longer median token says nothing about texts
)

// Model embeds texts with a table of one vector for each token: the mean
// of the vectors of a text's tokens, weighted where the model says so. It needs
// no network and takes microseconds. It implements [embed.Model], and is safe for
// concurrent use.
type Model struct {
	name      string
	dims      int
	normalise bool
	maxChars  int // of a text; the rest is not read

	tokens  *tokenizer.Tokenizer
	table   tensor
	weights *tensor // by token; nil: all 1
	mapping *tensor // row by token; nil: the token itself
	file    io.Closer
}

// Open opens a model2vec folder: model.safetensors with a tensor
// "embeddings" (rows × dimensions; F32, F16, BF16, F64 or I8) and, where given,
// "weights" and "mapping" (by token), tokenizer.json, and config.json, of which
// "normalize" counts. Folders of sentence-transformers, which keep these files in
// [subfolder], and tables named "embedding.weight" or "0" are read too. The table
// is mapped, not read. The caller closes the model.
func Open(folder string) (*Model, error) {
	m := &Model{}
	if err := m.open(folder); err != nil {
		_ = m.Close()
		return nil, fmt.Errorf("opening embedding model %s: %w", folder, err)
	}
	return m, nil
}

// subfolder is where sentence-transformers keeps a static model in its folder.
const subfolder = "0_StaticEmbedding"

// filesOf returns the folder that holds the files of the model in folder.
func filesOf(folder string) string {
	below := filepath.Join(folder, subfolder)
	if _, err := os.Stat(filepath.Join(folder, "model.safetensors")); errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(below, "model.safetensors")); err == nil {
			return below
		}
	}
	return folder
}

func (m *Model) open(folder string) (err error) {
	name := filepath.Base(filepath.Clean(folder))
	folder = filesOf(folder)
	config, err := m.configure(filepath.Join(folder, "config.json"))
	if err != nil {
		return fmt.Errorf("reading config.json: %w", err)
	}
	words, err := readCapped(filepath.Join(folder, "tokenizer.json"), tokenizer.MaxFile)
	if err == nil {
		m.tokens, err = tokenizer.Parse(words)
	}
	if err != nil {
		return fmt.Errorf("reading tokenizer.json: %w", err)
	}
	m.maxChars = maxTextTokens * min(maxTokenChars, m.tokens.MedianLength())
	data, file, err := mapped.Open(filepath.Join(folder, "model.safetensors"), maxModel)
	if err != nil {
		return fmt.Errorf("reading model.safetensors: %w", err)
	}
	m.file = file
	return mapped.Guard(func() error {
		if err := m.readTensors(data); err != nil {
			return fmt.Errorf("reading model.safetensors: %w", err)
		}
		m.name = "static:" + name + ":" + fingerprint(data, words, config)
		return nil
	})
}

// configure reads the settings of a model, which may have none.
func (m *Model) configure(file string) ([]byte, error) {
	config, err := readCapped(file, maxConfig)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var settings struct {
		Normalize bool `json:"normalize"`
	}
	if err == nil && len(config) > 0 {
		err = json.Unmarshal(config, &settings)
	}
	m.normalise = settings.Normalize
	return config, err
}

func (m *Model) readTensors(data []byte) error {
	tensors, err := parseTensors(data)
	if err != nil {
		return err
	}
	if err := m.findTable(tensors); err != nil {
		return err
	}
	rows := m.tokens.Size()
	if m.weights, err = byToken(tensors, "weights", rows, tensor.real); err != nil {
		return err
	}
	if m.mapping, err = byToken(tensors, "mapping", rows, tensor.whole); err != nil {
		return err
	}
	if m.mapping == nil && rows > m.table.shape[0] {
		return fmt.Errorf("%d tokens and %d embeddings", rows, m.table.shape[0])
	}
	return nil
}

// findTable finds the table of vectors by one of the names that it has.
func (m *Model) findTable(tensors map[string]tensor) error {
	names := lists.Without([]string{"embeddings", "embedding.weight", "0"}, func(name string) bool {
		_, ok := tensors[name]
		return !ok
	})
	if len(names) == 0 {
		return errors.New("it has no tensor named embeddings, embedding.weight or 0: " +
			"is it a static model, such as those of model2vec?")
	}
	table := tensors[names[0]]
	if !table.real() {
		return fmt.Errorf("embeddings of kind %s", table.kind)
	}
	if len(table.shape) != 2 || table.count() == 0 || table.shape[1] > embed.MaxDims {
		return fmt.Errorf("embeddings of shape %d", table.shape)
	}
	m.table, m.dims = table, table.shape[1]
	return nil
}

// byToken is the tensor of that name with a number for each token; nil when there is none.
func byToken(tensors map[string]tensor, name string, tokens int, fits func(tensor) bool) (*tensor, error) {
	t, ok := tensors[name]
	if !ok {
		return nil, nil
	}
	if n := t.count(); n < tokens || !fits(t) {
		return nil, fmt.Errorf("%s of kind %s for %d of %d tokens", name, t.kind, n, tokens)
	}
	return &t, nil
}

// fingerprint is a hash over small files and samples of a large one: its first
// 4 KB, its size, and 4 KB at 64 places. It tells models apart, whatever their
// folders are called; it is no proof against forgery.
func fingerprint(large []byte, small ...[]byte) string {
	const block, samples = 4096, 64
	h := sha256.New()
	size := binary.LittleEndian.AppendUint64(nil, uint64(len(large)))
	_, _ = h.Write(size)
	if len(large) <= block*samples {
		_, _ = h.Write(large)
	} else {
		for i := range samples {
			at := (len(large) - block) / (samples - 1) * i
			_, _ = h.Write(large[at : at+block])
		}
	}
	for _, s := range small {
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(s))))
		_, _ = h.Write(s)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Name is "static:", the name of the folder, and a fingerprint of its files.
func (m *Model) Name() string { return m.name }

// Dims is the number of columns of the table.
func (m *Model) Dims() int { return m.dims }

// Close unmaps the table. The model must not be used afterwards.
func (m *Model) Close() error {
	if m.file == nil {
		return nil
	}
	err := m.file.Close()
	m.file = nil
	return err
}

// Embed implements [embed.Model]. It fails when ctx ends, or when the file of the
// model was cut short by somebody while it was open.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	flat := make([]float32, len(texts)*m.dims)
	err := mapped.Guard(func() error {
		var ids []int32
		for i, text := range texts {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("embedding: %w", err)
			}
			ids = m.tokens.Encode(embed.FirstChars(text, m.maxChars), maxTextTokens, ids[:0])
			out[i] = flat[i*m.dims : (i+1)*m.dims : (i+1)*m.dims]
			m.mean(ids, out[i])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// mean sets v to the mean of the vectors of tokens, or leaves it zero.
func (m *Model) mean(ids []int32, v []float32) {
	for _, id := range ids {
		row := int(id)
		if m.mapping != nil {
			row = m.mapping.integer(row)
		}
		if row < 0 || row >= m.table.shape[0] {
			continue
		}
		weight := float32(1)
		if m.weights != nil {
			weight = m.weights.number(int(id))
		}
		m.table.add(v, row*m.dims, weight)
	}
	for i := range v {
		v[i] /= float32(max(1, len(ids)))
	}
	if m.normalise {
		embed.Normalise(v)
	}
}

// readCapped reads a regular file of at most limit bytes.
func readCapped(name string, limit int64) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("not a regular file of at most %d bytes", limit)
	}
	return io.ReadAll(io.LimitReader(file, limit))
}
