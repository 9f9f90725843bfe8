// Package tokenizer turns texts into the numbers of tokens, as the tokenizer.json
// of a static embedding model says, a format of the Hugging Face library
// "tokenizers".
//
// Call [Parse], then [Tokenizer.Encode]. Tokens are those of the library, or
// Parse fails: what a file asks for and this package does not know is an error,
// never a guess. Left out are special tokens that frame a text, truncation and
// padding, which a mean over tokens has no use for.
//
// These models are supported:
//
//   - WordPiece with the normaliser and pre-tokeniser of BERT: potion-base-2M,
//     -4M, -8M and -32M, potion-retrieval-32M, potion-science-32M,
//     potion-code-16M, M2V_base_output and M2V_multilingual_output of Minish Lab;
//     static-retrieval-mrl-en-v1 and static-similarity-mrl-multilingual-v1 of
//     Sentence Transformers;
//   - Unigram with a compiled normaliser and the Metaspace pre-tokeniser:
//     potion-multilingual-128M;
//   - Unigram as model2vec 0.5 to 0.7 made it of a teacher of either kind, with
//     replacements that set punctuation apart.
//
// BPE, WordLevel, byte-level models and those that fall back to bytes are refused.
// The tests check the algorithms with small vocabularies of their own; the files of
// the models are not part of the repository.
package tokenizer

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-cortex/cortex/index/internal/mapped"
)

// Limits of a tokenizer.json.
const (
	// MaxFile is the number of bytes of a file that [Parse] takes at most.
	MaxFile   = 128 << 20
	maxTokens = 4 << 20 // tokens in a vocabulary
)

// Tokenizer is a parsed tokenizer.json. It does not change, so several
// goroutines may use it.
type Tokenizer struct {
	added     addedTokens
	normalise []normaliser
	split     []splitter
	model     tokenModel
	size      int // of the vocabulary
	unknown   int // the token for what is not in the vocabulary; -1 when there is none
}

// tokenModel takes one pre-token apart.
type tokenModel interface {
	// encode appends the tokens of word, which is not empty.
	encode(word string, out []int32) []int32
	vocabulary() *vocabulary
	unknown() int
}

// Parse reads a tokenizer.json. The tokenizer keeps referring to data, which must
// not change.
func Parse(data []byte) (*Tokenizer, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("tokenizer of %d bytes, at most %d", len(data), MaxFile)
	}
	var f tokenizerFile
	if err := f.read(&jsonText{s: mapped.String(data)}); err != nil {
		return nil, err
	}
	model, err := f.model.tokenModel()
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{
		model: model, unknown: model.unknown(), size: model.vocabulary().size(), added: newAddedTokens(f.added),
	}
	if t.normalise, err = newNormalisers(f.normaliser); err != nil {
		return nil, err
	}
	if t.split, err = newSplitters(f.splitter); err != nil {
		return nil, err
	}
	for _, a := range f.added {
		if a.ID < 0 || a.ID >= maxTokens {
			return nil, fmt.Errorf("added token %.40q has the number %d", a.Content, a.ID)
		}
		t.size = max(t.size, a.ID+1)
	}
	return t, nil
}

// tokenizerFile is a tokenizer.json as it is written.
type tokenizerFile struct {
	added                []addedToken
	normaliser, splitter *tokenizerPart
	model                *modelText
}

func (f *tokenizerFile) read(j *jsonText) error {
	j.object(func(key string) {
		switch key {
		case "added_tokens":
			j.decode(&f.added)
		case "normalizer":
			j.decode(&f.normaliser)
		case "pre_tokenizer":
			j.decode(&f.splitter)
		case "model":
			f.model = newModelText()
			j.object(func(key string) { f.model.field(j, key) })
		default:
			j.skip()
		}
	})
	if j.err == nil && f.model == nil {
		return errors.New("it has no model")
	}
	return j.err
}

// tokenizerPart is a normaliser or pre-tokeniser as it is written.
type tokenizerPart struct {
	Type          string           `json:"type"`
	Normalizers   []*tokenizerPart `json:"normalizers"`
	PreTokenizers []*tokenizerPart `json:"pretokenizers"`

	CleanText    *bool `json:"clean_text"`
	Chinese      *bool `json:"handle_chinese_chars"`
	StripAccents *bool `json:"strip_accents"`
	Lowercase    *bool `json:"lowercase"`
	StripLeft    *bool `json:"strip_left"`
	StripRight   *bool `json:"strip_right"`

	Pattern struct {
		String string `json:"String"`
		Regex  string `json:"Regex"`
	} `json:"pattern"`
	Content  string `json:"content"`
	Charsmap []byte `json:"precompiled_charsmap"`

	AddPrefixSpace *bool   `json:"add_prefix_space"`
	Replacement    *string `json:"replacement"`
	PrependScheme  string  `json:"prepend_scheme"`
	Split          *bool   `json:"split"`
}

// Size is one more than the highest number that Encode can return.
func (t *Tokenizer) Size() int { return t.size }

// MedianLength is the median length of a token of the vocabulary in characters,
// rounded down, at least 1.
func (t *Tokenizer) MedianLength() int { return t.model.vocabulary().medianLength() }

func orTrue(b *bool) bool { return b == nil || *b }

// Encode appends the tokens of text to out, at most limit of them; those that
// mean "not in the vocabulary" are left out, as model2vec does.
func (t *Tokenizer) Encode(text string, limit int, out []int32) []int32 {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	start := len(out)
	first := true
	t.added.cut(text, false, func(part string, token int) {
		if token >= 0 {
			out = append(out, int32(token))
			first = false
			return
		}
		for _, n := range t.normalise {
			part = n(part)
		}
		t.added.cut(part, true, func(part string, token int) {
			if token >= 0 {
				out = append(out, int32(token))
			} else {
				out = t.encodePart(part, first, start+limit, out)
			}
			first = false
		})
	})
	kept := out[:start]
	for _, id := range out[start:] {
		if int(id) != t.unknown && len(kept)-start < limit {
			kept = append(kept, id)
		}
	}
	return kept
}

// encodePart splits a normalised part and encodes its pieces. It stops once
// enough tokens are there, allowing for some that are dropped.
func (t *Tokenizer) encodePart(part string, first bool, limit int, out []int32) []int32 {
	if part == "" {
		return out
	}
	pieces := []string{part}
	for _, s := range t.split {
		pieces = s(pieces, first)
	}
	known := len(out)
	for _, p := range pieces {
		if p == "" {
			continue
		}
		before := len(out)
		out = t.model.encode(p, out)
		for _, id := range out[before:] {
			if int(id) != t.unknown {
				known++
			}
		}
		if known >= limit {
			break
		}
	}
	return out
}

// modelText is the model of a tokenizer.json as it is written.
type modelText struct {
	kind         string
	words        vocabulary
	scores       []float64
	isUnigram    bool
	hasMerges    bool
	unknown      string
	unknownID    int
	prefix       string
	maxChars     int
	byteFallback bool
}

func newModelText() *modelText { return &modelText{maxChars: 100, unknownID: -1, prefix: "##"} }

// tokenModel makes the model. Its type may be missing in old files, so that the fields
// tell.
func (m *modelText) tokenModel() (tokenModel, error) {
	kind := m.kind
	switch {
	case kind != "":
	case m.isUnigram:
		kind = "Unigram"
	case m.hasMerges:
		kind = "BPE"
	default:
		kind = "WordPiece"
	}
	if m.isUnigram != (kind == "Unigram") {
		return nil, fmt.Errorf("model %.40q with the vocabulary of another", kind)
	}
	switch kind {
	case "WordPiece":
		return newWordPiece(m)
	case "Unigram":
		return newUnigram(m)
	}
	return nil, fmt.Errorf("model %.40q is not supported, only WordPiece and Unigram are", kind)
}

// field reads a field. One that is null stays as it is.
func (m *modelText) field(j *jsonText, key string) {
	switch key {
	case "type":
		m.kind = j.text()
	case "vocab":
		m.vocab(j)
	case "merges":
		m.hasMerges = true
		j.skip()
	case "unk_token":
		j.decode(&m.unknown)
	case "unk_id":
		j.decode(&m.unknownID)
	case "continuing_subword_prefix":
		j.decode(&m.prefix)
	case "max_input_chars_per_word":
		m.maxChars = j.integer()
	case "byte_fallback":
		j.decode(&m.byteFallback)
	default:
		j.skip()
	}
}

// vocab reads {"token": number…}, or [["token", score]…] of Unigram.
func (m *modelText) vocab(j *jsonText) {
	m.words = newVocabulary(len(j.s) / 24)
	if m.isUnigram = j.peek() == '['; m.isUnigram {
		j.array(func() { m.scoredToken(j) })
		return
	}
	j.object(func(token string) {
		id := j.integer()
		if id >= maxTokens {
			j.fail()
			return
		}
		m.words.put(token, id)
	})
}

// scoredToken reads ["token", score].
func (m *modelText) scoredToken(j *jsonText) {
	j.take('[')
	token := j.text()
	j.take(',')
	score := j.number()
	j.take(']')
	if len(m.scores) >= maxTokens {
		j.fail()
	}
	if j.err == nil {
		m.words.put(token, len(m.scores))
		m.scores = append(m.scores, score)
	}
}
