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
	t := &Tokenizer{}
	var added []addedToken
	var normal, split *tokenizerPart
	var err error
	j := &jsonText{s: mapped.String(data)}
	j.object(func(key string) {
		switch key {
		case "added_tokens":
			j.decode(&added)
		case "normalizer":
			j.decode(&normal)
		case "pre_tokenizer":
			j.decode(&split)
		case "model":
			if t.model, err = parseModel(j); err != nil && j.err == nil {
				j.err = err
			}
		default:
			j.skip()
		}
	})
	if j.err != nil {
		return nil, j.err
	}
	if t.model == nil {
		return nil, fmt.Errorf("it has no model")
	}
	if t.normalise, err = newNormalisers(normal, 0); err != nil {
		return nil, err
	}
	if t.split, err = newSplitters(split, 0); err != nil {
		return nil, err
	}
	t.unknown = t.model.unknown()
	t.size = t.model.vocabulary().size()
	for _, a := range added {
		if a.ID < 0 || a.ID >= maxTokens {
			return nil, fmt.Errorf("added token %.40q has the number %d", a.Content, a.ID)
		}
		t.size = max(t.size, a.ID+1)
	}
	t.added = newAddedTokens(added)
	return t, nil
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

	Pattern  *tokenizerPattern `json:"pattern"`
	Content  string            `json:"content"`
	Charsmap []byte            `json:"precompiled_charsmap"`

	AddPrefixSpace *bool   `json:"add_prefix_space"`
	Replacement    *string `json:"replacement"`
	PrependScheme  string  `json:"prepend_scheme"`
	Split          *bool   `json:"split"`
}

type tokenizerPattern struct {
	String *string `json:"String"`
	Regex  *string `json:"Regex"`
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

// parseModel reads the model of a tokenizer.json. Its type may come last, or
// not at all in old files, so that the fields tell.
func parseModel(j *jsonText) (tokenModel, error) {
	m := modelText{maxChars: 100, unknownID: -1}
	if j.peek() != '{' {
		j.fail()
		return nil, j.err
	}
	j.object(func(key string) { m.field(j, key) })
	if j.err != nil {
		return nil, j.err
	}
	kind := m.kind
	if kind == "" {
		switch {
		case m.isUnigram:
			kind = "Unigram"
		case m.hasMerges:
			kind = "BPE"
		default:
			kind = "WordPiece"
		}
	}
	if m.isUnigram != (kind == "Unigram") {
		return nil, fmt.Errorf("model %.40q with the vocabulary of another", kind)
	}
	switch kind {
	case "WordPiece":
		return newWordPiece(&m)
	case "Unigram":
		return newUnigram(&m)
	}
	return nil, fmt.Errorf("model %.40q is not supported, only WordPiece and Unigram are", kind)
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
	prefix       *string
	maxChars     int
	byteFallback bool
}

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
		var s *string
		j.decode(&s)
		if s != nil {
			m.unknown = *s
		}
	case "unk_id":
		var n *int
		j.decode(&n)
		if n != nil {
			m.unknownID = *n
		}
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
	m.words = vocabulary{}
	m.words.reserve(len(j.s) / 24)
	if j.peek() == '{' {
		j.object(func(token string) {
			id := j.integer()
			if id >= maxTokens {
				j.fail()
				return
			}
			m.words.put(token, id)
		})
		return
	}
	m.isUnigram = true
	j.array(func() {
		if len(m.scores) >= maxTokens {
			j.fail()
			return
		}
		j.take('[')
		token := j.text()
		j.take(',')
		score := j.number()
		j.take(']')
		if j.err == nil {
			m.words.put(token, len(m.scores))
			m.scores = append(m.scores, score)
		}
	})
}
