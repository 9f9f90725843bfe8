package tokenizer

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

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

// newByteLevel splits as GPT-2 does and writes every byte as a visible
// character, so that no text is outside of the vocabulary.
func newByteLevel(p *tokenizerPart) (splitter, error) {
	prefix, split := orTrue(p.AddPrefixSpace), orTrue(p.UseRegex)
	return func(pieces []string, _ bool) []string {
		var out []string
		for _, s := range pieces {
			if prefix && !strings.HasPrefix(s, " ") {
				s = " " + s
			}
			parts := []string{s}
			if split {
				parts = splitGPT2(s)
			}
			for _, part := range parts {
				out = append(out, bytesAsRunes(part))
			}
		}
		return out
	}, nil
}

// splitGPT2 is the pattern of GPT-2, by hand because it looks ahead:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func splitGPT2(s string) []string {
	out := make([]string, 0, len(s)/5+1)
	for len(s) > 0 {
		n := lengthGPT2(s)
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func lengthGPT2(s string) int {
	for _, suffix := range []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if strings.HasPrefix(s, suffix) {
			return len(suffix)
		}
	}
	skip := 0
	if s[0] == ' ' {
		skip = 1
	}
	if n := runLength(s[skip:]); n > 0 {
		return skip + n
	}
	// White space; the last of several is left to the word that follows.
	n, last := 0, 0
	for n < len(s) {
		r, w := utf8.DecodeRuneInString(s[n:])
		if !unicode.IsSpace(r) {
			break
		}
		n, last = n+w, w
	}
	if n < len(s) && n > last {
		return n - last
	}
	return n
}

// runLength is the length of the letters, the digits, or the other characters
// that s begins with; 0 when it begins with white space.
func runLength(s string) int {
	kind := func(r rune) int {
		switch {
		case unicode.IsSpace(r):
			return 0
		case unicode.IsLetter(r):
			return 1
		case unicode.IsNumber(r):
			return 2
		}
		return 3
	}
	first := 0
	for i, r := range s {
		k := kind(r)
		if i == 0 {
			first = k
		}
		if k == 0 || k != first {
			return i
		}
	}
	return len(s)
}

// bytesAsRunes writes every byte as a character: printable bytes of Latin-1 as
// themselves, the others, in order, as the characters from 256 on.
func bytesAsRunes(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	for i := range len(s) {
		b.WriteRune(byteRune(s[i]))
	}
	return b.String()
}

func byteRune(c byte) rune {
	switch {
	case c >= '!' && c <= '~', c >= 0xa1 && c <= 0xac, c >= 0xae:
		return rune(c)
	case c <= ' ':
		return 256 + rune(c)
	case c <= 0xa0: // 0x7f is the 33rd of the others
		return 256 + 33 + rune(c) - 0x7f
	}
	return 256 + 67 // 0xad
}
