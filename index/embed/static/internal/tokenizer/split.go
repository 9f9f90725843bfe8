package tokenizer

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// splitter splits each of the pieces further. first says that the pieces begin
// the text: what is put before a text is put there alone.
type splitter func(pieces []string, first bool) []string

// newSplitters makes the pre-tokenisers of a tokenizer.json, in order.
func newSplitters(p *tokenizerPart) ([]splitter, error) {
	return inSequence(p, 0, func(p *tokenizerPart) []*tokenizerPart { return p.PreTokenizers }, newSplitter)
}

func newSplitter(p *tokenizerPart) (splitter, error) {
	switch p.Type {
	case "BertPreTokenizer":
		return eachPiece(splitBert), nil
	case "WhitespaceSplit":
		return eachPiece(strings.Fields), nil
	case "Metaspace":
		return newMetaspace(p)
	}
	return nil, fmt.Errorf("pre-tokeniser %.40q is not supported", p.Type)
}

func eachPiece(split func(string) []string) splitter {
	return func(pieces []string, _ bool) []string {
		if len(pieces) == 1 {
			return split(pieces[0])
		}
		var out []string
		for _, p := range pieces {
			out = append(out, split(p)...)
		}
		return out
	}
}

// splitBert splits at white space, and sets every punctuation mark apart.
func splitBert(s string) []string {
	out := make([]string, 0, len(s)/5+1)
	for word := range strings.FieldsSeq(s) {
		for word != "" {
			n := strings.IndexFunc(word, isBertPunctuation)
			switch n {
			case -1:
				n = len(word)
			case 0:
				_, n = utf8.DecodeRuneInString(word)
			}
			out = append(out, word[:n])
			word = word[n:]
		}
	}
	return out
}

// isBertPunctuation reports punctuation, and every ASCII mark that is neither
// letter, digit nor white space.
func isBertPunctuation(r rune) bool {
	return unicode.IsPunct(r) || r < utf8.RuneSelf && unicode.IsSymbol(r)
}

// metaspace makes blanks visible (▁), puts one before the text, and splits
// before each, so that words carry the blank before them.
type metaspace struct {
	mark   string
	scheme string // which pieces get a blank before them: always, first or never
	split  bool
}

func newMetaspace(p *tokenizerPart) (splitter, error) {
	m := metaspace{mark: "▁", scheme: p.PrependScheme, split: orTrue(p.Split)}
	if p.Replacement != nil {
		m.mark = *p.Replacement
	}
	if utf8.RuneCountInString(m.mark) != 1 {
		return nil, fmt.Errorf("pre-tokeniser marks blanks with %.20q, which is not one character", m.mark)
	}
	if m.scheme == "" {
		m.scheme = "never"
		if orTrue(p.AddPrefixSpace) {
			m.scheme = "always"
		}
	}
	if !slices.Contains([]string{"always", "first", "never"}, m.scheme) {
		return nil, fmt.Errorf("pre-tokeniser prepends %.40q, which is not supported", m.scheme)
	}
	return m.pieces, nil
}

// pieces is a [splitter].
func (m metaspace) pieces(pieces []string, first bool) []string {
	var out []string
	for i, s := range pieces {
		s = strings.ReplaceAll(s, " ", m.mark)
		if m.prepends(first && i == 0) && !strings.HasPrefix(s, m.mark) {
			s = m.mark + s
		}
		if m.split {
			out = append(out, splitBefore(s, m.mark)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// prepends reports whether a piece gets a blank before it.
func (m metaspace) prepends(first bool) bool {
	return m.scheme == "always" || m.scheme == "first" && first
}

// splitBefore splits s before each mark.
func splitBefore(s, mark string) []string {
	parts := strings.Split(s, mark)
	for i := range parts[1:] {
		parts[i+1] = mark + parts[i+1]
	}
	if parts[0] == "" {
		return parts[1:]
	}
	return parts
}
