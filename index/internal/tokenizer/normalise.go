package tokenizer

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// normaliser changes a text before it is split.
type normaliser func(string) string

// newNormalisers makes the normalisers of a tokenizer.json, in order.
func newNormalisers(p *tokenizerPart, depth int) ([]normaliser, error) {
	if p == nil {
		return nil, nil
	}
	if p.Type == "Sequence" {
		if depth > 8 {
			return nil, fmt.Errorf("normaliser is nested too deeply")
		}
		var out []normaliser
		for _, q := range p.Normalizers {
			n, err := newNormalisers(q, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, n...)
		}
		return out, nil
	}
	n, err := newNormaliser(p)
	if err != nil {
		return nil, err
	}
	return []normaliser{n}, nil
}

func newNormaliser(p *tokenizerPart) (normaliser, error) {
	switch p.Type {
	case "BertNormalizer":
		return bertNormaliser(p), nil
	case "Strip":
		left, right := orTrue(p.StripLeft), orTrue(p.StripRight)
		return func(s string) string {
			if left {
				s = strings.TrimLeftFunc(s, unicode.IsSpace)
			}
			if right {
				s = strings.TrimRightFunc(s, unicode.IsSpace)
			}
			return s
		}, nil
	case "Replace":
		return newReplacer(p)
	case "Precompiled":
		return newCharsmap(p.Charsmap)
	}
	return nil, fmt.Errorf("normaliser %.40q is not supported", p.Type)
}

func newReplacer(p *tokenizerPart) (normaliser, error) {
	switch {
	case p.Pattern != nil && p.Pattern.String != nil:
		old := *p.Pattern.String
		if old == "" {
			return nil, fmt.Errorf("normaliser replaces an empty string")
		}
		return func(s string) string { return strings.ReplaceAll(s, old, p.Content) }, nil
	case p.Pattern != nil && p.Pattern.Regex != nil:
		re, err := regexp.Compile(unicodeClasses(*p.Pattern.Regex))
		if err != nil {
			return nil, fmt.Errorf("reading pattern of normaliser: %w", err)
		}
		return func(s string) string { return re.ReplaceAllLiteralString(s, p.Content) }, nil
	}
	return nil, fmt.Errorf("normaliser replaces nothing")
}

// bertNormaliser is the "basic tokenizer" of BERT: control characters dropped
// and white space made blanks, ideographs set apart, accents and case dropped.
// Accents go when case does, unless it says otherwise.
func bertNormaliser(p *tokenizerPart) normaliser {
	clean, chinese, lower := orTrue(p.CleanText), orTrue(p.Chinese), orTrue(p.Lowercase)
	accents := lower
	if p.StripAccents != nil {
		accents = *p.StripAccents
	}
	return func(s string) string {
		if clean || chinese {
			s = cleanBert(s, clean, chinese)
		}
		if accents && !isASCII(s) {
			s = dropMarks(norm.NFD.String(s))
		}
		if lower {
			s = strings.ToLower(s)
		}
		return s
	}
}

func cleanBert(s string, clean, chinese bool) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case clean && (r == '\t' || r == '\n' || r == '\r' || unicode.IsSpace(r)):
			b.WriteByte(' ')
		case clean && (r == 0 || r == unicode.ReplacementChar || isOther(r)):
		case chinese && isIdeograph(r):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isOther reports a control, format, private or unassigned character.
func isOther(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return unicode.Is(unicode.C, r) || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z)
}

// isIdeograph reports what BERT calls a Chinese character, by its ranges.
func isIdeograph(r rune) bool {
	for _, block := range [...][2]rune{
		{0x3400, 0x4dbf},
		{0x4e00, 0x9fff},
		{0xf900, 0xfaff},
		{0x20000, 0x2a6df},
		{0x2a700, 0x2b73f},
		{0x2b740, 0x2b81f},
		{0x2b920, 0x2ceaf},
		{0x2f800, 0x2fa1f},
	} {
		if r < block[0] {
			return false
		}
		if r <= block[1] {
			return true
		}
	}
	return false
}

// dropMarks drops combining marks that take no room (category Mn).
func dropMarks(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
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
