package tokenizer

import (
	"cmp"
	"errors"
	"unicode/utf8"

	"github.com/git-cortex/cortex/index/internal/mapped"
)

// wordPiece is the model of BERT: the longest token that a word begins with,
// then the longest continuation, and so on. A word that cannot be covered
// whole, or is too long, is one unknown token.
type wordPiece struct {
	words    vocabulary
	prefix   string // before a token that continues a word
	maxChars int
	unk      int
}

func newWordPiece(m *modelText) (tokenModel, error) {
	if len(m.words.ids) == 0 {
		return nil, errors.New("model has no vocabulary")
	}
	unknown := m.words.find(cmp.Or(m.unknown, "[UNK]"))
	return &wordPiece{words: m.words, prefix: m.prefix, maxChars: min(m.maxChars, 1000), unk: unknown}, nil
}

func (w *wordPiece) vocabulary() *vocabulary { return &w.words }
func (w *wordPiece) unknown() int            { return w.unk }

func (w *wordPiece) encode(word string, out []int32) []int32 {
	if utf8.RuneCountInString(word) > w.maxChars {
		return w.giveUp(out)
	}
	kept := len(out)
	var scratch [256]byte
	rest := append(scratch[:0], w.prefix...)
	for from := 0; from < len(word); {
		candidate, skip := word[from:], 0
		if from > 0 {
			rest = append(rest[:len(w.prefix)], candidate...)
			candidate, skip = mapped.String(rest), len(w.prefix)
		}
		id, end := w.longest(candidate, skip)
		if id < 0 {
			return w.giveUp(out[:kept])
		}
		out = append(out, int32(id))
		from += end - skip
	}
	return out
}

// longest is the longest token that a candidate begins with, and where it ends; -1 when
// there is none that ends behind byte skip.
func (w *wordPiece) longest(candidate string, skip int) (id, end int) {
	for end = min(len(candidate), w.words.longest); end > skip; end-- {
		if end < len(candidate) && !utf8.RuneStart(candidate[end]) {
			continue
		}
		if id := w.words.find(candidate[:end]); id >= 0 {
			return id, end
		}
	}
	return -1, end
}

func (w *wordPiece) giveUp(out []int32) []int32 {
	if w.unk < 0 {
		return out
	}
	return append(out, int32(w.unk))
}
