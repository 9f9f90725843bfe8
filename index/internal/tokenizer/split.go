package tokenizer

import (
	"fmt"
	"regexp"
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
	case "Whitespace":
		return eachPiece(splitWords), nil
	case "WhitespaceSplit":
		return eachPiece(strings.Fields), nil
	case "Punctuation":
		behaviour := p.Behavior
		if behaviour == "" {
			behaviour = "Isolated"
		}
		return newSplitAt(runeStretches(isBertPunctuation, false), behaviour)
	case "Digits":
		if p.IndividualDigits {
			return newSplitAt(runeStretches(unicode.IsNumber, false), "Isolated")
		}
		return newSplitAt(runeStretches(unicode.IsNumber, true), "Isolated")
	case "CharDelimiterSplit":
		d, n := utf8.DecodeRuneInString(p.Delimiter)
		if n == 0 || n != len(p.Delimiter) {
			return nil, fmt.Errorf("pre-tokeniser splits at %.20q, which is not one character", p.Delimiter)
		}
		return newSplitAt(runeStretches(func(r rune) bool { return r == d }, false), "Removed")
	case "Split":
		return newPatternSplit(p)
	case "Metaspace":
		return newMetaspace(p)
	case "ByteLevel":
		return newByteLevel(p)
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

// splitWords is the pattern \w+|[^\w\s]+.
func splitWords(s string) []string {
	var out []string
	from, kind := 0, 0
	for i, r := range s {
		k := 2
		switch {
		case isWordRune(r):
			k = 1
		case unicode.IsSpace(r):
			k = 0
		}
		if k != kind {
			if kind != 0 {
				out = append(out, s[from:i])
			}
			from, kind = i, k
		}
	}
	if kind != 0 {
		out = append(out, s[from:])
	}
	return out
}

// isWordRune is \w of UTS #18: letters, marks, digits, connectors, joiners.
func isWordRune(r rune) bool {
	if r < 0x80 {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	if r == utf8.RuneError {
		return false
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}

// stretch is a part of a string that a pattern matches, or does not.
type stretch struct {
	from, to int
	match    bool
}

// stretches takes a string apart into stretches that follow each other.
type stretches func(s string) []stretch

func runeStretches(is func(rune) bool, runs bool) stretches {
	return func(s string) []stretch {
		var out []stretch
		for i, r := range s {
			to, m := i+max(1, utf8.RuneLen(r)), is(r)
			if n := len(out); n > 0 && out[n-1].match == m && (!m || runs) {
				out[n-1].to = to
			} else {
				out = append(out, stretch{i, to, m})
			}
		}
		return out
	}
}

func newSplitAt(find stretches, behaviour string) (splitter, error) {
	switch behaviour {
	case "Removed", "Isolated", "Contiguous", "MergedWithPrevious", "MergedWithNext":
	default:
		return nil, fmt.Errorf("pre-tokeniser behaves %.40q, which is not supported", behaviour)
	}
	return eachPiece(func(s string) []string { return splitAt(s, find(s), behaviour) }), nil
}

// splitAt cuts s into pieces; what is matched is handled as behaviour says.
func splitAt(s string, found []stretch, behaviour string) []string {
	var out []stretch
	for _, f := range found {
		n := len(out)
		switch {
		case behaviour == "Removed" && f.match:
			continue
		case behaviour == "Contiguous" && n > 0 && out[n-1].match == f.match,
			behaviour == "MergedWithPrevious" && f.match && n > 0 && !out[n-1].match,
			behaviour == "MergedWithNext" && !f.match && n > 0 && out[n-1].match:
			out[n-1] = stretch{out[n-1].from, f.to, f.match}
			continue
		}
		out = append(out, f)
	}
	pieces := make([]string, len(out))
	for i, f := range out {
		pieces[i] = s[f.from:f.to]
	}
	return pieces
}

func newPatternSplit(p *tokenizerPart) (splitter, error) {
	if p.Pattern == nil || (p.Pattern.String == nil) == (p.Pattern.Regex == nil) {
		return nil, fmt.Errorf("pre-tokeniser splits at nothing")
	}
	pattern := ""
	if p.Pattern.String != nil {
		pattern = regexp.QuoteMeta(*p.Pattern.String)
	} else {
		pattern = *p.Pattern.Regex
	}
	find, err := patternStretches(pattern, p.Invert)
	if err != nil {
		return nil, err
	}
	return newSplitAt(find, p.Behavior)
}

// patternStretches finds a pattern. Go's expressions have no look-ahead; the
// one that byte-level models use, \s+(?!\S), means "white space, but leave its
// last character to the word that follows", which is done by hand.
func patternStretches(pattern string, invert bool) (stretches, error) {
	const group = "ahead"
	pattern = strings.ReplaceAll(pattern, `\s+(?!\S)`, `(?P<`+group+`>\s+)`)
	re, err := regexp.Compile(unicodeClasses(pattern))
	if err != nil {
		return nil, fmt.Errorf("reading pattern of pre-tokeniser: %w", err)
	}
	ahead := 2 * max(0, re.SubexpIndex(group))
	return func(s string) []stretch {
		var out []stretch
		put := func(from, to int, match bool) {
			if from < to {
				out = append(out, stretch{from, to, match != invert})
			}
		}
		last := 0
		for at := 0; at < len(s); {
			loc := re.FindStringSubmatchIndex(s[at:])
			if loc == nil {
				break
			}
			from, to := at+loc[0], at+loc[1]
			if ahead > 0 && loc[ahead] >= 0 && to < len(s) {
				if _, w := utf8.DecodeLastRuneInString(s[from:to]); to-w > from {
					to -= w
				}
			}
			if from == to { // an empty match: nothing to split at
				_, w := utf8.DecodeRuneInString(s[to:])
				at = to + max(1, w)
				continue
			}
			put(last, from, false)
			put(from, to, true)
			last, at = to, to
		}
		put(last, len(s), false)
		return out
	}, nil
}

// unicodeClasses rewrites \s, \w and \d of a pattern, which mean all of Unicode
// there and ASCII in Go, and drops the marks of possessive repetition.
func unicodeClasses(pattern string) string {
	var b strings.Builder
	inClass, repeats := false, false // the last thing said how often
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		was := repeats
		repeats = false
		switch {
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteString(unicodeClass(pattern[i], inClass))
			if end := strings.IndexByte(pattern[i:], '}'); end > 0 && strings.IndexByte("pPx", pattern[i]) >= 0 && pattern[i+1] == '{' {
				b.WriteString(pattern[i+1 : i+end+1])
				i += end
			}
			continue
		case c == '[' && !inClass:
			inClass = true
		case c == ']':
			inClass = false
		case inClass:
		case c == '+' && was:
			continue
		case c == '+', c == '*', c == '}', c == '?' && i > 0 && pattern[i-1] != '(':
			repeats = true
		}
		b.WriteByte(c)
	}
	return b.String()
}

func unicodeClass(c byte, inClass bool) string {
	set := ""
	switch c {
	case 's', 'S':
		set = `\s\v\x{85}\p{Z}`
	case 'w', 'W':
		set = `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{200c}\x{200d}`
	case 'd', 'D':
		set = `\p{Nd}`
	default:
		return `\` + string(c)
	}
	switch upper := c < 'a'; {
	case !inClass && upper:
		return "[^" + set + "]"
	case !inClass:
		return "[" + set + "]"
	case upper:
		return `\` + string(c) // not expressible in a class; ASCII
	}
	return set
}
