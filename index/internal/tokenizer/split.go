package tokenizer

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// splitter splits each of the pieces further. first says that the pieces begin
// the text: what is put before a text is put there alone.
type splitter func(pieces []string, first bool) []string

// newSplitters makes the pre-tokenisers of a tokenizer.json, in order.
func newSplitters(p *tokenizerPart, depth int) ([]splitter, error) {
	if p == nil {
		return nil, nil
	}
	if p.Type == "Sequence" {
		if depth > 8 {
			return nil, fmt.Errorf("pre-tokeniser is nested too deeply")
		}
		var out []splitter
		for _, q := range p.PreTokenizers {
			s, err := newSplitters(q, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, s...)
		}
		return out, nil
	}
	s, err := newSplitter(p)
	if err != nil {
		return nil, err
	}
	return []splitter{s}, nil
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
	from := -1
	for i, r := range s {
		space := unicode.IsSpace(r)
		mark := !space && isBertPunctuation(r)
		if (space || mark) && from >= 0 {
			out = append(out, s[from:i])
			from = -1
		}
		switch {
		case mark:
			out = append(out, s[i:i+utf8.RuneLen(r)])
		case !space && from < 0:
			from = i
		}
	}
	if from >= 0 {
		out = append(out, s[from:])
	}
	return out
}

// isBertPunctuation reports punctuation, and every ASCII mark that is neither
// letter, digit nor white space.
func isBertPunctuation(r rune) bool {
	if r < 0x80 {
		return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
	}
	return unicode.IsPunct(r)
}

// newMetaspace makes blanks visible (▁), puts one before the text, and splits
// before each, so that words carry the blank before them.
func newMetaspace(p *tokenizerPart) (splitter, error) {
	mark := "▁"
	if p.Replacement != nil {
		mark = *p.Replacement
	}
	if utf8.RuneCountInString(mark) != 1 {
		return nil, fmt.Errorf("pre-tokeniser marks blanks with %.20q, which is not one character", mark)
	}
	scheme := p.PrependScheme
	if scheme == "" {
		scheme = "always"
		if p.AddPrefixSpace != nil && !*p.AddPrefixSpace {
			scheme = "never"
		}
	}
	switch scheme {
	case "always", "first", "never":
	default:
		return nil, fmt.Errorf("pre-tokeniser prepends %.40q, which is not supported", scheme)
	}
	split := orTrue(p.Split)
	return func(pieces []string, first bool) []string {
		var out []string
		for i, s := range pieces {
			s = strings.ReplaceAll(s, " ", mark)
			if (scheme == "always" || scheme == "first" && first && i == 0) && !strings.HasPrefix(s, mark) {
				s = mark + s
			}
			if split {
				out = append(out, splitBefore(s, mark)...)
			} else {
				out = append(out, s)
			}
		}
		return out
	}, nil
}

// splitBefore splits s before each mark.
func splitBefore(s, mark string) []string {
	out := make([]string, 0, strings.Count(s, mark)+1)
	for {
		i := strings.Index(s[min(len(s), len(mark)):], mark)
		if !strings.HasPrefix(s, mark) {
			i = strings.Index(s, mark)
		} else if i >= 0 {
			i += len(mark)
		}
		if i < 0 {
			return append(out, s)
		}
		out = append(out, s[:i])
		s = s[i:]
	}
}
